import { expect, test } from 'vitest';
import type { ContainerPart } from '../../wire/container-part.ts';
import type { Report } from '../../wire/report.ts';
import { HOST_ALERT_METRICS } from './host-alert-metrics.ts';

const read = (metric: keyof typeof HOST_ALERT_METRICS, parts: Partial<Report>) =>
  HOST_ALERT_METRICS[metric]
    .read(
      { seq: 1, ts: 0, up: 0, kind: 'host', window_seconds: 60, ...parts },
      { forecast: () => 'unknown', memoryForecast: () => 'unknown' },
    )
    ?.map(({ subject, value }) => [subject, value]);
const container = (change: Partial<ContainerPart>): ContainerPart => ({
  id: 'aaaaaaaaaaaa',
  name: 'web',
  image: null,
  runtime: 'docker',
  cpu_percent: null,
  memory_bytes: null,
  memory_limit_bytes: null,
  ...change,
});

test('restarts are read by name, else by id, and an agent that counts none says 0', () => {
  const containers = [
    container({ restarts_last_hour: 6 }),
    container({ id: 'b', name: null }),
    container({ restarts_last_hour: 9 }),
  ];
  expect(read('container_restarts', { containers })).toEqual([
    ['web', 9],
    ['b', 0],
  ]);
  expect(read('container_restarts', {})).toBeUndefined();
});

test('a container whose health check fails is unhealthy, and no other', () => {
  const containers = [
    container({ state: 'unhealthy' }),
    container({ name: 'b', state: 'running' }),
    container({ name: 'c', state: 'exited', exit_code: 1 }),
    container({ name: 'd' }),
  ];
  expect(read('container_unhealthy', { containers })).toEqual([['web', 1]]);
});

test('a watched process fires when none of its name runs', () => {
  const watched = [
    { name: 'nginx', running: 0 },
    { name: 'sshd', running: 3 },
  ];
  expect(read('process_not_running', { watched_processes: watched })).toEqual([['nginx', 1]]);
  expect(read('process_not_running', {})).toBeUndefined();
});

test('kills for memory are those since the report before, and a report without any is clear', () => {
  expect(read('oom_kill', { oom_kills: 2 })).toEqual([['', 2]]);
  expect(read('oom_kill', {})).toEqual([]);
});
