import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './define-route.ts';

/** The style hash is that of an empty style element: MUI inserts one and fills it through the CSSOM. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ');

/** Sets headers on every response, errors included. The TLS proxy sets HSTS, because only it can exclude plain http. */
export const securityHeaders = (): MiddlewareHandler<HttpEnv> => async (http, next) => {
  await next();
  const { headers } = http.res;
  // A page that needs less than the dashboard sets a stricter policy of its own.
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('X-Frame-Options', 'DENY');
  headers.set('Referrer-Policy', 'same-origin');
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  headers.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=()');
};
