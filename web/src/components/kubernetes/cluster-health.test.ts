import { describe, expect, it } from 'vitest';
import { collectorReportedAt } from './collector-age.ts';
import { clusterHealth, crashLooping, healthReasons } from './cluster-health.ts';

const calm = {
  total_nodes: 3,
  ready_nodes: 3,
  failed_pods: 0,
  aggregate_metrics: { avg_cpu_usage: 59, avg_memory_usage: 61 },
  causes: { not_ready_nodes: [], failed_pods: [] },
  age_seconds: 20,
};
const usage = (avg_cpu_usage: number | null, avg_memory_usage: number | null) => ({
  ...calm,
  aggregate_metrics: { avg_cpu_usage, avg_memory_usage },
});
const failed = { namespace: 'data', pod_name: 'nightly-export', reason: 'Error' };

describe('clusterHealth', () => {
  it('is Healthy when all nodes are ready, no pod failed and both averages are below 80', () => {
    expect(clusterHealth(calm)).toBe('Healthy');
    expect(clusterHealth(usage(79.9, 79.9))).toBe('Healthy');
  });
  it('is Unknown once the collector missed two reports, whatever its last ones said', () => {
    expect(clusterHealth({ ...calm, age_seconds: 119 })).toBe('Healthy');
    expect(clusterHealth({ ...calm, age_seconds: 120 })).toBe('Unknown');
    expect(clusterHealth({ ...calm, age_seconds: 1200, failed_pods: 1 })).toBe('Unknown');
    expect(healthReasons({ ...calm, age_seconds: 1200 })).toContain('silent');
  });
  it('is Warning while one of several clusters is silent, and names it', () => {
    const cluster = (cluster_name: string, age_seconds: number) => ({
      cluster_id: cluster_name,
      cluster_name,
      age_seconds,
    });
    const overview = (...ages: number[]) => ({
      ...calm,
      age_seconds: Math.max(...ages),
      collectors: ages.map((age, index) => cluster(`prod-${String(index)}`, age)),
    });
    expect(clusterHealth(overview(20, 30))).toBe('Healthy');
    expect(clusterHealth(overview(20, 1200))).toBe('Warning');
    expect(healthReasons(overview(20, 1200))).toMatch(
      /^1 cluster is silent: prod-1: the present state there is not known\./,
    );
    expect(clusterHealth({ ...overview(20, 1200), failed_pods: 1 })).toBe('Critical');
    expect(clusterHealth(overview(1300, 1200))).toBe('Unknown');
    expect(collectorReportedAt(overview(20, 1200), 1_000_000)).toBe(980_000);
  });
  it('is Degraded instead of Healthy, and leaves Warning and Critical as they are', () => {
    const example = (name: string) => ({ cluster_id: 'c', namespace: 'shop', name });
    const degraded = [
      { kind: 'image_pull' as const, count: 5, examples: ['a', 'b', 'c', 'd'].map(example) },
      { kind: 'replicas_missing' as const, count: 1, examples: [example('checkout')] },
    ];
    expect(clusterHealth({ ...calm, degraded: [] })).toBe('Healthy');
    for (const one of degraded) expect(clusterHealth({ ...calm, degraded: [one] })).toBe('Degraded');
    expect(clusterHealth({ ...usage(80, 10), degraded })).toBe('Warning');
    expect(clusterHealth({ ...calm, failed_pods: 1, degraded })).toBe('Critical');
    expect(healthReasons({ ...calm, degraded })).toBe(
      '5 pods cannot pull an image: a, b, c and 2 more. 1 workload without all replicas for 15 minutes: checkout. All nodes ready, average CPU and memory below the line.',
    );
  });
  it('is Warning from 80 on', () => {
    expect(clusterHealth(usage(80, 10))).toBe('Warning');
    expect(clusterHealth(usage(10, 80))).toBe('Warning');
  });
  it('is Warning while usage is unknown', () => {
    expect(clusterHealth(usage(null, null))).toBe('Warning');
    expect(healthReasons(usage(null, null))).toBe('All nodes ready. No usage reported.');
  });
  it('is Critical with one node not ready or one failed pod, whatever the usage', () => {
    expect(clusterHealth({ ...calm, ready_nodes: 2 })).toBe('Critical');
    expect(clusterHealth({ ...usage(null, null), failed_pods: 1 })).toBe('Critical');
  });
});

describe('healthReasons', () => {
  it('says that all is well', () => {
    expect(healthReasons(calm)).toBe('All nodes ready, average CPU and memory below the line.');
  });
  it('names what failed', () => {
    const overview = { ...calm, failed_pods: 1, causes: { not_ready_nodes: [], failed_pods: [failed] } };
    expect(healthReasons(overview)).toBe(
      '1 pod failed: nightly-export (Error). All nodes ready, average CPU and memory below the line.',
    );
  });
  it('names pods that crash-loop, and leaves the health to the phases', () => {
    const looping = ['a', 'b', 'c', 'd'].map((pod_name) => ({ namespace: 'shop', pod_name }));
    const overview = {
      ...calm,
      crash_looping_pods: 6,
      causes: { ...calm.causes, crash_looping_pods: looping },
    };
    expect(clusterHealth(overview)).toBe('Healthy');
    expect(crashLooping(overview)).toBe('6 pods crash-looping');
    expect(crashLooping(calm)).toBeNull();
    expect(healthReasons(overview)).toBe(
      '6 pods crash-looping: a, b, c and 3 more. All nodes ready, average CPU and memory below the line.',
    );
  });
  it('names nodes and counts the rest', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((node_name) => ({ node_name, server_id: node_name, reason: null }));
    const overview = {
      ...usage(85, 61),
      ready_nodes: 1,
      total_nodes: 6,
      causes: { not_ready_nodes: nodes, failed_pods: [] },
    };
    expect(healthReasons(overview)).toBe(
      '5 nodes not ready: a, b, c and 2 more. Average CPU 85 %, over the line. Average memory below the line.',
    );
  });
});
