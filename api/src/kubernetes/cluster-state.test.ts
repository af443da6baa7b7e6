import { describe, expect, it } from 'vitest';
import type { NodeRecord, NodeServer } from './node-records.ts';
import type { PodRecord } from './pod-records.ts';
import { container, nodeObject, nodePart, NOW, podObject, SECONDS } from '../testing/kubernetes.ts';
import { METRICS_READER, nodeFigures, podFigures, shareOfAllowance } from './cluster-state.ts';

const nothing = { cpuCores: null, memoryBytes: null };
const record = (parts: Partial<NodeRecord> = {}): NodeRecord => ({
  serverId: 's',
  clusterId: 'c',
  clusterName: null,
  clusterTokenId: null,
  enrolledAt: null,
  firstSeenAt: NOW,
  object: nodeObject('n'),
  usage: null,
  agent: null,
  server: null,
  readers: [],
  pods: 0,
  requests: nothing,
  limits: nothing,
  restarts: 0,
  ...parts,
});
const agent = (parts: Partial<NonNullable<NodeRecord['agent']>> = {}): NodeRecord['agent'] => ({
  mode: 'proc',
  sampleAt: NOW - 10_000,
  kubelet: nodePart([]).kubelet,
  tlsVerified: true,
  figures: null,
  ...parts,
});
const metrics = { source: 'metrics-server' as const, measuredAt: NOW - 20_000, cpuCores: 1, memoryBytes: 2 ** 32 };
const server = (sampleAt: number): NodeServer => ({
  lastSeenAt: sampleAt,
  uptimeSeconds: null,
  sample: { sampleAt, cpuPercent: 90, memoryPercent: 40, diskPercent: 30 },
});
const absent = { name: METRICS_READER, state: 'absent' as const, detail: 'not served', since: SECONDS, needs: null };

describe('nodeFigures', () => {
  it('the agent comes first, then metrics-server, each with its age', () => {
    const node = record({ usage: metrics, agent: agent() });
    expect(nodeFigures({ ...node, server: server(NOW - 10_000) }, NOW)).toMatchObject({
      cpu: { value: 90, source: 'node-agent', ageSeconds: 10 },
      headroom: { resource: 'cpu', points: -10 },
    });
    expect(nodeFigures({ ...node, server: server(NOW - 600_000) }, NOW)).toMatchObject({
      cpu: { value: 25, source: 'metrics-server', ageSeconds: 20 },
      memory: { value: 50, source: 'metrics-server' },
      disk: { value: null },
    });
  });

  it('without either says why, naming both rungs', () => {
    const kubelet = {
      ...nodePart([]).kubelet,
      state: 'forbidden' as const,
      detail: 'forbidden: needs nodes/stats get',
    };
    const { cpu, headroom } = nodeFigures(record({ agent: agent({ kubelet }), readers: [absent] }), NOW);
    expect(cpu).toEqual({
      value: null,
      source: null,
      ageSeconds: null,
      reason: 'forbidden: needs nodes/stats get; metrics-server: not served',
    });
    expect(headroom).toBeNull();
  });

  it('an agent that fell silent is named as such', () => {
    const silent = record({ agent: agent({ sampleAt: NOW - 600_000 }) });
    expect(nodeFigures(silent, NOW).cpu.reason).toBe('the node agent is silent');
  });

  it.each([
    [8.2, 100, null],
    [9999, null, 'metrics-server reports 124988 % of the capacity of this node'],
  ])('metrics-server reports %d of 8 cores: %s', (cpuCores, value, reason) => {
    const capacity = { cpu_cores: 8, memory_bytes: 2 ** 34, ephemeral_bytes: null, pods: null };
    const usage = { ...metrics, cpuCores };
    const { cpu } = nodeFigures(record({ usage, object: nodeObject('n', { capacity }) }), NOW);
    expect([cpu.value, cpu.reason]).toEqual([value, reason]);
  });

  it('the node’s size unknown: its use in per cent is unknown, too', () => {
    const capacity = { cpu_cores: null, memory_bytes: 0, ephemeral_bytes: null, pods: null };
    const node = record({ usage: metrics, object: nodeObject('n', { capacity }) });
    const { cpu, memory } = nodeFigures(node, NOW);
    expect([cpu.value, memory.value]).toEqual([null, null]);
  });
});

describe('podFigures', () => {
  const pod = (parts: Parameters<typeof podObject>[1], usage: PodRecord['usage'] = null): PodRecord => ({
    clusterId: 'c',
    serverId: null,
    nodeAgent: null,
    readers: [absent],
    object: podObject('p', parts),
    usage,
    restarts: 0,
    oomKills: 0,
    lastRestart: null,
  });
  const reason = (parts: Parameters<typeof podObject>[1]) => podFigures(pod(parts), NOW).origin.reason;

  it('fresh usage stands, stale usage is unknown', () => {
    const usage = { source: 'kubelet' as const, measuredAt: NOW - 1000, cpuCores: 0.5, memoryBytes: 7 };
    expect(podFigures(pod({}, usage), NOW)).toMatchObject({ cpuCores: 0.5, memoryBytes: 7 });
    expect(podFigures(pod({}, { ...usage, measuredAt: NOW - 181_000 }), NOW).cpuCores).toBeNull();
  });

  it.each([
    [{ phase: 'Succeeded' as const }, 'the pod has finished'],
    [{ node_name: null, phase: 'Pending' as const }, 'the pod is not on a node yet'],
    [{ containers: [container({ status: 'waiting' })] }, 'no container is running'],
    [{}, 'metrics-server: not served'],
  ])('%j: %s', (parts, why) => {
    expect(reason(parts)).toBe(why);
  });
});

describe('shareOfAllowance', () => {
  it.each([
    [5, 10, 20, { percent: 50, of: 'limit' }],
    [5, null, 20, { percent: 25, of: 'request' }],
    [5, null, null, { percent: null, of: null }],
    [null, 10, null, { percent: null, of: 'limit' }],
    [5, 0, 20, { percent: null, of: 'limit' }],
  ] as const)('%j of limit %j, request %j', (used, limit, request, share) => {
    expect(shareOfAllowance(used, limit, request)).toEqual(share);
  });
});
