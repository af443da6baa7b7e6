import type { BandName } from './series-shape.ts';

/** Alert metrics whose history the charts of a server show in per cent. */
export const METRIC_BAND: ReadonlyMap<string, BandName> = new Map([
  ['cpu_usage', 'cpu'],
  ['memory_usage', 'memory'],
  ['disk_usage', 'disk'],
  ['io_wait', 'io_wait'],
  ['swap_usage', 'swap'],
]);
