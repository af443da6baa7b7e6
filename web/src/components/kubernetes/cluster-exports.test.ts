import { expect, it } from 'vitest';
import { SAMPLE_POD } from '../../testing/sample-pod.ts';
import { ownersExport, podsExport } from './cluster-exports.ts';

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
