import { nodeObject, podObject, volumeObject } from '@plimsoll/contract/wire/cluster-objects';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIGURE_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { MOST } from '@plimsoll/contract/wire/number-bounds';
import { Figures } from './figures.ts';
import { nodes } from './nodes.ts';
import { pods } from './pods.ts';
import { volumes } from './volumes.ts';

const metadata = { uid: 'u', namespace: 'shop', name: 'api-1', creationTimestamp: '2026-01-01T00:00:00Z' };
type Resources = { requests?: object; limits?: object };
const podOf = (containers: Resources[], initContainers: Resources[] = []) =>
  pods.project({
    metadata,
    spec: {
      containers: containers.map((resources, index) => ({ name: `c${String(index)}`, image: 'x', resources })),
      initContainers: initContainers.map((resources, index) => ({ name: `i${String(index)}`, image: 'x', resources })),
    },
    status: { phase: 'Pending' },
  });
/** The wire has the owner in place of the controller. */
const wire = (pod: ReturnType<typeof podOf>) => podObject.parse({ ...pod, owner: null });

const UNKNOWN = ['1Ei', '10E', '1e30', '-1', 'abc', '12e400', '9223372036854775807', '', '9007199254740992', {}, 1e300];

describe('a figure of an object', () => {
  it.each(UNKNOWN)('%j is unknown with a reason, and its pod is sent', (memory) => {
    const pod = wire(podOf([{ requests: { memory, cpu: '100m' }, limits: { memory } }]));
    expect([pod.requests, pod.limits.memory_bytes]).toEqual([{ cpu_cores: 0.1, memory_bytes: null }, null]);
    expect(pod.containers[0]?.requests).toEqual({ cpu_cores: 0.1, memory_bytes: null });
    expect(pod.unknown_fields).toHaveLength(4);
    expect(pod.unknown_fields?.[0]).toMatch(/^c0\.requests\.memory_bytes: /);
  });

  it.each([
    ['0.5m', 0.0005],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['7Pi', 7 * 2 ** 50],
  ])('%j is known', (memory, bytes) => {
    const pod = wire(podOf([{ requests: { memory } }]));
    expect([pod.requests.memory_bytes, pod.unknown_fields]).toEqual([bytes, undefined]);
  });

  it('that is not set has no reason', () => {
    const pod = wire(podOf([{}]));
    expect([pod.requests, pod.unknown_fields]).toEqual([{ cpu_cores: null, memory_bytes: null }, undefined]);
  });

  it('makes each sum with it unknown, though the other containers have figures', () => {
    const sum = wire(podOf([{ requests: { memory: '1Ei' } }, { requests: { memory: '1Gi' } }]));
    expect(sum.requests.memory_bytes).toBeNull();
    const before = wire(podOf([{ requests: { memory: '1Gi' } }], [{ requests: { memory: '1Ei' } }]));
    expect(before.requests.memory_bytes).toBeNull();
  });

  it('may be in range while the sum is not', () => {
    const pod = wire(podOf([{ requests: { memory: '5Pi' } }, { requests: { memory: '5Pi' } }]));
    expect(pod.requests.memory_bytes).toBeNull();
    expect(pod.unknown_fields).toEqual(['requests.memory_bytes: its parts cannot be added to a figure in range']);
  });

  it.each(UNKNOWN)('%j of a node or a claim is unknown with a reason', (storage) => {
    const list = { cpu: storage, memory: storage, 'ephemeral-storage': storage, pods: storage };
    const node = nodeObject.parse(nodes.project({ metadata, status: { capacity: list, allocatable: list } }));
    const nothing = { cpu_cores: null, memory_bytes: null, ephemeral_bytes: null, pods: null };
    expect([node.capacity, node.allocatable]).toEqual([nothing, nothing]);
    expect(node.unknown_fields).toHaveLength(8);
    const claim = { metadata, spec: { resources: { requests: { storage } } }, status: { capacity: { storage } } };
    const volume = volumeObject.parse(volumes.project(claim));
    expect([volume.capacity_bytes, volume.requested_bytes]).toEqual([null, null]);
    expect(volume.unknown_fields?.[0]).toMatch(/^capacity_bytes: /);
  });

  it('whatever it is, the wire accepts its pod', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[-+.0-9eEKMGTPnumki]{0,20}$/), fc.double(), fc.jsonValue());
    const list = fc.record({ cpu: text, memory: text }, { requiredKeys: [] });
    const resources = fc.array(fc.record({ requests: list, limits: list }, { requiredKeys: [] }), { maxLength: 4 });
    fc.assert(
      fc.property(resources, resources, (along, init) => {
        const { unknown_fields: unknown = [] } = wire(podOf(along, init));
        expect(unknown.every((reason) => /^\w+(\.\w+)*: ./.test(reason))).toBe(true);
      }),
    );
  });

  it('names at most twenty reasons of one object', () => {
    const figures = new Figures();
    for (let index = 0; index < 30; index += 1) figures.bytes('x', `f${String(index)}`);
    expect(figures.unknown.unknown_fields).toHaveLength(20);
  });

  it('has the bounds of the wire', () => {
    const { bytes, int32, bytesPerSecond, epochSeconds } = FIGURE_LIMITS;
    expect({ bytes, int32, bytesPerSecond, epochSeconds }).toEqual({
      bytes: MOST.exact,
      int32: MOST.int32,
      bytesPerSecond: MOST.rate,
      epochSeconds: MOST.epochSeconds,
    });
  });
});
