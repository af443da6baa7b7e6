import { sessionToken } from '../state/session-token.ts';

/**
 * Caches the result of a POST until the page reloads, so that a screen opened again creates no second object. A failure
 * is not cached, and a new session creates its own object.
 */
export function createOnce<T>(create: () => Promise<T>) {
  let cached: { session: string | null; created: Promise<T> } | null = null;
  const clear = (): void => {
    cached = null;
  };
  const get = (): Promise<T> => {
    const session = sessionToken.get();
    if (cached === null || cached.session !== session) {
      const created = create();
      cached = { session, created };
      created.catch(() => cached?.created === created && clear());
    }
    return cached.created;
  };
  return { get, clear };
}
