import { placementObject } from '@plimsoll/contract/wire/cluster-placement';
import { podObject, volumeObject } from '@plimsoll/contract/wire/cluster-objects';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capturedObject } from '../testing/captured.ts';
import { persistentVolumes } from './persistent-volumes.ts';
import { placementOf } from './placement.ts';
import { pods } from './pods.ts';

const added = ['not-ready', 'unreachable'].map((name) => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}));
const container = (resources: object, more: object = {}): object => ({ name: 'app', image: 'a', resources, ...more });
const placed = (spec: object, status: object = {}) => placementOf({ spec, status } as never);
const terms = (...list: object[]) => ({ requiredDuringSchedulingIgnoredDuringExecution: list });

describe('the constraints of a pod', () => {
  it('are none for a pod with the two tolerations that admission adds', () => {
    expect(
      placed({ containers: [container({ requests: { cpu: '1', memory: '1Gi' } })], tolerations: added }),
    ).toBeNull();
  });

  it('are none once the pod ended, because it holds nothing', () => {
    expect(placed({ containers: [], nodeSelector: { disk: 'ssd' } }, { phase: 'Succeeded' })).toBeNull();
  });

  it('take the huge pages of the whole pod in place of those of its containers', () => {
    const placement = placed({
      resources: { requests: { 'hugepages-2Mi': '8Mi', cpu: '1' } },
      containers: [container({ requests: { 'hugepages-2Mi': '2Mi' } })],
    });
    expect(placement?.requests).toEqual({ 'hugepages-2Mi': 8 * 2 ** 20 });
  });

  it('name every constraint of the scheduler that is modelled', () => {
    const placement = placed({
      containers: [
        container(
          { requests: { 'ephemeral-storage': '1Gi', 'nvidia.com/gpu': '2' } },
          { ports: [{ hostPort: 80 }, { hostPort: 53, protocol: 'UDP', hostIP: '10.0.0.1' }, { containerPort: 9 }] },
        ),
      ],
      initContainers: [
        container({ requests: { 'ephemeral-storage': '1Gi' } }, { restartPolicy: 'Always' }),
        container({ requests: { 'ephemeral-storage': '3Gi' } }),
      ],
      nodeSelector: { disk: 'ssd' },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: 'zone', operator: 'In', values: ['a', 'b'] },
                  { key: 'gpu', operator: 'DoesNotExist' },
                ],
              },
              { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] },
              {},
            ],
          },
        },
        podAffinity: terms({
          topologyKey: 'zone',
          labelSelector: { matchLabels: { app: 'db' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
          namespaces: ['data'],
          matchLabelKeys: ['pod-template-hash'],
        }),
        podAntiAffinity: terms({ topologyKey: 'kubernetes.io/hostname', namespaceSelector: {} }),
      },
      tolerations: [
        ...added,
        { key: 'dedicated', value: 'db', effect: 'NoSchedule' },
        { operator: 'Exists' },
        { key: 'sla', operator: 'Gt', value: '950', effect: 'NoSchedule' },
      ],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          minDomains: 3,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'api' } },
          nodeTaintsPolicy: 'Honor',
          nodeAffinityPolicy: 'Ignore',
        },
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' },
      ],
      priority: 1000,
      schedulerName: 'volcano',
      resourceClaims: [{ name: 'gpu' }],
    });
    expect(placementObject.parse(placement)).toEqual(placement);
    expect(placement).toEqual({
      hash: expect.stringMatching(/^[\w-]{12}$/) as string,
      node_selector: { disk: 'ssd' },
      node_affinity: [{ labels: 'zone in (a,b),!gpu' }, { fields: 'metadata.name in (node-1)' }],
      tolerations: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }, { exists: true }],
      host_ports: ['TCP:80', 'UDP:53@10.0.0.1'],
      pod_affinity: [
        {
          topology_key: 'zone',
          selector: 'app in (db),tier',
          namespaces: ['data'],
          match_label_keys: ['pod-template-hash'],
        },
      ],
      pod_anti_affinity: [{ topology_key: 'kubernetes.io/hostname', selector: null, namespace_selector: '' }],
      spread: [
        {
          topology_key: 'zone',
          max_skew: 1,
          min_domains: 3,
          selector: 'app in (api)',
          ignores_node_affinity: true,
          honors_taints: true,
        },
      ],
      requests: { 'ephemeral-storage': 4 * 2 ** 30, 'nvidia.com/gpu': 2 },
      priority: 1000,
      not_modelled: ['schedulerName volcano', 'resourceClaims', 'tolerations with Gt or Lt'],
    });
  });

  it('have one hash for pods of one template, and another for any other', () => {
    const one = placed({ containers: [], nodeSelector: { disk: 'ssd' } });
    expect(placed({ containers: [], nodeSelector: { disk: 'ssd' }, nodeName: 'node-2' })?.hash).toBe(one?.hash);
    expect(placed({ containers: [], nodeSelector: { disk: 'hdd' } })?.hash).not.toBe(one?.hash);
  });

  it.each([
    [
      'too many ports',
      { containers: [container({}, { ports: Array.from({ length: 65 }, (_, i) => ({ hostPort: i + 1 })) })] },
    ],
    [
      'too many bytes',
      {
        nodeSelector: Object.fromEntries(
          Array.from({ length: 60 }, (_, i) => [`${'k'.repeat(100)}${String(i)}`, 'v'.repeat(63)]),
        ),
      },
    ],
    [
      'an operator of the future',
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Near' }] }],
            },
          },
        },
      },
    ],
    ['a label that is a secret', { nodeSelector: { 'api-token': 'hunter2' } }],
    ['a quantity of nonsense', { containers: [container({ requests: { 'nvidia.com/gpu': 'many' } })] }],
  ])('that cannot be sent (%s) cost no pod: its unknown fields name them', (_, spec) => {
    const pod = capturedObject('pods', 'burner-');
    const projected = pods.project({ ...pod, spec: { ...pod.spec, ...spec } });
    expect(projected.placement).toBeNull();
    expect(projected.unknown_fields).toEqual([expect.stringMatching(/^placement: /)]);
    expect(JSON.stringify(projected.unknown_fields)).not.toContain('hunter2');
    expect(podObject.parse({ ...projected, owner: null })).toBeDefined();
  });

  it('are read from any spec without losing the pod', () => {
    const anything = fc.anything({ maxDepth: 3 });
    const keys = ['nodeSelector', 'affinity', 'tolerations', 'topologySpreadConstraints', 'priority', 'overhead'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), anything), (parts) => {
        const pod = capturedObject('pods', 'burner-');
        const { placement } = pods.project({ ...pod, spec: { ...pod.spec, ...parts } });
        expect(placementObject.nullish().safeParse(placement).error).toBeUndefined();
      }),
    );
    expect.hasAssertions();
  });
});

describe('a persistent volume', () => {
  const volume = (spec: object) => persistentVolumes.project({ metadata: { uid: 'pv' }, spec });

  it('says which nodes can mount it', () => {
    const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }] };
    const { nodeAffinity } = volume({ claimRef: { uid: 'claim' }, nodeAffinity: { required } });
    expect(nodeAffinity).toEqual([{ labels: 'zone in (a)' }]);
    expect(volumeObject.shape.node_affinity.parse(nodeAffinity)).toEqual(nodeAffinity);
  });

  it('without an affinity can be mounted by any node', () => {
    expect(volume({ claimRef: { uid: 'claim' } })).toEqual({ uid: 'pv', claimUid: 'claim', nodeAffinity: null });
    expect(volume({}).claimUid).toBeNull();
  });
});
