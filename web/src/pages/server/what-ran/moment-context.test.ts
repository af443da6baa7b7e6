import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { beforeAll, describe, expect, it } from 'vitest';
import { snapshotText } from '../../../format/process-list-words.ts';
import { distanceWords, happenings, isFuture, momentTitle, noSnapshot } from './moment-context.ts';
import { chosenZone } from '../../../time/zone.ts';

const AT = Date.UTC(2026, 10, 19, 14, 5) / 1000;

beforeAll(() => chosenZone.set('UTC'));

describe('words of a moment', () => {
  it('name it by its time today, else with its day, in the chosen zone', () => {
    expect(momentTitle(AT, AT * 1000 + 60_000)).toBe('Processes at 14:05');
    expect(momentTitle(AT, AT * 1000 + 86_400_000)).toBe('Processes at 19 Nov 14:05');
    expect(momentTitle(AT, (AT + 365 * 86_400) * 1000)).toBe('Processes at 19 Nov 14:05');
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

describe('the edges of what is known', () => {
  const nowMs = (AT + 3600) * 1000;
  const day = 86_400;
  const of = (at: number, given: Partial<Parameters<typeof noSnapshot>[0]> = {}) =>
    noSnapshot({ at, answer: { kept_since: 0 }, gaps: [], createdAt: '2020-01-01T00:00:00Z', nowMs, ...given });

  it('lets the clock of a browser be a minute ahead', () => {
    expect([0, 60, 61].map((seconds) => isFuture(nowMs / 1000 + seconds, nowMs))).toEqual([false, false, true]);
  });

  it('keeps the first second of what is kept', () => {
    const answer = { kept_since: AT };
    expect(of(AT, { answer }).sentence).toBe('No snapshot near this moment');
    expect(of(AT - 1, { answer }).sentence).toBe('Older than the retention time');
  });

  it.each([
    [1, '1 day'],
    [2, '2 days'],
    [14, '14 days'],
  ])('counts %d days of retention', (days, words) => {
    const answer = { kept_since: nowMs / 1000 - days * day };
    expect(of(0, { answer }).reason).toBe(`Lists of processes are kept for ${words}.`);
  });

  it('counts both ends of a silence to it', () => {
    const gaps = [{ server_id: 'a', from: AT - 600, to: AT, reason: 'host_off' as const, detail: '' }];
    const silent = 'No snapshot: the server was silent';
    expect([AT - 600, AT].map((at) => of(at, { gaps }).sentence)).toEqual([silent, silent]);
    expect([AT - 601, AT + 1].filter((at) => of(at, { gaps }).sentence === silent)).toEqual([]);
  });

  it('has an age of the server only if that is a time', () => {
    expect(of(AT, { createdAt: '' }).sentence).toBe('No snapshot near this moment');
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
    expect(distanceWords(AT - 0.6, AT)).toBe('1 s before');
  });

  it('names the day of what began on an earlier one: it goes on since then, not since today', () => {
    expect(distanceWords(AT - 2 * 86_400, AT)).toBe('since 17 Nov 14:05');
    const night = AT - 14 * 3600;
    expect(distanceWords(night - 3600, night)).toBe('since 18 Nov 23:05');
  });

  it('says since when only of what lies outside the time around the moment', () => {
    expect(distanceWords(AT - 900, AT)).toBe('15 min before');
    expect(distanceWords(AT - 901, AT)).toBe('since 13:49');
  });
});
