import type { sessionAnswer } from '@plimsoll/contract/wire/accounts/auth';
import { setCookie } from 'hono/cookie';
import type { z } from 'zod';
import { SESSION_COOKIE } from '../../http/authenticate.ts';
import type { Http } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import { DEVICE_MS } from '../remembered-device.ts';
import { SESSION_MS, type OpenedSession } from '../session.ts';
import type { Browser } from '../sessions/start-session.ts';

/** Holds the secret of a browser that signed in before: it has a rate of its own and grants nothing. */
export const DEVICE_COOKIE = 'auth_device';
const USER_AGENT_CHARACTERS = 256;

/** Describes the client of a call. */
export const browserOf = (http: Http): Browser => ({
  userAgent: http.req.header('user-agent')?.slice(0, USER_AGENT_CHARACTERS) ?? null,
  address: http.get('clientAddress'),
});

/** Gives the session to the browser both ways: the token for the header, the cookie for reads and event streams. */
export function handOver(
  http: Http,
  { token, expiresAt, device }: OpenedSession & { device?: string },
): z.input<typeof sessionAnswer> {
  const cookie = { httpOnly: true, sameSite: 'Strict', secure: http.get('secure') } as const;
  if (device !== undefined)
    setCookie(http, DEVICE_COOKIE, device, { ...cookie, path: '/api/auth', maxAge: DEVICE_MS / 1000 });
  setCookie(http, SESSION_COOKIE, token, { ...cookie, path: '/', maxAge: SESSION_MS / 1000 });
  return { token, expires_at: iso(expiresAt) };
}
