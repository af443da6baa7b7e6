import type { ChannelType, DeliveryOutcome } from '@plimsoll/contract/rules/notify';

/** An attempt to send in words; `isOver`: it did not reach its provider. */
export const OUTCOME: Record<DeliveryOutcome, { name: string; words: string; isOver: boolean }> = {
  delivered: { name: 'Delivered', words: 'delivered', isOver: false },
  failed: { name: 'Failed, tried again', words: 'failed', isOver: true },
  refused: { name: 'Refused', words: 'refused', isOver: true },
  gave_up: { name: 'Gave up after 24 h', words: 'given up', isOver: true },
};

/** Names of the kinds of channels. */
export const CHANNEL_NAME: Record<ChannelType, string> = {
  telegram: 'Telegram',
  webhook: 'Webhook',
  email: 'E-mail',
  slack: 'Slack',
  discord: 'Discord',
  ntfy: 'ntfy',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
};
