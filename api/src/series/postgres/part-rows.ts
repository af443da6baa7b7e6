// SQL selects rows of partitions, which Prisma cannot express.
import type { SeriesLevel } from '../series-level.ts';
import { rollupColumns, sampleColumns } from './fleet-columns.ts';
import type { Figures } from './fleet-columns.ts';

const list = (columns: string[]): string => columns.join(', ');

/** server_key, ts, samples and the figures of each row of a level; samples look like rollup rows of one sample. */
export const partRows = (level: SeriesLevel['name'], figures: Figures, where: string): string =>
  level === 'raw'
    ? `SELECT server_key, ts, 1 AS samples, ${list(sampleColumns(figures))} FROM host_sample WHERE ${where}`
    : `SELECT server_key, ts, samples, ${list(rollupColumns(figures))} FROM host_rollup_${level} WHERE ${where}`;
