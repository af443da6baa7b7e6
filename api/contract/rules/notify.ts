/** Words and limits of notifications. No zod here: the browser imports this file. */

export const CHANNEL_TYPES = [
  'telegram',
  'webhook',
  'email',
  'slack',
  'discord',
  'ntfy',
  'teams',
  'pagerduty',
] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/**
 * delivered: the provider took the message. failed: it did not answer, or said try later; the API tries again. refused:
 * it never takes this message. gave_up: it failed for 24 hours.
 */
export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'refused', 'gave_up'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export const NOTIFY_LIMITS = {
  channels: 50,
  tags: 20,
  recipients: 20,
  urlCharacters: 2048,
  secretCharacters: 1024,
  /** A chain of four certificates with large keys. */
  certificateCharacters: 16_384,
  repeatMinutes: { min: 5, max: 10_080 },
} as const;

/** Critical and error alerts are sent again after this time, unless the channel says otherwise. */
export const DEFAULT_REPEAT_MINUTES = 240;
