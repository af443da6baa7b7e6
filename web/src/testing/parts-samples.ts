import type { FleetEntry, LoadLines } from '@plimsoll/contract/wire/servers';
import type { ChartPoint } from '../components/chart/points/chart-shape.ts';

/** Invented figures for the sheet of parts; no product screen reads this file. */
export const LINES: LoadLines = {
  cpu: { warning: 80, critical: 95 },
  memory: { warning: 80, critical: 95 },
  disk: { warning: 80, critical: 90 },
  io_wait: { warning: 10, critical: null },
};
export const NOW_MS = Date.now();
export const HOUR_FROM = Math.floor(NOW_MS / 1000) - 3600;

/** A repeatable wobble between −1 and 1. */
const wobble = (step: number) => Math.sin(step * 0.31) * 0.5 + Math.sin(step * 1.7) * 0.3 + Math.sin(step * 5.3) * 0.2;

export function chartPoints(count = 120): ChartPoint[] {
  return Array.from({ length: count }, (_, index) => {
    const avg = 54 + 9 * wobble(index / 4) + index / 20;
    return {
      at: HOUR_FROM + index * 26,
      avg,
      min: avg - 3 - 2 * wobble(index) ** 2,
      max: avg + 3 + 9 * wobble(index) ** 4,
    };
  });
}

export const sparkOf = () =>
  Array.from({ length: 48 }, (_, at) => ({ at, value: at < 40 ? 68 + 2 * wobble(at) : 86 + wobble(at) }));

const entry = (hostname: string, resource: 'cpu' | 'memory' | 'disk', value: number): FleetEntry => ({
  server_id: hostname,
  hostname,
  status: 'active',
  headroom: { resource, value, line: 80, points: 80 - value, subject: null },
  region: null,
  tags: {},
});
export const FLEET: FleetEntry[] = [
  entry('build-hel-02', 'cpu', 91),
  entry('media-ams-01', 'disk', 86),
  entry('db-fra-01', 'memory', 83),
  entry('db-fra-02', 'disk', 76),
  entry('k8s-node-2', 'cpu', 74),
  entry('cache-iad-01', 'memory', 72),
  entry('web-fra-03', 'cpu', 67),
  entry('web-fra-01', 'cpu', 54),
  { ...entry('web-sin-01', 'cpu', 63), status: 'offline' },
  { server_id: 'backup', hostname: 'backup-hel-01', status: 'installing', headroom: null, region: null, tags: {} },
];
