import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import { expect, it } from 'vitest';
import { sampleServer } from '../../testing/sample-server.ts';
import { serversTable } from './servers-export.ts';

const headroom = { resource: 'disk', value: 76, line: 80, points: 4, subject: '/' } as const;
const known = (value: number | null) => ({ value, reason: null });

it('has a row per server, and no headroom for one that is silent', () => {
  const servers = [
    sampleServer({ id: 'a', hostname: 'web-01', tags: { env: 'prod' }, headroom }),
    sampleServer({ id: 'b', hostname: 'gone', status: 'offline', headroom }),
  ];
  const metrics = { cpu_usage: known(41), memory_usage: known(50), disk_usage: known(76), io_wait: known(null) };
  const latest = new Map([['a', { metrics: { ...metrics, iops: known(120) } } as unknown as LatestMetricsItem]]);
  const { columns, rows } = serversTable(servers, latest);
  const cell = (row: number, column: string) => rows[row]?.[columns.indexOf(column)];
  expect(cell(0, 'tags')).toBe('env=prod');
  expect([cell(0, 'headroom_points'), cell(0, 'cpu_usage'), cell(0, 'io_wait')]).toEqual([4, 41, null]);
  expect([cell(1, 'status'), cell(1, 'headroom_points'), cell(1, 'cpu_usage')]).toEqual(['offline', null, null]);
});
