import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  newestOf,
  rankClusters,
  selectClusters,
  summariseClusters,
  versionOf,
  type ClusterLoad,
} from './cluster-ranking.ts';

const NOW = 1_000_000_000;
const load = (id: string, parts: Partial<ClusterLoad> = {}): ClusterLoad => ({
  id,
  name: id,
  version: '1.34.1',
  lastSeenAt: NOW - 10_000,
  nodes: 4,
  readyNodes: 4,
  pods: 40,
  brokenPods: 0,
  allocatable: { cpuCores: 100, memoryBytes: 100 },
  requested: { cpuCores: 30, memoryBytes: 20 },
  used: { cpuPercent: 10, memoryPercent: 90 },
  alerts: { total: 0, critical: 0 },
  ...parts,
});
const ids = (loads: ClusterLoad[], share: 'requested' | 'used' = 'requested') =>
  rankClusters(loads, share, NOW).map(({ id }) => id);

describe('rankClusters', () => {
  it('puts clusters over the line first, then nodes not ready, broken pods and headroom; silent ones last', () => {
    const over = load('over', { requested: { cpuCores: 30, memoryBytes: 86 } });
    const notReady = load('not-ready', { readyNodes: 3 });
    const broken = load('broken', { brokenPods: 3 });
    const near = load('near', { requested: { cpuCores: 77, memoryBytes: 20 } });
    const silent = load('silent', { lastSeenAt: NOW - 3_600_000, brokenPods: 9, requested: over.requested });
    const longer = load('longer', { lastSeenAt: NOW - 7_200_000 });
    const clusters = [load('calm'), longer, silent, near, broken, notReady, over];
    expect(ids(clusters)).toEqual(['over', 'not-ready', 'broken', 'near', 'calm', 'silent', 'longer']);
  });

  it('measures headroom of the share that is asked for, of what the nodes can allocate', () => {
    const [requested] = rankClusters([load('a')], 'requested', NOW);
    expect(requested?.headroom).toEqual({ resource: 'cpu', value: 30, line: 80, points: 50 });
    const [used] = rankClusters([load('a')], 'used', NOW);
    expect(used?.headroom).toEqual({ resource: 'memory', value: 90, line: 80, points: -10 });
  });

  it('knows no headroom where nothing is known, and never takes it for zero', () => {
    const none = load('none', { requested: { cpuCores: null, memoryBytes: null } });
    expect(rankClusters([none], 'requested', NOW)[0]?.headroom).toBeNull();
    expect(ids([none, load('known')])).toEqual(['known', 'none']);
  });

  it('keeps every cluster once and orders them alike, whatever their first order', () => {
    const cluster = fc.record({
      brokenPods: fc.nat({ max: 2 }),
      readyNodes: fc.nat({ max: 4 }),
      lastSeenAt: fc.constantFrom(NOW, NOW - 60_000, NOW - 500_000),
      requested: fc.record({
        cpuCores: fc.option(fc.nat({ max: 120 })),
        memoryBytes: fc.option(fc.nat({ max: 120 })),
      }),
    });
    fc.assert(
      fc.property(fc.array(cluster, { maxLength: 12 }), (parts) => {
        const loads = parts.map((part, index) => load(`c-${String(index)}`, part));
        expect(ids(loads.toReversed())).toEqual(ids(loads));
        expect(ids(loads).toSorted()).toEqual(loads.map(({ id }) => id).toSorted());
        const silent = rankClusters(loads, 'requested', NOW).map(({ isSilent }) => isSilent);
        expect(silent).toEqual(silent.toSorted((a, b) => Number(a) - Number(b)));
      }),
    );
  });
});

describe('versions', () => {
  it('reads what distributions append, and nothing else', () => {
    for (const text of ['1.34.1', 'v1.34.2-gke.100', '1.34', '1.34+'])
      expect(versionOf(text)).toEqual({ major: 1, minor: 34 });
    for (const text of [null, '', 'x', '1', '1.x', '1.34foo']) expect(versionOf(text)).toBeNull();
  });
  it('counts minor versions behind the newest by number, and none across majors', () => {
    const versions = ['1.9.0', '1.34.1', '1.31.9', 'unknown'];
    const ranked = rankClusters(
      versions.map((version) => load(version, { version })),
      'requested',
      NOW,
    );
    const behind = Object.fromEntries(ranked.map(({ id, versionsBehind }) => [id, versionsBehind]));
    expect(behind).toEqual({ '1.9.0': 25, '1.34.1': 0, '1.31.9': 3, unknown: null });
    expect(newestOf([])).toBeNull();
    expect(rankClusters([load('a', { version: '2.0.0' }), load('b')], 'requested', NOW)[1]?.versionsBehind).toBeNull();
  });
});

it('sums clusters that report, filters by state, version and name', () => {
  const ranked = rankClusters(
    [
      load('over', { requested: { cpuCores: 95, memoryBytes: 1 }, version: '1.33.0' }),
      load('broken', { brokenPods: 2, readyNodes: 3 }),
      load('silent', { lastSeenAt: 0, nodes: 9, readyNodes: 9, pods: 99, brokenPods: 9, version: '1.30.0' }),
    ],
    'requested',
    NOW,
  );
  expect(summariseClusters(ranked)).toEqual({
    clusters: 3,
    silent: 1,
    over: 1,
    overNames: ['over'],
    nodes: 8,
    readyNodes: 7,
    pods: 80,
    brokenPods: 2,
    behind: 1,
    mostBehind: 1,
    newestVersion: '1.34',
    versions: ['1.34', '1.33', '1.30'],
  });
  const chosen = (selection: Parameters<typeof selectClusters>[1]) =>
    selectClusters(ranked, selection).map(({ id }) => id);
  expect(chosen({ state: 'silent' })).toEqual(['silent']);
  expect(chosen({ state: 'over' })).toEqual(['over']);
  expect(chosen({ state: 'broken' })).toEqual(['broken']);
  expect(chosen({ version: '1.33' })).toEqual(['over']);
  expect(chosen({ search: 'SIL' })).toEqual(['silent']);
  expect(chosen({})).toHaveLength(3);
});
