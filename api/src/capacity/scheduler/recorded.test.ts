import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readClusterParts } from '../read-stored-parts.ts';
import type { ClusterParts, StoredPod } from '../types.ts';
import { ClusterModel } from './model.ts';
import { type Plugin, PLUGINS } from './types.ts';

/**
 * Pods that the real kube-scheduler placed one after the other in 300 random clusters, and what it said of those that fit
 * nowhere. `node scripts/lab/scheduler/main.ts --record FILE` records them anew.
 */
interface Recorded extends Pick<ClusterParts, 'nodes' | 'placements' | 'volumes'> {
  pods: { pod: StoredPod; verdict: { node: string | null; refused?: Partial<Record<Plugin, number>> } }[];
}
const { clusters } = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, 'recorded/clusters.json.gz'))).toString(),
) as { clusters: Recorded[] };

function refusalsOf(cluster: Recorded, placed: readonly StoredPod[], pod: StoredPod): (Plugin | null)[] {
  const parts = { ...cluster, readsVolumes: true, pods: [...placed, pod] };
  const { nodes, profiles, pods } = readClusterParts(parts);
  const before = pods.flatMap(({ profile, node }) => (node === null ? [] : [{ profile, node }]));
  const model = new ClusterModel(nodes, profiles, before);
  return nodes.map((_, node) => model.refusal(pods.at(-1)?.profile ?? 0, node)?.plugin ?? null);
}

/** Returns the verdict of the model in the form of the record. */
function verdictOf(cluster: Recorded, placed: readonly StoredPod[], { pod, verdict }: Recorded['pods'][number]) {
  const refusals = refusalsOf(cluster, placed, { ...pod, node: null });
  const at = cluster.nodes.findIndex(({ name }) => name === verdict.node);
  if (verdict.node !== null)
    return { node: refusals[at] === null ? verdict.node : `refused by ${refusals[at] ?? '?'}` };
  const refused: Partial<Record<Plugin, number>> = {};
  for (const plugin of refusals) if (plugin !== null) refused[plugin] = (refused[plugin] ?? 0) + 1;
  return { node: refusals.includes(null) ? 'fits' : null, refused };
}

test('the model says of every pod what the real scheduler said', () => {
  const refusing = new Map<string, number>();
  let pods = 0;
  for (const cluster of clusters) {
    const placed: StoredPod[] = [];
    for (const one of cluster.pods) {
      const { node, refused } = one.verdict;
      expect([one.pod.name, verdictOf(cluster, placed, one)]).toMatchObject([
        one.pod.name,
        { node, ...(refused && { refused }) },
      ]);
      pods += 1;
      if (node !== null) placed.push({ ...one.pod, node });
      for (const plugin of Object.keys(refused ?? {})) refusing.set(plugin, (refusing.get(plugin) ?? 0) + 1);
    }
  }
  // Each filter refuses pods often enough to be tried.
  expect(pods).toBeGreaterThan(5000);
  for (const plugin of PLUGINS) expect([plugin, (refusing.get(plugin) ?? 0) >= 30]).toEqual([plugin, true]);
});
