import { nodeObject, type NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import { describe, expect, it } from 'vitest';
import { nodes } from './nodes.ts';
import { type CapturedObject, capturedObject } from '../testing/captured.ts';

const worker = (): CapturedObject => capturedObject('nodes', 'plimsoll-worker');
function nodeWith({ metadata = {}, spec = {}, status = {} }: Partial<Record<'metadata' | 'spec' | 'status', object>>) {
  const node = worker();
  return nodes.project({
    metadata: { ...node.metadata, ...metadata },
    spec: { ...node.spec, ...spec },
    status: { ...node.status, ...status },
  });
}
const ready = (status: string): NodeObject => nodeWith({ status: { conditions: [{ type: 'Ready', status }] } });

describe('a node', () => {
  it('is ready, not ready, or out of sight of the control plane', () => {
    expect([ready('True').ready, ready('False').ready, ready('Unknown').ready]).toEqual([true, false, null]);
    expect(nodeWith({ status: { conditions: [] } }).ready).toBeNull();
  });

  it('that just registered has no status, and is neither ready nor broken', () => {
    const { status: _, ...fresh } = worker();
    const node = nodes.project(fresh);
    expect(node).toMatchObject({ ready: null, conditions: [], internal_ip: null, kernel: null, boot_id: null });
    expect(node.capacity).toEqual({ cpu_cores: null, memory_bytes: null, ephemeral_bytes: null, pods: null });
    expect(nodeObject.parse(node)).toBeDefined();
  });

  it.each(['uid', 'name'])('without a %s is none', (field) => {
    const node = worker();
    delete node.metadata[field];
    expect(() => nodes.project(node)).toThrow(`metadata.${field} is missing`);
  });

  it('keeps each condition with its reason and since when', () => {
    const { conditions } = nodeWith({});
    expect(conditions.map(({ type }) => type)).toEqual(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready']);
    expect(conditions.at(-1)).toEqual({
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
      since: expect.any(Number),
    });
    const many = Array.from({ length: 80 }, (_, index) => ({ type: `C${index}`, status: 'True' }));
    expect(nodeWith({ status: { conditions: many } }).conditions).toHaveLength(50);
    const well = many.map(({ type }) => ({ type, status: 'False' }));
    const last = [
      { type: 'KernelDeadlock', status: 'True' },
      { type: 'Größe', status: 'True' },
      { type: 'Ready', status: 'True' },
    ];
    const cut = nodeObject.parse(nodeWith({ status: { conditions: [...well, ...last] } })).conditions;
    expect(cut).toHaveLength(50);
    expect(cut.slice(-3).map(({ type }) => type)).toEqual(['KernelDeadlock', 'Gr??e', 'Ready']);
  });

  it('is closed to new pods only when somebody cordoned it', () => {
    expect([nodeWith({}).unschedulable, nodeWith({ spec: { unschedulable: true } }).unschedulable]).toEqual([
      false,
      true,
    ]);
  });

  it('writes taints as kubectl does', () => {
    const taints = [
      { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' },
      { key: 'dedicated', value: 'db', effect: 'NoSchedule' },
    ];
    expect(nodeWith({ spec: { taints } }).taints).toEqual([
      'node.kubernetes.io/unreachable:NoExecute',
      'dedicated=db:NoSchedule',
    ]);
  });

  it('has the roles of its labels, and none from a label that only begins so', () => {
    const role = (name: string) => [`node-role.kubernetes.io/${name}`, ''];
    const labels = Object.fromEntries([role('worker'), role('gpu'), role(''), ['node-role.kubernetes.io', 'x']]);
    expect(nodeWith({ metadata: { labels } }).roles).toEqual(['worker', 'gpu']);
    const older = { 'kubernetes.io/role': 'agent', type: 'virtual-kubelet' };
    expect(nodeWith({ metadata: { labels: older } }).roles).toEqual(['agent']);
    expect(nodeWith({ metadata: { labels: { ...older, 'node-role.kubernetes.io/agent': '' } } }).roles).toEqual([
      'agent',
    ]);
  });

  it('keeps the labels of its place beside those of node feature discovery, which sort before them', () => {
    const feature = (index: number): [string, string] => [`feature.node.kubernetes.io/cpu-cpuid.F${index}`, 'true'];
    const labels = {
      ...Object.fromEntries(Array.from({ length: 150 }, (_, index) => feature(index))),
      'kubernetes.io/hostname': 'worker',
      'nvidia.com/gpu.product': 'A100',
      'topology.kubernetes.io/zone': 'a',
    };
    const node = nodeWith({ metadata: { labels } });
    expect(node.labels).toEqual(labels);
    expect(nodeObject.parse(node)).toBeDefined();
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => feature(index)));
    expect(nodeObject.parse(nodeWith({ metadata: { labels: many } })).labels).toBeDefined();
  });

  it('has the address the others in the cluster use', () => {
    const addresses = [
      { type: 'Hostname', address: 'worker' },
      { type: 'ExternalIP', address: '203.0.113.7' },
      { type: 'InternalIP', address: '10.0.0.7' },
      { type: 'InternalIP', address: 'fd00::7' },
    ];
    expect(nodeWith({ status: { addresses } }).internal_ip).toBe('10.0.0.7');
    expect(nodeWith({ status: { addresses: addresses.slice(0, 2) } }).internal_ip).toBeNull();
  });

  it('offers devices, however many resources it has none of', () => {
    const none = Array.from({ length: 40 }, (_, index) => [`example.com/a${index}`, '0']);
    const allocatable = { ...Object.fromEntries(none), 'nvidia.com/gpu': '4' };
    const node = nodeWith({ status: { allocatable } });
    expect(node.allocatable.extended).toEqual({ 'nvidia.com/gpu': 4 });
    expect(node).not.toHaveProperty('unknown_fields');
  });

  it('reads sizes in every form Kubernetes writes, and leaves out what is none', () => {
    const capacity = { cpu: '3920m', memory: '16Gi', pods: '110', 'ephemeral-storage': '100G' };
    expect(nodeWith({ status: { capacity } }).capacity).toEqual({
      cpu_cores: 3.92,
      memory_bytes: 16 * 2 ** 30,
      ephemeral_bytes: 100e9,
      pods: 110,
    });
    const odd = { cpu: 'many', memory: '', pods: '-1' };
    expect(nodeWith({ status: { capacity: odd } }).capacity).toEqual({
      cpu_cores: null,
      memory_bytes: null,
      ephemeral_bytes: null,
      pods: null,
    });
  });
});
