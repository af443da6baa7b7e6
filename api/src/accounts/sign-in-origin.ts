import { CodedError } from '../errors.ts';

const LOOPBACK = /^(?:(?:[a-z0-9-]{1,63}\.){0,4}localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the origin to which a provider sends the browser back, null if it is unknown. `asked` is what the browser called:
 * its host is a header, which a proxy or a page of a stranger may choose, so without the setting only loopback counts.
 */
export function signInOrigin(publicUrl: string | null, asked: { url: string; secure: boolean }): string | null {
  if (publicUrl !== null) return publicUrl;
  const url = URL.parse(asked.url);
  if (url === null || !LOOPBACK.test(url.hostname)) return null;
  return `${asked.secure ? 'https' : 'http'}://${url.host}`;
}

/** The reason at the button of a provider that is configured. */
export const NEEDS_PUBLIC_URL = 'Not available at this address: set PLIMSOLL_PUBLIC_URL';

export const originUnknown = (): CodedError =>
  new CodedError('sign_in_not_configured', 'The address of this dashboard is not set', {
    remedy: 'Set PLIMSOLL_PUBLIC_URL to the address at which browsers reach it, and restart.',
  });
