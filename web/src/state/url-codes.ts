/**
 * Reads single-use codes from the URL. The page removes them from the address before it does anything else, so that
 * neither the history nor a copied address contains one.
 */

const fragment = (hash: string) => new URLSearchParams(hash.replace(/^#/, ''));
const filled = (text: string | null) => (text === null || text.trim() === '' ? null : text.trim());

/** Returns the code of the first-run link, `/login#setup=CODE`. */
export const setupCode = (hash: string): string | null => filled(fragment(hash).get('setup'));

/** Returns the code of an invitation, `/join#code=CODE`. */
export const invitedCode = (hash: string): string | null => filled(fragment(hash).get('code'));

/** Returns the first-run code of a pasted text: the printed line, its link or the bare code; null for anything else. */
export function pastedSetupCode(text: string): string | null {
  const [, inLink] = /#setup=([\w-]+)\s*$/.exec(text) ?? [];
  if (inLink !== undefined) return inLink;
  const bare = text.trim();
  return /^[\w-]{20,}$/.test(bare) ? bare : null;
}

/** Returns the token of the sign-in callback: `#access_token=`, else `?token=`. */
export const callbackToken = (hash: string, search: string): string | null =>
  filled(fragment(hash).get('access_token')) ?? filled(new URLSearchParams(search).get('token'));

/** Returns true if the sign-in has used up the invitation of this tab. */
export const callbackJoined = (hash: string): boolean => fragment(hash).get('joined') === '1';

/** Returns why a sign-in failed, `#error=` or `?error=`: a code, never a sentence that a stranger wrote. */
export const callbackError = (hash: string, search: string): string | null => {
  const code = filled(fragment(hash).get('error')) ?? filled(new URLSearchParams(search).get('error'));
  return code !== null && /^[a-z_]{1,60}$/.test(code) ? code : null;
};

/** Removes query and fragment from the address bar and from this history entry. */
export function scrubAddress(): void {
  window.history.replaceState(window.history.state, '', window.location.pathname);
}
