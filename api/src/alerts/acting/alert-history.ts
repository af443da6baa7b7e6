import type { AlertHistoryKind } from '@plimsoll/contract/rules/alert-acting';
import { ALERT_LEVELS, type AlertLevel } from '@plimsoll/contract/rules/limits';
import type { AlertDelivery } from '../../notify/types.ts';
import { matchesSilence, type Silence } from '../silence-match.ts';
import type { AlertRecord } from '../types.ts';

/** Times are epoch milliseconds. */
export interface AlertEvent {
  at: number;
  kind: 'escalated' | 'eased' | 'acknowledged' | 'unacknowledged';
  by: string | null;
  /** The earlier level, for a change of the level. */
  note: string | null;
  level: AlertLevel | null;
}
/** A silence of the account, deleted ones included. */
export interface PastSilence extends Silence {
  deletedAt: number | null;
  deletedBy: string | null;
}
export interface HistoryEntry {
  at: number;
  kind: AlertHistoryKind;
  by: string | null;
  note: string | null;
  level: AlertLevel | null;
  until: number | null;
  channelName: string | null;
}
interface Sources {
  events: readonly AlertEvent[];
  silences: readonly PastSilence[];
  deliveries: readonly AlertDelivery[];
}

const BLANK = { by: null, note: null, level: null, until: null, channelName: null };

/** When a silence began to hold the alert back and when it stopped; it may have begun before the alert opened. */
function ofSilence(silence: PastSilence, alert: AlertRecord, now: number): HistoryEntry[] {
  const over = Math.min(alert.resolvedAt ?? Infinity, now + 1);
  const end = Math.min(silence.endsAt, silence.deletedAt ?? Infinity);
  const start = Math.max(silence.startsAt, silence.createdAt, alert.openedAt);
  if (start >= end || start >= over || !matchesSilence(silence, alert)) return [];
  const { createdBy: by, comment, endsAt: until } = silence;
  const began: HistoryEntry = { ...BLANK, at: start, kind: 'silenced', by, note: comment || null, until };
  const isOver = end < over;
  return isOver ? [began, { ...BLANK, at: end, kind: 'unsilenced', by: silence.deletedBy }] : [began];
}

/** Each retry is in the delivery log; the history has what arrived and what never will. */
function ofDelivery({ at, outcome, detail, channelName }: AlertDelivery): HistoryEntry[] {
  if (outcome === 'delivered') return [{ ...BLANK, at, kind: 'message_sent', channelName }];
  return outcome === 'failed' ? [] : [{ ...BLANK, at, kind: 'message_failed', channelName, note: detail }];
}

/** A fall of the level is no news to anybody. */
function ofEvent({ at, kind, by, note, level }: AlertEvent): HistoryEntry[] {
  if (kind === 'eased') return [];
  return [{ ...BLANK, at, kind, by, level, note: kind === 'escalated' ? null : note }];
}

/** The alert carries the newest level; the first change names the one before. */
function openedLevel({ level }: AlertRecord, events: readonly AlertEvent[]): AlertLevel {
  const first = events.find(({ kind }) => kind === 'escalated' || kind === 'eased');
  return ALERT_LEVELS.find((each) => each === first?.note) ?? level;
}

/** Returns what happened to an alert, oldest first. */
export function alertHistory(alert: AlertRecord, sources: Sources, now: number): HistoryEntry[] {
  const { events, silences, deliveries } = sources;
  const opened: HistoryEntry = { ...BLANK, at: alert.openedAt, kind: 'opened', level: openedLevel(alert, events) };
  const resolved: HistoryEntry[] =
    alert.resolvedAt === null ? [] : [{ ...BLANK, at: alert.resolvedAt, kind: 'resolved' }];
  return [
    opened,
    ...events.flatMap(ofEvent),
    ...silences.flatMap((silence) => ofSilence(silence, alert, now)),
    ...resolved,
    ...deliveries.flatMap(ofDelivery),
  ].toSorted((a, b) => a.at - b.at);
}
