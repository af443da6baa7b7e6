import { ALERT_DELIVERY_STATES, ALERT_HISTORY_KINDS } from '@plimsoll/contract/rules/alert-acting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenZone } from '../../../time/zone.ts';
import { DELIVERY_STATE, historyWords, type HistoryEntry } from './history-words.ts';

const words = (given: Partial<HistoryEntry> & Pick<HistoryEntry, 'kind'>): string =>
  historyWords({
    at: '2026-11-22T20:50:12.000Z',
    by: null,
    note: null,
    level: null,
    until: null,
    channel_name: null,
    ...given,
  });

beforeAll(() => chosenZone.set('Europe/Berlin'));
afterAll(() => chosenZone.set(null));

describe('an entry of the history of an alert', () => {
  it('opens as a level and rises to one', () => {
    expect(words({ kind: 'opened', level: 'warning' })).toBe('Fired as Warning');
    expect(words({ kind: 'escalated', level: 'critical' })).toBe('Rose to Critical');
  });

  it('names the end of a silence in the zone of the reader, who made it, and why', () => {
    const silenced = { kind: 'silenced', until: '2026-11-24T07:00:00.000Z', by: 'mira' } as const;
    expect(words({ ...silenced, note: 'deploy' })).toBe('Silenced until 24 Nov 08:00 by mira: deploy');
    expect(words({ ...silenced, note: '' })).toBe('Silenced until 24 Nov 08:00 by mira');
    expect(words({ ...silenced, by: null })).toBe('Silenced until 24 Nov 08:00');
  });

  it('names the channel of a message and why it failed', () => {
    expect(words({ kind: 'message_failed', channel_name: 'Ops', note: 'chat not found' })).toBe(
      'Message failed through Ops: chat not found',
    );
  });

  it('has words for every kind that the API sends', () => {
    expect(ALERT_HISTORY_KINDS.filter((kind) => !/^[A-Z]/.test(words({ kind })))).toEqual([]);
  });

  it('marks a delivery as done only if it is', () => {
    const done = ALERT_DELIVERY_STATES.filter((state) => DELIVERY_STATE[state].mark === '✓');
    expect(done).toEqual(['delivered']);
    expect(ALERT_DELIVERY_STATES.filter((state) => DELIVERY_STATE[state].mark === '…')).toEqual(['waiting']);
  });
});
