import { expect, it } from 'vitest';
import { reportingOf } from './reporting.ts';

const MINUTE = 60_000;
const bucket = (minutes: number, servers: number | null) => ({ at: minutes * MINUTE, count: servers ?? 0, servers });
const installed = (key: number, from: number, to: number | null = null) => ({
  key,
  createdAt: from * MINUTE,
  uninstalledAt: to === null ? null : to * MINUTE,
});
const bounds = { bucketSeconds: 300, now: 60 * MINUTE, reportIntervalSeconds: 60 };

it('counts the servers that were installed all through a bucket', () => {
  const installations = [installed(1, 0), installed(2, 7), installed(3, 0, 12)];
  const buckets = [bucket(0, 2), bucket(5, 2), bucket(10, 1), bucket(15, 1)];
  expect(reportingOf(buckets, installations, bounds)).toEqual([
    { reported: 2, installed: 2 },
    // The second was enrolled in the middle of this one.
    { reported: 2, installed: 2 },
    // The third was uninstalled in the middle of this one.
    { reported: 1, installed: 2 },
    { reported: 1, installed: 2 },
  ]);
});

it('says nothing of a bucket just begun, nor of a sum stored without its servers', () => {
  const unknown = { reported: null, installed: null };
  const now = 10 * MINUTE + 59_000;
  expect(reportingOf([bucket(5, null), bucket(10, 1)], [installed(1, 0)], { ...bounds, now })).toEqual([
    unknown,
    unknown,
  ]);
  expect(reportingOf([bucket(10, 1)], [installed(1, 0)], { ...bounds, now: now + 1000 })).toEqual([
    { reported: 1, installed: 1 },
  ]);
});

it('never has more servers than it should: history may be older than the enrolment', () => {
  expect(reportingOf([bucket(0, 3)], [installed(1, 30)], bounds)).toEqual([{ reported: 3, installed: 3 }]);
});
