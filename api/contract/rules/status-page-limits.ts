export const STATUS_PAGE_LIMITS = {
  perAccount: 50,
  servers: 200,
  titleCharacters: 120,
  messageCharacters: 1000,
  labelCharacters: 80,
} as const;

/** 16 random bytes in base64url. */
export const STATUS_PAGE_SLUG = /^[A-Za-z0-9_-]{22}$/;

/** From bad to good. `not_reporting`: enrolled and silent so far, or uninstalled. */
export const PUBLIC_SERVER_STATES = ['offline', 'over_line', 'operational', 'not_reporting'] as const;
export type PublicServerState = (typeof PUBLIC_SERVER_STATES)[number];
/** `unknown`: no server of the page reports. */
export const PUBLIC_PAGE_STATES = ['outage', 'degraded', 'operational', 'unknown'] as const;
export type PublicPageState = (typeof PUBLIC_PAGE_STATES)[number];
