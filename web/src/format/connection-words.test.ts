import type { NetworkConnection } from '@plimsoll/contract/wire/network';
import { describe, expect, it } from 'vitest';
import { CLOSE_WAIT_BANDS, connectionKey, countBand, importanceName, TIME_WAIT_BANDS } from './connection-words.ts';

describe('connection counts', () => {
  it.each([
    [1000, 'ok'],
    [1001, 'near'],
    [2000, 'near'],
    [2001, 'over'],
    [null, 'ok'],
  ])('%s in time-wait is %s', (count, band) => expect(countBand(count, TIME_WAIT_BANDS)).toBe(band));

  it.each([
    [50, 'ok'],
    [51, 'near'],
    [100, 'near'],
    [101, 'over'],
  ])('%s in close-wait is %s', (count, band) => expect(countBand(count, CLOSE_WAIT_BANDS)).toBe(band));
});

it.each([
  [100, 'High'],
  [80, 'High'],
  [79, 'Medium'],
  [50, 'Medium'],
  [49, 'Low'],
])('an importance of %d is %s', (score, name) => expect(importanceName(score)).toBe(name));

// Two hosts behind one masked address may differ in the state of their connection alone.
it.each([
  ['state', { state: 'TIME_WAIT' }],
  ['remote address', { remote_ip: '198.51.100.0/24' }],
  ['remote port', { remote_port: 50_001 }],
  ['local port', { local_port: 80 }],
  ['process', { pid: -1 }],
] as const)('connections that differ in their %s have a key each', (_, other) => {
  const one = { remote_ip: '203.0.113.0/24', remote_port: 50_000, local_port: 443, protocol: 'tcp', pid: 7 };
  const connection = { ...one, state: 'ESTABLISHED', importance_score: 80 } as NetworkConnection;
  expect(connectionKey({ ...connection })).toBe(connectionKey(connection));
  expect(connectionKey({ ...connection, ...other })).not.toBe(connectionKey(connection));
});
