import { expect, test } from 'vitest';
import { Reporters } from './reporters.ts';

const reporter = (n: number) => ({ serverId: `server-${String(n)}`, serverKey: n, tokenHash: Buffer.alloc(32, n) });

test('remembers by the hash of the token until told to forget', () => {
  const reporters = new Reporters();
  expect(reporters.find(Buffer.alloc(32, 1))).toBeNull();
  reporters.remember(reporter(1));
  expect(reporters.find(Buffer.alloc(32, 1))).toEqual(reporter(1));
  reporters.forget(Buffer.alloc(32, 1));
  expect(reporters.find(Buffer.alloc(32, 1))).toBeNull();
});

test('keeps no owner: that is read anew with every report', () => {
  const reporters = new Reporters();
  reporters.remember(Object.assign(reporter(1), { organisationId: 'ada' }));
  expect(reporters.find(Buffer.alloc(32, 1))).not.toHaveProperty('organisationId');
});

test('holds no more than its bound; the oldest goes', () => {
  const reporters = new Reporters(2);
  for (const n of [1, 2, 3]) reporters.remember(reporter(n));
  expect([1, 2, 3].map((n) => reporters.find(Buffer.alloc(32, n))?.serverKey)).toEqual([undefined, 2, 3]);
});
