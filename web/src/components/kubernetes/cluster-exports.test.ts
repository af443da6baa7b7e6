import { expect, it } from 'vitest';
import { SAMPLE_POD } from '../../testing/sample-pod.ts';
import { nodesExport, ownersExport, podsExport } from './cluster-exports.ts';

it('writes a pod with its usage beside its requests and limits', () => {
  const { columns, rows } = podsExport([{ ...SAMPLE_POD, cpu_usage_cores: null }]);
  const row = Object.fromEntries(columns.map((name, index) => [name, rows[0]?.[index]]));
  expect(rows[0]).toHaveLength(columns.length);
  expect(row).toMatchObject({ pod_name: SAMPLE_POD.pod_name, cpu_usage_cores: null });
});

it('writes a workload with the pods it wants and has', () => {
  const amounts = { cpu_cores: 1, memory_mb: 512 };
  const owner = { namespace: 'shop', owner_name: 'checkout', desired: 3, ready: 2, phases: { Failed: 1, Pending: 0 } };
  const { columns, rows } = ownersExport([{ ...owner, requests: amounts, limits: amounts } as never]);
  const row = Object.fromEntries(columns.map((name, index) => [name, rows[0]?.[index]]));
  expect(rows[0]).toHaveLength(columns.length);
  expect(row).toMatchObject({ owner_name: 'checkout', desired: 3, ready: 2, failed: 1, memory_limit_mb: 512 });
});

const cellsOf = ({ columns, rows }: ReturnType<typeof podsExport>) =>
  rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));

it('writes usage, requests and limits of a pod each under its own name', () => {
  const pod = {
    ...SAMPLE_POD,
    cpu_usage_cores: 0.25,
    memory_usage_mb: 256,
    requests: { cpu_cores: 0.5, memory_mb: 300 },
    limits: { cpu_cores: 1, memory_mb: 512 },
    restart_count: 9,
    restarts_24h: 2,
  };
  expect(cellsOf(podsExport([pod]))).toEqual([
    expect.objectContaining({
      cpu_usage_cores: 0.25,
      cpu_request_cores: 0.5,
      cpu_limit_cores: 1,
      memory_usage_mb: 256,
      memory_request_mb: 300,
      memory_limit_mb: 512,
      restart_count: 9,
      restarts_24h: 2,
    }),
  ]);
});

it('writes the figures of a node, and what is not known as empty', () => {
  const node = {
    cluster_id: 'c-1',
    node_name: 'node-1',
    server_id: 's-1',
    ready: null,
    metrics: { cpu_usage: 12, memory_usage: 34, disk_usage: null, pods_count: 56, uptime: 789 },
    requested: { cpu_percent: 61, memory_percent: 72 },
    restarts_24h: 0,
    kubelet_version: 'v1.34.1',
  };
  const { columns, rows } = nodesExport([node as never]);
  expect(rows[0]).toHaveLength(columns.length);
  expect(cellsOf({ columns, rows })).toEqual([
    {
      cluster_id: 'c-1',
      node_name: 'node-1',
      server_id: 's-1',
      ready: null,
      cpu_usage_percent: 12,
      memory_usage_percent: 34,
      disk_usage_percent: null,
      pods: 56,
      uptime_seconds: 789,
      cpu_requested_percent: 61,
      memory_requested_percent: 72,
      restarts_24h: 0,
      kubelet_version: 'v1.34.1',
    },
  ]);
});
