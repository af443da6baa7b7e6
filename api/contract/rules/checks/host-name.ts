/** Rules of the host names of checks. No zod: the browser imports this file. */

/** Returns a name in the form that DNS has: "müller.example" is "xn--mller-kva.example". Another text stays as it is. */
export function asciiHost(text: string): string {
  const isAscii = /^[ -~]*$/.test(text);
  return isAscii || !/^[\p{L}\p{M}\p{N}._-]+$/u.test(text) ? text : (URL.parse(`http://${text}`)?.hostname ?? text);
}

/** Returns true for a name, or an address of IPv4 or IPv6; false for one with a port. */
export const isHost = (text: string): boolean =>
  text.includes(':') ? URL.parse(`http://[${text}]`) !== null : /^[\w.-]+$/.test(text);
