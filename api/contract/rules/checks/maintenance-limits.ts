/** Bounds of recurring maintenance. No zod here: the browser imports this file. */
export const MAINTENANCE_LIMITS = {
  perAccount: 100,
  nameCharacters: 120,
  /** Servers, checks and clusters of one maintenance, each. */
  subjects: 500,
  durationSeconds: { min: 300, max: 7 * 86_400 },
  /** Periods are planned this far ahead. */
  aheadDays: 31,
  /** Periods of one maintenance that are planned at a time. */
  ahead: 40,
} as const;

/** ended: its last period is over. */
export const MAINTENANCE_STATUSES = ['running', 'planned', 'ended'] as const;
