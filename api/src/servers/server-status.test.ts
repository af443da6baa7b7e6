import { expect, test } from 'vitest';
import { serverStatus } from './server-status.ts';

const now = 10_000_000;
test.each([
  ['never reported', null, null, 'installing'],
  ['reported just now', now, null, 'active'],
  ['reported three intervals ago', now - 180_000, null, 'active'],
  ['reported longer ago', now - 180_001, null, 'offline'],
  ['removed', now - 5000, now - 1000, 'uninstalled'],
  ['removed with its last report', now - 1000, now - 1000, 'uninstalled'],
  ['removed before it ever reported', null, now - 1000, 'uninstalled'],
  ['installed again and reporting', now - 1000, now - 5000, 'active'],
  ['installed again and silent since', now - 500_000, now - 900_000, 'offline'],
])('%s', (_name, lastSeenAt, uninstalledAt, status) => {
  expect(serverStatus({ lastSeenAt, uninstalledAt, refusal: null, reportIntervalSeconds: 60 }, now)).toBe(status);
});

test.each([
  ['reported before', now - 1000, now - 1000, null, 'refused'],
  ['never stored a report', null, now - 1000, null, 'refused'],
  ['silent since the refusal', now - 500_000, now - 180_001, null, 'offline'],
  ['removed after the refusal', now - 5000, now - 4000, now - 1000, 'uninstalled'],
  ['removed before the refusal', now - 5000, now - 1000, now - 4000, 'refused'],
])('refused: %s', (_name, lastSeenAt, refusedAt, uninstalledAt, status) => {
  const server = { lastSeenAt, uninstalledAt, refusal: { lastAt: refusedAt }, reportIntervalSeconds: 60 };
  expect(serverStatus(server, now)).toBe(status);
});
