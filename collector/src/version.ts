/** Version of the collector; the release script checks it against package.json. */
export const VERSION = '0.1.0';
