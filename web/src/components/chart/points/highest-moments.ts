import type { TimeseriesAnswer, TimeseriesPeak } from '@plimsoll/contract/wire/metrics';
import { peakOfFigure } from './peak-moment.ts';

const RESOURCES = [
  { id: 'cpu', name: 'CPU' },
  { id: 'memory', name: 'Memory' },
  { id: 'disk', name: 'Disk' },
] as const;

export interface HighestMoment {
  name: string;
  value: number;
  /** Start of its bucket, and the end of it or of the range; epoch seconds. */
  at: number;
  end: number;
  /** Null: deleted since, or the sum was stored before the API kept it. */
  server: { server_id: string; name: string } | null;
  /** The moment itself; null: the API has the bucket only. */
  peak: TimeseriesPeak | null;
}

/** Returns the highest CPU, memory and disk of any server in the range; what nobody reported is left out. */
export function highestMoments(answer: TimeseriesAnswer): HighestMoment[] {
  const { timeseries, bucket_seconds: length, to, top_servers: servers = [] } = answer;
  return RESOURCES.flatMap(({ id, name }) => {
    const known = timeseries.filter(({ bands }) => bands[id].max !== null);
    const [first, ...rest] = known;
    if (first === undefined) return [];
    const highest = rest.reduce(
      (best, point) => ((point.bands[id].max ?? 0) > (best.bands[id].max ?? 0) ? point : best),
      first,
    );
    const { timestamp: at, bands, top } = highest;
    const server = servers[top?.[id] ?? -1] ?? null;
    const peak = peakOfFigure(answer.peaks, id);
    return [
      {
        name,
        value: bands[id].max ?? 0,
        at,
        end: Math.min(at + length, to),
        server,
        peak: peak?.server_id === server?.server_id ? peak : null,
      },
    ];
  });
}
