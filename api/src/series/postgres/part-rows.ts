import type { SeriesLevel } from '../series-level.ts';
import { rollupColumns } from './fleet-columns.ts';
import type { Figures } from './fleet-columns.ts';
import { CONNECTION_STATES, ROLLED_UP } from '../rollup-columns.ts';

const list = (columns: string[]): string => columns.join(', ');

/** Single samples in the shape of rollup rows. `extra`: columns and joins around them. */
const sampleColumns = ({ names, hasConnections }: Figures): string[] => [
  ...names.flatMap((name) => {
    const value = ROLLED_UP[name];
    return [
      `(${value} IS NOT NULL)::integer AS ${name}_count`,
      ...['avg', 'min', 'max'].map((end) => `${value} AS ${name}_${end}`),
    ];
  }),
  ...(hasConnections
    ? [
        '(connections_total IS NOT NULL)::integer AS connections_count',
        ...CONNECTION_STATES.map((state) => `connections_${state}::real AS connections_${state}_avg`),
      ]
    : []),
];

/** server_key, ts, samples and the figures of each row of a level; samples look like rollup rows of one sample. */
export const partRows = (level: SeriesLevel['name'], figures: Figures, where: string): string =>
  level === 'raw'
    ? `SELECT server_key, ts, 1 AS samples, ${list(sampleColumns(figures))} FROM host_sample WHERE ${where}`
    : `SELECT server_key, ts, samples, ${list(rollupColumns(figures))} FROM host_rollup_${level} WHERE ${where}`;
