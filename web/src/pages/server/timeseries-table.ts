import type { TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import type { ExportTable } from '../../components/export/export-file.ts';

const NAMES = ['cpu', 'memory', 'swap', 'load', 'disk', 'io_wait', 'iops'] as const;

/** Returns one row per bucket: the ISO time in UTC, then average, lowest and highest of each metric. */
export const timeseriesTable = (points: readonly TimeseriesPoint[]): ExportTable => ({
  columns: ['time', ...NAMES.flatMap((name) => [`${name}_avg`, `${name}_min`, `${name}_max`])],
  rows: points.map(({ time, bands }) => [
    time,
    ...NAMES.flatMap((name) => [bands[name]?.avg ?? null, bands[name]?.min ?? null, bands[name]?.max ?? null]),
  ]),
});
