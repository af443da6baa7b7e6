import { figuresOfChart, type RolledUpFigure } from './rolled-up-figures.ts';
import type { Band, BucketFacts, NetworkBucket, SeriesBucket } from './types.ts';

/** The two series calls and the bucket each answers. */
export interface BucketOf {
  metrics: SeriesBucket;
  network: NetworkBucket;
}
export type Chart = keyof BucketOf;

export const CHART_FIGURES: Record<Chart, readonly RolledUpFigure[]> = {
  metrics: figuresOfChart('metrics'),
  network: figuresOfChart('network'),
};
const NO_BAND: Band = { avg: null, min: null, max: null };

/** Returns a bucket of the chart; `valueIn` gives the value of each figure. */
export const bucketOf = <C extends Chart>(
  chart: C,
  { at, count, servers, tops }: BucketFacts,
  valueIn: (figure: RolledUpFigure) => Band | number | null,
): BucketOf[C] =>
  ({
    at,
    count,
    servers,
    ...(tops && { tops }),
    ...Object.fromEntries(CHART_FIGURES[chart].map((figure) => [figure.name, valueIn(figure)])),
  }) as BucketOf[C];

const unknown = ({ keeps }: RolledUpFigure): Band | null => (keeps === 'band' ? NO_BAND : null);

/** Returns a bucket in which nothing was reported. */
export const emptyBucket = <C extends Chart>(chart: C, at: number): BucketOf[C] =>
  bucketOf(chart, { at, count: 0, servers: 0 }, unknown);

/** Returns the bucket without the figures that are summed over servers. */
export const withoutSums = (bucket: SeriesBucket): SeriesBucket => ({
  ...bucket,
  ...Object.fromEntries(
    CHART_FIGURES.metrics
      .filter(({ overServers }) => overServers === 'sum')
      .map((figure) => [figure.name, unknown(figure)]),
  ),
});
