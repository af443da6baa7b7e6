export const STATUS_PAGE_LIMITS = {
  perAccount: 50,
  servers: 500,
  checks: 100,
  titleCharacters: 120,
  messageCharacters: 1000,
  labelCharacters: 80,
  groupCharacters: 80,
  incidents: 500,
  updates: 100,
  textCharacters: 2000,
  /** 500 servers and 100 checks with names and groups of letters of four bytes. */
  bodyBytes: 512 * 1024,
} as const;

/** 16 random bytes in base64url. */
export const STATUS_PAGE_SLUG = /^[A-Za-z0-9_-]{22}$/;

/** Days that a page shows, today included. */
export const STATUS_PAGE_DAYS = 90;

/**
 * States of a part, from bad to good. `partly_offline`: some of its servers are offline, or one has a critical alert.
 * `not_reporting`: its servers are enrolled and silent so far, or uninstalled; a check is paused, or too few places vote.
 */
export const PUBLIC_PART_STATES = [
  'offline',
  'partly_offline',
  'over_line',
  'maintenance',
  'operational',
  'not_reporting',
] as const;
export type PublicPartState = (typeof PUBLIC_PART_STATES)[number];
/** `unknown`: no part of the page reports. */
export const PUBLIC_PAGE_STATES = ['outage', 'degraded', 'maintenance', 'operational', 'unknown'] as const;
export type PublicPageState = (typeof PUBLIC_PAGE_STATES)[number];

/** `short`: down for less than SHORT_OUTAGE_SECONDS. `unknown`: for most of the day nothing is known. */
export const PUBLIC_DAY_STATES = ['down', 'short', 'unknown'] as const;
export type PublicDayState = (typeof PUBLIC_DAY_STATES)[number];
export const SHORT_OUTAGE_SECONDS = 600;

/** In the order in which an incident usually has them. */
export const INCIDENT_STATES = ['investigating', 'identified', 'fixing', 'monitoring', 'resolved'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];
/** Effect on the affected parts, from bad to good. While the incident is open, no affected part is shown as better. */
export const INCIDENT_IMPACTS = ['offline', 'partly_offline', 'over_line', 'none'] as const;
export type IncidentImpact = (typeof INCIDENT_IMPACTS)[number];

/** Words for customers. */
export const INCIDENT_STATE_WORDS: Record<IncidentState, string> = {
  investigating: 'Looking into it',
  identified: 'Cause found',
  fixing: 'Fixing',
  monitoring: 'Watching',
  resolved: 'Resolved',
};
export const PART_STATE_WORDS: Record<PublicPartState, string> = {
  offline: 'Down',
  partly_offline: 'Partly down',
  over_line: 'May be slow',
  maintenance: 'Maintenance',
  operational: 'Normal',
  not_reporting: 'Not known',
};
export const IMPACT_WORDS: Record<IncidentImpact, string> = {
  offline: 'Down',
  partly_offline: 'Partly down',
  over_line: 'May be slow',
  none: 'No effect',
};
