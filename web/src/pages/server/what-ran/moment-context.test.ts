import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { beforeAll, describe, expect, it } from 'vitest';
import { snapshotText } from '../../../format/process-list-words.ts';
import { distanceWords, happenings, momentTitle, noSnapshot } from './moment-context.ts';
import { chosenZone } from '../../../time/zone.ts';

const AT = Date.UTC(2026, 10, 19, 14, 5) / 1000;

beforeAll(() => chosenZone.set('UTC'));

describe('words of a moment', () => {
  it('name it by its time today, else with its day, in the chosen zone', () => {
    expect(momentTitle(AT, AT * 1000 + 60_000)).toBe('Processes at 14:05');
    expect(momentTitle(AT, AT * 1000 + 86_400_000)).toBe('Processes at 19 Nov 14:05');
    chosenZone.set('Asia/Tokyo');
    expect(momentTitle(AT, AT * 1000)).toBe('Processes at 23:05');
    chosenZone.set('UTC');
  });

  it('say which snapshot is shown and how old it was', () => {
    expect(snapshotText(AT - 300, AT)).toBe('snapshot of 14:00, 5 min before');
    expect(snapshotText(AT - 12, AT)).toBe('snapshot of 14:04, 12 s before');
    expect(snapshotText(AT - 0.2, AT)).toBe('snapshot of 14:04, at this moment');
  });
});

describe('why nothing is known', () => {
  const createdAt = new Date((AT - 86_400) * 1000).toISOString();
  const nowMs = (AT + 3600) * 1000;
  const answer = { kept_since: AT + 3600 - 14 * 86_400 };
  const gap = { server_id: 'a', from: AT - 600, to: AT + 60, reason: 'host_off' as const, detail: '' };

  it('is told: no longer kept, silent, not yet added, or not sent', () => {
    expect(noSnapshot({ at: answer.kept_since - 1, answer, gaps: [], createdAt, nowMs })).toEqual({
      sentence: 'Older than the retention time',
      reason: 'Lists of processes are kept for 14 days.',
    });
    const kept = { kept_since: 0 };
    expect(noSnapshot({ at: nowMs / 1000 + 3600, answer: kept, gaps: [], createdAt, nowMs }).sentence).toBe(
      'This moment has not come yet',
    );
    expect(noSnapshot({ at: AT, answer: kept, gaps: [gap], createdAt, nowMs })).toEqual({
      sentence: 'No snapshot: the server was silent',
      reason: 'No reports 13:55–14:06 (host off).',
    });
    expect(noSnapshot({ at: AT - 90_000, answer: kept, gaps: [gap], createdAt, nowMs }).sentence).toBe(
      'Before this server was added',
    );
    expect(noSnapshot({ at: AT + 61, answer: kept, gaps: [gap], createdAt, nowMs }).reason).toBe(
      'The agent sent no process list in the 30 minutes before.',
    );
  });
});

describe('what happened around a moment', () => {
  const event = (id: string, timestamp: number) => ({ id, timestamp }) as ActivityEvent;
  const alert = (alert_id: string, timestamp: number, ended: number | null) =>
    ({
      alert_id,
      timestamp,
      resolved_at: ended === null ? null : new Date(ended * 1000).toISOString(),
    }) as Alert;

  it('stands in order of time, with the alerts that were firing then, each once', () => {
    const alerts = [
      alert('fired long before', AT - 9000, null),
      alert('fired long before', AT - 9000, null),
      alert('over before', AT - 9000, AT - 901),
      alert('ended just before', AT - 9000, AT - 900),
      alert('just after', AT + 60, AT + 120),
      alert('later', AT + 901, null),
    ];
    const events = [event('late', AT + 901), event('after', AT + 900), event('before', AT - 900), event('then', AT)];
    expect(happenings(events, alerts, AT).map(({ id }) => id)).toEqual([
      'fired long before',
      'ended just before',
      'before',
      'then',
      'just after',
      'after',
    ]);
  });

  it('says how far from it', () => {
    expect(distanceWords(AT - 120, AT)).toBe('2 min before');
    expect(distanceWords(AT + 240, AT)).toBe('4 min after');
    expect(distanceWords(AT + 0.2, AT)).toBe('then');
    expect(distanceWords(AT - 3300, AT)).toBe('since 13:10');
  });
});
