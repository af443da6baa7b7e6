/** Where the source code lives. */
export const SOURCE_URL = 'https://github.com/plimsoll/plimsoll';
