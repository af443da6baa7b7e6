import type { Installation } from '../servers/types.ts';
import type { BucketFacts } from './types.ts';

/** Counts the servers that a bucket is over, and those it should be over; null where nothing is known of that. */
export interface Reporting {
  reported: number | null;
  installed: number | null;
}

interface Bounds {
  bucketSeconds: number;
  now: number;
  reportIntervalSeconds: number;
}

/**
 * Returns of each bucket how many servers reported in it, of how many that were installed all the time. Unknown in a
 * bucket that began less than a report interval ago, because some have not had their turn. History may be older than the
 * enrolment of a server, so a bucket never has more servers than it should.
 */
export function reportingOf(
  buckets: readonly BucketFacts[],
  installations: readonly Pick<Installation, 'createdAt' | 'uninstalledAt'>[],
  { bucketSeconds, now, reportIntervalSeconds }: Bounds,
): Reporting[] {
  return buckets.map(({ at, servers }) => {
    if (servers === null || now < at + reportIntervalSeconds * 1000) return { reported: null, installed: null };
    const end = at + bucketSeconds * 1000;
    const installed = installations.filter(
      ({ createdAt, uninstalledAt }) => createdAt <= at && (uninstalledAt === null || uninstalledAt >= end),
    ).length;
    return { reported: servers, installed: Math.max(servers, installed) };
  });
}
