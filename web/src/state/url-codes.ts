/**
 * Single-use codes a link brings along. The page takes them out of the address before it does anything else, so that
 * neither the history nor a copied address holds one.
 */

const fragment = (hash: string) => new URLSearchParams(hash.replace(/^#/, ''));
const filled = (text: string | null) => (text === null || text.trim() === '' ? null : text.trim());

/** The code of the first-run link, `/login#setup=CODE`. */
export const setupCode = (hash: string): string | null => filled(fragment(hash).get('setup'));

/** What the callback brings: `#access_token=`, else `?token=`. */
export const callbackToken = (hash: string, search: string): string | null =>
  filled(fragment(hash).get('access_token')) ?? filled(new URLSearchParams(search).get('token'));

/** The reason a sign-in was sent back without a token, `#error=` or `?error=`: a code, never a sentence of a stranger. */
export const callbackError = (hash: string, search: string): string | null => {
  const code = filled(fragment(hash).get('error')) ?? filled(new URLSearchParams(search).get('error'));
  return code !== null && /^[a-z_]{1,60}$/.test(code) ? code : null;
};

/** Drops query and fragment from the address bar and from this entry of the history. */
export function scrubAddress(): void {
  window.history.replaceState(window.history.state, '', window.location.pathname);
}
