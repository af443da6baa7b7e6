import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import type { UnavailableReason } from '@plimsoll/contract/rules/limits';
import { exactFrom } from '../series-level.ts';
import type { SeriesQuery } from '../types.ts';
import type { Coverage } from './types.ts';

/** A stretch whose samples the store does not answer, epoch ms. The rollups stand in for them where there are any. */
export interface Unavailable {
  from: number;
  to: number;
  reason: UnavailableReason;
}

/**
 * Returns the end of the part that PostgreSQL no longer has buckets of this length for, on a whole bucket; `from` if it
 * has all of them.
 */
export function coldEnd({ from, to, bucketSeconds }: SeriesQuery, now: number): number {
  const width = bucketSeconds * 1000;
  return Math.max(from, Math.min(to, Math.ceil(exactFrom(bucketSeconds, now) / width) * width));
}

/** The part before `coldEnd`, as the store answers it; null: it did not answer. */
interface Cold<Bucket> {
  buckets: readonly Bucket[] | null;
  coverage: Coverage;
}

/** Why the store is not used for a unit; null: it is. 'before': the store was not there yet. */
type Verdict = UnavailableReason | 'before' | null;

function verdictOn(at: number, length: number, { buckets, coverage }: Cold<unknown>): Verdict {
  if (at < coverage.since) return 'before';
  if (buckets === null) return 'store_unavailable';
  if (at + length > coverage.verifiedTo) return 'not_verified';
  const open = coverage.hours.find((hour) => hour.at < at + length && hour.at + HOUR_MS > at);
  if (open === undefined) return null;
  return open.reason === 'refused' || open.reason === 'lost' ? open.reason : 'not_verified';
}

function joined(all: readonly Unavailable[]): Unavailable[] {
  const stretches: Unavailable[] = [];
  for (const next of all) {
    const last = stretches.at(-1);
    if (last?.to === next.from && last.reason === next.reason) last.to = next.to;
    else stretches.push({ ...next });
  }
  return stretches;
}

/**
 * Puts the old part of a series together, hour by hour: from the store where it is known to have every sample, else
 * from the rollups (`coarse`), which reach back to `rollupsFrom`. Every sample is in one bucket.
 */
export function splitSeries<Bucket extends { at: number }>(
  coarse: readonly Bucket[],
  cold: Cold<Bucket>,
  { from, to, bucketSeconds }: SeriesQuery,
  rollupsFrom: number,
): { buckets: Bucket[]; unavailable: Unavailable[] } {
  const length = Math.max(HOUR_MS, bucketSeconds * 1000);
  const unitOf = ({ at }: { at: number }): number => Math.floor(at / length) * length;
  const [coarseByUnit, coldByUnit] = [Map.groupBy(coarse, unitOf), Map.groupBy(cold.buckets ?? [], unitOf)];
  const buckets: Bucket[] = [];
  const unavailable: Unavailable[] = [];
  for (let unit = unitOf({ at: from }); unit < to; unit += length) {
    const [rolledUp, stored] = [coarseByUnit.get(unit) ?? [], coldByUnit.get(unit) ?? []];
    const verdict = verdictOn(unit, length, cold) ?? (stored.length === 0 && rolledUp.length > 0 ? 'lost' : null);
    buckets.push(...(verdict === null ? stored : rolledUp));
    // Nothing was reported where rollups are kept and there is none.
    const isReported = rolledUp.length > 0 || unit < rollupsFrom;
    if (verdict !== null && verdict !== 'before' && isReported)
      unavailable.push({ from: Math.max(unit, from), to: Math.min(unit + length, to), reason: verdict });
  }
  return { buckets, unavailable: joined(unavailable) };
}
