import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { judgeItem as judge } from './judge-item.ts';
import { Redactor } from './redactor.ts';

const receivedAt = 1_790_000_000_000;
const arrival = { receivedAt, bootId: 'b', upNow: 1000, skewSeconds: null };
const CPU = {
  percent: 7,
  io_wait_percent: 0,
  steal_percent: 0,
  user_percent: 7,
  system_percent: 0,
  per_core_percent: [],
};
const item = { seq: 7, ts: receivedAt / 1000 - 60, up: 940, kind: 'host', window_seconds: 60 };

const judgeItem = (raw: unknown, index: number, at: typeof arrival) => judge(raw, index, at, new Redactor(Infinity));

test('a good item is accepted with the time the server gives it', () => {
  expect(judgeItem(item, 0, arrival)).toMatchObject({
    accepted: { seq: 7, sampleAt: receivedAt - 60_000, bootId: 'b', report: { seq: 7 } },
  });
});

test('unknown fields are dropped, so that a newer collector can speak to us', () => {
  expect(judgeItem({ ...item, gpu: [1] }, 0, arrival)).not.toHaveProperty('accepted.report.gpu');
});

test.each([
  ['no object', 'x', null, 'invalid_item', 'item'],
  ['null', null, null, 'invalid_item', 'item'],
  ['no seq', { ...item, seq: undefined }, null, 'invalid_item', 'seq'],
  ['seq 0', { ...item, seq: 0 }, null, 'invalid_item', 'seq'],
  ['seq out of range', { ...item, seq: 2 ** 60 }, null, 'invalid_item', 'seq'],
  ['a newer kind', { ...item, kind: 'gpu' }, 7, 'kind_unknown', 'kind'],
  ['1e400', { ...item, up: Infinity }, 7, 'invalid_item', 'up'],
  ['year 300000', { ...item, boot_id: 'old', ts: 9.4e12 }, 7, 'time_out_of_range', 'ts'],
])('%s is rejected by name', (_name, raw, seq, code, field) => {
  const verdict = judgeItem(raw, 3, arrival);
  expect(verdict).toMatchObject({ rejected: { seq, index: 3, code } });
  expect(verdict).toHaveProperty('rejected.detail', expect.stringMatching(new RegExp(`^${field}: `)));
});

test('a resent item has the same fingerprint though its lists were thinned, another sample has not', () => {
  const hashOf = (raw: unknown): string => {
    const verdict = judgeItem(raw, 0, arrival);
    return 'accepted' in verdict ? verdict.accepted.contentHash.toString('hex') : 'rejected';
  };
  expect(hashOf({ ...item, processes: [], boot_id: 'b' })).toBe(hashOf(item));
  expect(hashOf({ ...item, ts: item.ts + 0.5 })).not.toBe(hashOf(item));
  expect(hashOf({ ...item, up: item.up + 1 })).not.toBe(hashOf(item));
});

test('no JSON value makes it throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(judgeItem(value, 0, arrival)).toHaveProperty('rejected');
    }),
  );
});

test('a figure that cannot be is unknown, and the rest of the report stays', () => {
  const verdict = judgeItem({ ...item, cpu: { ...CPU, percent: 101 } }, 0, arrival);
  expect(verdict).toHaveProperty('accepted.report.cpu', { ...CPU, percent: null });
});
