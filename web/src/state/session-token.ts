import { optionalText, storedValue } from './stored-value.ts';

/** The signed-in secret; null is not signed in. The cookie beside it serves page loads and the event stream. */
export const sessionToken = storedValue('plimsoll.token', optionalText);
