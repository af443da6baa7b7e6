import { describe, expect, it } from 'vitest';
import type { ChangeTopic } from '@plimsoll/contract/wire/events';
import { isTouched, joinChanges, parseChange } from './change-topics.ts';

const A = '11111111-1111-4111-8111-111111111111';
const B = '22222222-2222-4222-8222-222222222222';

describe('parseChange', () => {
  it('reads an event and drops what it does not know', () => {
    expect(parseChange(`{"topics":["metrics","future"],"server_ids":["${A}"]}`)).toEqual({
      topics: ['metrics'],
      server_ids: [A],
    });
  });

  it.each(['', 'null', '[]', '{"topics":[]}', '{"topics":["toString"]}', '{"topics":5}'])('ignores %s', (text) =>
    expect(parseChange(text)).toBeNull(),
  );
});

describe('isTouched', () => {
  it('touches queries of the topic', () => {
    const change = { topics: ['metrics' as const], server_ids: null };
    expect(isTouched(['metrics', 'latest', null], change)).toBe(true);
    expect(isTouched(['alerts', {}], change)).toBe(false);
  });

  it('leaves alone a query about another server', () => {
    const change = { topics: ['metrics' as const], server_ids: [A] };
    expect(isTouched(['metrics', 'timeseries', A], change)).toBe(true);
    expect(isTouched(['metrics', 'timeseries', B], change)).toBe(false);
    expect(isTouched(['servers', 'list', { server_id: B }], change)).toBe(false);
    expect(isTouched(['servers', 'list', { limit: 100 }], change)).toBe(true);
  });
});

it('joins changes; one of no server in particular wins', () => {
  const first = { topics: ['metrics' as const], server_ids: [A] };
  expect(joinChanges(null, first)).toBe(first);
  expect(joinChanges(first, { topics: ['alerts'], server_ids: [B] })).toEqual({
    topics: ['metrics', 'alerts'],
    server_ids: [A, B],
  });
  expect(joinChanges(first, { topics: ['metrics'], server_ids: null }).server_ids).toBeNull();
});

describe('what a report makes stale', () => {
  const keys = [
    'servers',
    'metrics',
    'network',
    'processes',
    'containers',
    'alerts',
    'activity',
    'ledger',
    'kubernetes',
  ];
  const touched = (topic: ChangeTopic) =>
    keys.filter((key) => isTouched([key, 'x'], { topics: [topic], server_ids: null }));

  it('is all that the report carries, and nothing that it does not', () => {
    expect(touched('metrics')).toEqual(['servers', 'metrics', 'network', 'processes', 'containers']);
    expect(touched('servers')).toEqual(['servers', 'containers']);
    expect(touched('alerts')).toEqual(['alerts']);
    expect(touched('activity')).toEqual(['activity', 'ledger']);
    expect(touched('kubernetes')).toEqual(['ledger', 'kubernetes']);
  });

  it('is not what was true at a moment, nor a whole day of small charts', () => {
    const metrics = { topics: ['metrics' as const], server_ids: null };
    for (const key of ['process-snapshot', 'process-history', 'sparks', 'checks', 'capacity'])
      expect([key, isTouched([key], metrics)]).toEqual([key, false]);
  });

  it('of one server finds it in the filter of a query, too', () => {
    const change = { topics: ['activity' as const], server_ids: [A] };
    expect(isTouched(['activity', { server_id: A }], change)).toBe(true);
    expect(isTouched(['activity', { server_id: B }], change)).toBe(false);
    expect(isTouched(['activity', {}], change)).toBe(true);
  });
});
