import type { AlertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import { LEVEL_NAME } from '../../../components/chips.tsx';
import { dayAndTime } from '../../../time/zone.ts';

export type HistoryEntry = AlertDetailAnswer['history'][number];
export type AlertDelivery = AlertDetailAnswer['deliveries'][number];

const KIND: Record<HistoryEntry['kind'], string> = {
  opened: 'Fired',
  escalated: 'Rose',
  acknowledged: 'Acknowledged',
  unacknowledged: 'Acknowledgement taken back',
  silenced: 'Silenced',
  unsilenced: 'Silence ended',
  resolved: 'Resolved',
  message_sent: 'Message sent',
  message_failed: 'Message failed',
};

/** "Silenced until 24 Nov 08:00 by mira: deploy". */
export function historyWords({ kind, by, note, level, until, channel_name: channel }: HistoryEntry): string {
  const words = [KIND[kind]];
  if (level !== null) words.push(kind === 'escalated' ? `to ${LEVEL_NAME[level]}` : `as ${LEVEL_NAME[level]}`);
  if (channel !== null) words.push(`through ${channel}`);
  if (until !== null) words.push(`until ${dayAndTime(Date.parse(until))}`);
  if (by !== null) words.push(`by ${by}`);
  return `${words.join(' ')}${note === null || note === '' ? '' : `: ${note}`}`;
}

export const DELIVERY_STATE: Record<AlertDelivery['state'], { mark: '✓' | '✗' | '…'; words: string }> = {
  delivered: { mark: '✓', words: 'delivered' },
  waiting: { mark: '…', words: 'waiting until' },
  failed: { mark: '✗', words: 'failed, tried again' },
  refused: { mark: '✗', words: 'refused' },
  gave_up: { mark: '✗', words: 'given up' },
};
