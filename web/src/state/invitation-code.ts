/** The code of the invitation that is being answered. It survives the sign-in, in this tab only. */
const KEY = 'plimsoll.invitation';

export const invitationCode = {
  remember(code: string): void {
    try {
      sessionStorage.setItem(KEY, code);
    } catch {
      // Storage may be blocked: the link can be opened again.
    }
  },
  get(): string | null {
    try {
      return sessionStorage.getItem(KEY);
    } catch {
      return null;
    }
  },
  forget(): void {
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // As above.
    }
  },
};
