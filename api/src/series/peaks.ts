import { CHART_FIGURES } from './chart-buckets.ts';
import type { BandName } from './stored-figures.ts';
import type { SeriesBucket } from './types.ts';

/** Figures whose highest moment is looked up: those whose sums keep the highest server. */
export const PEAKED = CHART_FIGURES.metrics.filter(({ keepsTop }) => keepsTop);

/** The stretch in which a server reached its highest value. Times are epoch ms, `to` is exclusive. */
export interface PeakAsked {
  field: string;
  serverKey: number;
  from: number;
  to: number;
}

/** The highest value of a server in a stretch, as fine as it is still stored. */
export interface Peak {
  field: string;
  serverId: string;
  /** Time of the sample, or start of its rollup; epoch ms. */
  at: number;
  value: number;
  /** Length of the rollup; 0 for a sample. */
  stepSeconds: number;
}

/**
 * Returns the highest bucket of each figure, with the server that was highest in it. `serverKey`: the series is of this
 * server; null: of several. A figure without a value, or whose server is not known, is left out.
 */
export function peakBuckets(
  buckets: readonly SeriesBucket[],
  bucketSeconds: number,
  serverKey: number | null,
): PeakAsked[] {
  return PEAKED.flatMap(({ name, field }) => {
    const maxOf = (bucket: SeriesBucket): number => bucket[name as BandName<'metrics'>].max ?? -Infinity;
    const [first, ...rest] = buckets.filter((bucket) => maxOf(bucket) > -Infinity);
    if (first === undefined) return [];
    const highest = rest.reduce((best, bucket) => (maxOf(bucket) > maxOf(best) ? bucket : best), first);
    const key = serverKey ?? highest.tops?.[field] ?? null;
    return key === null ? [] : [{ field, serverKey: key, from: highest.at, to: highest.at + bucketSeconds * 1000 }];
  });
}
