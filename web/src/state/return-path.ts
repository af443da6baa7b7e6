/** Page to open after sign-in. It survives the redirect to a provider, in this tab only. */
const KEY = 'plimsoll.return-to';

/** A path of this interface; null for anything that could lead elsewhere or back to the sign-in. */
export function safeReturnPath(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value)) return null;
  return /^\/(?:login|auth|landing)(?:[/?#]|$)/.test(value) ? null : value;
}

export const returnPath = {
  remember(path: unknown): void {
    const safe = safeReturnPath(path);
    try {
      if (safe === null) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, safe);
    } catch {
      // Storage may be blocked: the dashboard is the fall-back.
    }
  },
  /** Reads and forgets. */
  take(): string | null {
    try {
      const path = safeReturnPath(sessionStorage.getItem(KEY));
      sessionStorage.removeItem(KEY);
      return path;
    } catch {
      return null;
    }
  },
};
