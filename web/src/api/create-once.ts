import { sessionToken } from '../state/session-token.ts';

/**
 * Something made on the server at most once while this page of the browser is open, and by whom: who comes back to a
 * screen finds what the first look made. A failure is not kept; neither is what another session made.
 */
export function onceAVisit<T>(make: () => Promise<T>) {
  let kept: { session: string | null; made: Promise<T> } | null = null;
  const forget = (): void => {
    kept = null;
  };
  const get = (): Promise<T> => {
    const session = sessionToken.get();
    if (kept === null || kept.session !== session) {
      const made = make();
      kept = { session, made };
      made.catch(() => kept?.made === made && forget());
    }
    return kept.made;
  };
  return { get, forget };
}
