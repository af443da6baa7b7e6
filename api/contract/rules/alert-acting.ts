/** Words and limits of acting on alerts. No zod here: the browser imports this file. */

export const ACKNOWLEDGE_LIMITS = { noteCharacters: 500 } as const;

export const SILENCE_LIMITS = {
  /** Silences of an account that are pending or active. */
  perAccount: 2000,
  commentCharacters: 500,
  /** From the start of a silence to its end. */
  longestSeconds: 90 * 86_400,
  /** From now to the start of a silence. */
  furthestStartSeconds: 90 * 86_400,
} as const;

/** pending: it starts later. expired: it has ended. */
export const SILENCE_STATUSES = ['active', 'pending', 'expired'] as const;
export type SilenceStatus = (typeof SILENCE_STATUSES)[number];

/** `alerts`: as many as one page of a list holds, so that one call acts on a whole group. */
export const BULK_LIMITS = { alerts: 1000, undoSeconds: 600 } as const;
export const BULK_ACTIONS = ['acknowledge', 'unacknowledge', 'silence'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/**
 * done: the alert was changed. unchanged: it already was as requested. changed_since: somebody changed it after the
 * operation, so the undo leaves it alone.
 */
export const BULK_OUTCOMES = ['done', 'unchanged', 'resolved', 'not_found', 'changed_since'] as const;
export type BulkOutcome = (typeof BULK_OUTCOMES)[number];

export const BLACK_BOX_LIMITS = {
  bytes: 32_768,
  events: 20,
  processes: 20,
  connections: 20,
  pods: 50,
  nodes: 10,
  terminations: 10,
} as const;

export const ALERT_HISTORY_KINDS = [
  'opened',
  'escalated',
  'acknowledged',
  'unacknowledged',
  'silenced',
  'unsilenced',
  'resolved',
  'message_sent',
  'message_failed',
] as const;
export type AlertHistoryKind = (typeof ALERT_HISTORY_KINDS)[number];

/**
 * waiting: in the outbox, not tried yet. failed: the last attempt failed, the API tries again. The other words are those
 * of DELIVERY_OUTCOMES.
 */
export const ALERT_DELIVERY_STATES = ['waiting', 'failed', 'delivered', 'refused', 'gave_up'] as const;
export type AlertDeliveryState = (typeof ALERT_DELIVERY_STATES)[number];
