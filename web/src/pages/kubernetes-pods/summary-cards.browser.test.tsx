import type { PodsSummary } from '@plimsoll/contract/wire/kubernetes';
import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { SummaryCards } from './summary-cards.tsx';

const CLUSTERS = ['prod-north-america-1', 'prod-north-america-2'];
const NAMESPACE = 'payments-of-all-regions';
const SUMMARY: PodsSummary = {
  total: 4,
  phases: { Pending: 0, Running: 4, Succeeded: 0, Failed: 0, Unknown: 0 },
  restarts_24h: 0,
  oom_kills_24h: 0,
  namespaces: CLUSTERS.map((id, index) => ({
    cluster_id: id,
    namespace: NAMESPACE,
    pods: index === 0 ? 1 : 3,
    cpu_usage_cores: 0.5,
    memory_usage_mb: 128,
  })),
  age_buckets: [{ under_seconds: null, count: 4 }],
  zombies: 0,
  top_restarts: [],
  namespace_names: [NAMESPACE],
  owner_kinds: [],
  node_names: [],
};
const drawn = (width: number) =>
  draw(
    <div style={{ width }}>
      <SummaryCards summary={SUMMARY} clusterName={(id) => id} />
    </div>,
  );

it('tells one namespace of two clusters apart where there is little room', async () => {
  const screen = await drawn(480);
  for (const cluster of CLUSTERS) {
    const name = screen.getByTitle(cluster, { exact: true });
    await expect.element(name).toBeVisible();
    const end = name.element().querySelector('.tail');
    expect(end?.getAttribute('data-text')).toBe(cluster.slice(-6));
    const list = name.element().closest('li')?.getBoundingClientRect();
    expect(end?.getBoundingClientRect().right).toBeLessThan(list?.right ?? 0);
    expect(name.element().getBoundingClientRect().width).toBeLessThanOrEqual(140);
  }
  expect(screen.getByTitle(NAMESPACE, { exact: true }).elements()).toHaveLength(2);
});

it('counts the pods of a namespace in the number of their count', async () => {
  const screen = await drawn(800);
  await expect.element(screen.getByTitle('1 pod', { exact: true })).toBeVisible();
  await expect.element(screen.getByTitle('3 pods', { exact: true })).toBeVisible();
});
