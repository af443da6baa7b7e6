import { clusterItem } from '@plimsoll/contract/wire/cluster-report';
import { reportItem } from '@plimsoll/contract/wire/report';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryOf } from '../testing/arbitrary-of.ts';
import { fullReport } from '../testing/full-report.ts';
import * as kube from '../testing/kubernetes.ts';
import { judgeClusterItem } from './judge-cluster-item.ts';
import { judgeItem } from './judge-item.ts';
import { Redactor } from './redactor.ts';

type Tree = Record<string, unknown>;
const garbage = fc.oneof(
  fc.constantFrom(-1, 1.5, 2 ** 53, 2 ** 63, 1e300, null, undefined, '', 'é', 'x'.repeat(3000), true, {}, [], [5]),
  fc.jsonValue(),
);
const placesOf = (value: unknown, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, child]) => placesOf(child, [...path, key]))]
    : [path];
function withValue(tree: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(tree) ? [...tree] : { ...(tree as Tree) }) as Tree;
  copy[key] = withValue(copy[key], rest, value);
  return copy;
}

const volume = { uid: 'v', namespace: 'shop', name: 'data', phase: 'Bound', storage_class: null };
const three = <T>(make: (name: string) => T): T[] => ['a', 'b', 'c'].map(make);
const ITEM = kube.item({
  listing: { id: 'a'.repeat(32), complete: true, covers: ['pods'] },
  nodes: three((name) => kube.nodeObject(name)),
  pods: three((name) => kube.restartedPod(name, 2)),
  ends: three((name) => kube.endOf(kube.podObject(name), 1)),
  volumes: three((name) => ({ ...volume, uid: name, capacity_bytes: 1, requested_bytes: 1 })),
  usage: three((name) => ({
    node_name: name,
    measured_at: kube.SECONDS,
    window_seconds: 15,
    cpu_cores: 1,
    memory_working_set_bytes: 1,
    pods: [{ uid: name, cpu_cores: 1, memory_working_set_bytes: 1 }],
  })),
});
const LISTS = ['nodes', 'pods', 'ends', 'volumes', 'usage'] as const;
const HEAD = ['seq', 'kind', 'ts', 'listing'];

test('an item of a cluster with one bad place keeps every other object', () => {
  const places = placesOf(ITEM).filter(([top]) => top !== undefined && !HEAD.includes(top));
  expect(places.length).toBeGreaterThan(100);
  fc.assert(
    fc.property(fc.constantFrom(...places), garbage, (path, value) => {
      const verdict = judgeClusterItem(withValue(ITEM, path, value), 0);
      if (!('judged' in verdict)) throw new Error(verdict.rejected.detail);
      const { item, refused } = verdict.judged;
      clusterItem.parse(item);
      const [top] = path;
      const lengths = LISTS.filter((kind) => kind !== top || path.length > 1).map((kind) => [kind, item[kind]?.length]);
      const lost = refused.length;
      const wanted = lengths.map(([kind]) => [kind, kind === top ? 3 - lost : 3]);
      expect([lengths, lost <= 1 || path.length === 1]).toEqual([wanted, true]);
    }),
    { numRuns: 1000 },
  );
});

test('any item that the schema accepts is taken as it is', () => {
  fc.assert(
    fc.property(arbitraryOf(clusterItem.omit({ history: true })), (raw) => {
      const verdict = judgeClusterItem({ ...(raw as Tree), history: undefined }, 0);
      expect(verdict).toMatchObject({ judged: { refused: [], lost: [] } });
    }),
    { numRuns: 50 },
  );
});

const VOLUME = { namespace: 'shop', used_bytes: 1, capacity_bytes: 2, inodes_used: 1, inodes_total: 2 };
const FIGURES = {
  cpu_cores: 1,
  memory_working_set_bytes: 1,
  memory_available_bytes: 1,
  filesystem_used_bytes: 1,
  filesystem_capacity_bytes: 2,
  filesystem_available_bytes: 1,
  image_filesystem_used_bytes: 1,
  image_filesystem_capacity_bytes: 2,
  started_at: 5,
  stall: { cpu: { some_percent: 1, full_percent: 1 }, memory: null, io: null },
};
const PART = kube.nodePart(
  three((name) => kube.podObject(name)),
  {
    node: FIGURES,
    volumes: three((claim) => ({ ...VOLUME, claim })),
  },
);
const REPORT: Tree = {
  ...fullReport('node-1', kube.SECONDS),
  kind: 'host',
  window_seconds: 60,
  seq: 1,
  ts: kube.SECONDS,
  up: 99_000,
  kubernetes: PART,
};
const ARRIVAL = { receivedAt: kube.NOW, bootId: 'b', upNow: 99_000, skewSeconds: null };
const judgeReport = (raw: unknown) => judgeItem(raw, 0, ARRIVAL, new Redactor(Infinity));
/** They identify the report, its time and its sender. */
const IDENTITY = ['seq', 'ts', 'up', 'kind', 'boot_id'];
const AGENT = ['node_name', 'mode', 'kubelet', 'kubelet_tls_verified'];

test('a report of a node with one bad place is stored, with every other pod and volume', () => {
  const places = placesOf(REPORT).filter(
    ([top, second]) => top !== undefined && !IDENTITY.includes(top) && !(top === 'kubernetes' && second === undefined),
  );
  const ofKubelet = places.filter(([top]) => top === 'kubernetes');
  expect(ofKubelet.length).toBeGreaterThan(50);
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...places), fc.constantFrom(...ofKubelet)), garbage, (path, value) => {
      const verdict = judgeReport(withValue(REPORT, path, value));
      if (!('accepted' in verdict)) throw new Error(verdict.rejected.detail);
      const { report } = verdict.accepted;
      reportItem.parse(report);
      if (path[0] === 'kubernetes' && AGENT.includes(path[1] ?? '')) return;
      const [, hit, place] = path;
      const kinds = (['pods', 'volumes'] as const).filter((kind) => kind !== hit || place !== undefined);
      const least = (kind: string): number => (kind === hit ? 2 : 3);
      expect(kinds.filter((kind) => (report.kubernetes?.[kind].length ?? 0) < least(kind))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('a volume of 8 EiB of an old collector is stored without its capacity, and noted', () => {
  const bad = withValue(REPORT, ['kubernetes', 'volumes', '1', 'capacity_bytes'], 9_223_372_036_853_727_232);
  const verdict = judgeReport(bad);
  expect(verdict).toHaveProperty('accepted.report.kubernetes.volumes.1', {
    ...VOLUME,
    claim: 'b',
    capacity_bytes: null,
  });
  expect(verdict).toHaveProperty('accepted.report.kubernetes.kubelet.left_out', [
    expect.stringMatching(/^kubernetes\.volumes\.1\.capacity_bytes: /),
  ]);
});
