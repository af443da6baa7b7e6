import { expect, test } from 'vitest';
import { organisationIdOf } from '../../tenancy/ids.ts';
import type { Check } from '../types.ts';
import { newFold, type PlaceVote } from './fold.ts';
import { checkRules, wantedAlerts } from './wanted-alerts.ts';

const NOW = Date.UTC(2026, 0, 31);
const MINUTE = 60_000;
const check: Check = {
  id: 'c',
  key: 1,
  organisationId: organisationIdOf('00000000-0000-4000-8000-000000000001'),
  name: 'shop',
  kind: 'tcp',
  isEnabled: true,
  serverId: null,
  probe: { kind: 'tcp', timeout_ms: 1000, ip_version: 'any', host: 'shop.example', port: 22, expect: null },
  sealedSecrets: null,
  headerNames: [],
  hasBody: false,
  places: { api: true, serverIds: [], tag: null },
  sharesSecrets: false,
  needed: null,
  retries: 1,
  intervalSeconds: 60,
  heartbeat: null,
  rev: 1,
  createdAt: 0,
  updatedAt: 0,
  createdBy: null,
};
const failed = (ago: number, more: Partial<PlaceVote> = {}): PlaceVote => ({
  at: NOW - ago * MINUTE,
  ok: false,
  fails: 3,
  failingSince: NOW - (ago + 2) * MINUTE,
  reason: 'timeout',
  status: null,
  phase: 'connect',
  ...more,
});
const wantedOf = (places: Record<string, PlaceVote>, endsInDays: number | null = null) => {
  const certificate = endsInDays === null ? null : { ends_at: NOW / 1000 + endsInDays * 86_400 };
  const state = { fold: { ...newFold(0), status: 'down', places }, certificate, slowSince: null };
  const facts = { check, state, p95Ms: null, openLines: new Map() } as unknown as Parameters<typeof wantedAlerts>[0];
  return wantedAlerts(facts, checkRules([]), NOW).wanted;
};
const messages = (...of: Parameters<typeof wantedOf>): string[] => wantedOf(...of).map(({ message }) => message);

test.each([
  ['all fail', { 0: failed(1), 7: failed(0) }, 'shop: no answer in time, in the phase connect (2 of 2 places)'],
  [
    'one failed long ago and is silent, and one has retries left',
    { 0: failed(0), 7: failed(60, { reason: 'reset' }), 8: failed(0, { fails: 1 }) },
    'shop: no answer in time, in the phase connect (1 of 3 places)',
  ],
  ['there is one place', { 0: failed(0, { reason: 'reset' }) }, 'shop: the connection is closed without an answer'],
])('an alert counts the places that vote now: %s', (_name, places, message) => {
  expect(messages(places)).toEqual([message]);
});

test.each([
  [15.9, 'ends in 15 days', 15],
  [1.5, 'ends in 1 day', 1],
  [0.4, 'ends in less than a day', 0],
  [-0.4, 'has ended', 0],
])('the alert of a certificate that ends in %f days says that it %s, beside %i', (days, words, value) => {
  const wanted = wantedOf({ 0: failed(0) }, days).filter(({ metric }) => metric === 'certificate_days');
  expect(wanted).toMatchObject([{ message: `shop: the certificate ${words}`, value: expect.closeTo(value) as number }]);
});
