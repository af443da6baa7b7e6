import { podObject } from '@plimsoll/contract/wire/cluster-objects';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pods } from './pods.ts';
import { capturedObject } from '../testing/captured.ts';

const SINCE = '2026-11-28T10:00:00Z';
const condition = (type: string, reason?: string, message?: string): object => ({
  type,
  status: 'True',
  lastTransitionTime: SINCE,
  ...(reason === undefined ? {} : { reason }),
  ...(message === undefined ? {} : { message }),
});

/** A pod of one container that requests one core and runs with half of one. */
function resized(status: object, applied: unknown = { requests: { cpu: '500m', memory: '1Gi' } }) {
  const { metadata } = capturedObject('pods', 'burner-');
  return pods.project({
    metadata,
    spec: { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '1', memory: '1Gi' } } }] },
    status: {
      phase: 'Running',
      containerStatuses: [{ name: 'web', restartCount: 0, ready: true, state: { running: {} }, resources: applied }],
      ...status,
    },
  });
}

describe('a pod whose resources are changed in place', () => {
  it.each([
    ['infeasible', [condition('PodResizePending', 'Infeasible', "Node didn't have enough capacity: cpu")]],
    ['deferred', [condition('PodResizePending', 'Deferred', 'Node is full'), condition('PodResizeInProgress')]],
    ['pending', [condition('PodResizePending')]],
    ['in_progress', [condition('PodResizeInProgress')]],
    ['error', [condition('PodResizeInProgress', 'Error', 'cannot shrink memory below usage')]],
  ])('is %s, with the reason and what runs', (state, conditions) => {
    const pod = resized({ conditions });
    const { message } = conditions[0] as { message?: string };
    expect(pod.resize).toEqual({ state, message: message ?? null, since: Date.parse(SINCE) / 1000 });
    expect(pod.containers[0]).toMatchObject({
      requests: { cpu_cores: 1 },
      running_requests: { cpu_cores: 0.5, memory_bytes: 2 ** 30 },
      running_limits: { cpu_cores: null, memory_bytes: null },
    });
    expect(podObject.parse({ ...pod, owner: null }).resize).toEqual(pod.resize);
  });

  it.each([
    ['Proposed', 'pending'],
    ['InProgress', 'in_progress'],
    ['Deferred', 'deferred'],
    ['Infeasible', 'infeasible'],
  ])('says %s in versions before 1.33', (resize, state) => {
    expect(resized({ resize }).resize).toEqual({ state, message: null, since: null });
  });

  it('requests what it holds once the kubelet refused, in versions before 1.33, too', () => {
    for (const status of [{ resize: 'Infeasible' }, { conditions: [condition('PodResizePending', 'Infeasible')] }])
      expect(resized(status).requests).toEqual({ cpu_cores: 0.5, memory_bytes: 2 ** 30 });
    expect(resized({ resize: 'Deferred' }).requests).toEqual({ cpu_cores: 1, memory_bytes: 2 ** 30 });
  });

  it('is none without a condition that is true, whatever the kubelet rounded', () => {
    const over = { ...condition('PodResizePending', 'Deferred'), status: 'False' };
    for (const status of [
      {},
      { conditions: [over] },
      { resize: '' },
      { resize: 'constructor' },
      { resize: '__proto__' },
    ]) {
      const pod = resized(status);
      expect(pod).not.toHaveProperty('resize');
      expect(pod.containers[0]).not.toHaveProperty('running_requests');
    }
  });

  it('shows nothing that runs where it is what is wanted, or where the kubelet does not say', () => {
    const conditions = [condition('PodResizeInProgress')];
    for (const applied of [{ requests: { cpu: '1000m', memory: '1024Mi' } }, null])
      expect(resized({ conditions }, applied).containers[0]).not.toHaveProperty('running_requests');
  });

  it('stays a pod whatever the kubelet says', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (applied, reason) => {
        const conditions = [condition('PodResizePending', reason, reason.repeat(300))];
        const pod = resized({ conditions }, applied);
        expect(podObject.safeParse({ ...pod, owner: null }).success).toBe(true);
      }),
    );
  });
});
