/** Version of this API; the release commit changes it together with package.json. */
export const VERSION = '0.1.0';
