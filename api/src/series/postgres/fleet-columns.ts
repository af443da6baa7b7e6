import { CONNECTION_STATES } from '../rollup-columns.ts';
import type { RolledUp } from '../rollup-columns.ts';

/** What a statement is asked for: a chart of the host needs no connections, one of the network no CPU. */
export interface Figures {
  names: readonly RolledUp[];
  hasConnections: boolean;
}
/** Per cents are averaged over servers, rates and counts are summed. */
const IS_SUMMED: Record<RolledUp, boolean> = {
  cpu: false,
  io_wait: false,
  memory: false,
  disk: false,
  operations: true,
  receive: true,
  transmit: true,
};
const BAND = ['avg', 'min', 'max'] as const;

/** Mean of means, each by how many samples it stands for. */
export const weighted = (name: string, count: string): string =>
  `sum(${name}::double precision * ${count}) / NULLIF(sum(${count}), 0)`;
const connectionsOf = ({ hasConnections }: Figures) => (hasConnections ? CONNECTION_STATES : []);

/** Columns of rollup rows. */
export const rollupColumns = (figures: Figures): string[] => [
  ...figures.names.flatMap((name) => [`${name}_count`, ...BAND.map((end) => `${name}_${end}`)]),
  ...(figures.hasConnections ? ['connections_count'] : []),
  ...connectionsOf(figures).map((state) => `connections_${state}_avg`),
];

/** First step, within each server: rollup rows (or samples in their shape) of one bucket become one. */
export const perServerColumns = (figures: Figures): string[] => [
  ...figures.names.flatMap((name) => [
    `${weighted(`${name}_avg`, `${name}_count`)} AS ${name}_avg`,
    `min(${name}_min) AS ${name}_min`,
    `max(${name}_max) AS ${name}_max`,
  ]),
  ...connectionsOf(figures).map(
    (state) => `${weighted(`connections_${state}_avg`, 'connections_count')} AS connections_${state}`,
  ),
];

/** Second step, over the servers. */
export const overServersColumns = (figures: Figures): string[] => [
  ...figures.names.flatMap((name) => {
    const [avg, min, max] = IS_SUMMED[name] ? ['sum', 'sum', 'sum'] : ['avg', 'min', 'max'];
    const wide = IS_SUMMED[name] ? '::double precision' : '';
    return [
      `${avg}(${name}_avg) AS ${name}_avg`,
      `${min}(${name}_min${wide}) AS ${name}_min`,
      `${max}(${name}_max${wide}) AS ${name}_max`,
    ];
  }),
  ...connectionsOf(figures).map((state) => `round(sum(connections_${state})) AS connections_${state}`),
];

/** The names both steps end with. */
export const fleetColumns = (figures: Figures): string[] => [
  ...figures.names.flatMap((name) => BAND.map((end) => `${name}_${end}`)),
  ...connectionsOf(figures).map((state) => `connections_${state}`),
];
