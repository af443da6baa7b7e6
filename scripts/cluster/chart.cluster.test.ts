import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CHART,
  type KubernetesObject,
  REGISTRY,
  helm,
  kubectl,
  makeNamespace,
  podOf,
  render,
  scenarios,
  values,
  workload,
} from './testing/release.ts';

/** Kinds of operators that a test cluster need not have: a definition that accepts any of them stands in. */
const STAND_IN_KINDS = [
  ['monitoring.coreos.com', 'v1', 'ServiceMonitor', 'servicemonitors'],
  ['monitoring.coreos.com', 'v1', 'PodMonitor', 'podmonitors'],
  ['monitoring.coreos.com', 'v1', 'PrometheusRule', 'prometheusrules'],
  ['gateway.networking.k8s.io', 'v1', 'HTTPRoute', 'httproutes'],
] as const;

const definition = ([group, version, kind, plural]: (typeof STAND_IN_KINDS)[number]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  // The real HTTPRoute is a protected name: it carries the approval its own definition has.
  metadata: {
    name: `${plural}.${group}`,
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/gateway-api/pull/2997' },
  },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase() },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

beforeAll(() => {
  const items = STAND_IN_KINDS.map(definition);
  kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  for (const { metadata } of items)
    kubectl(['wait', '--for=condition=Established', `crd/${metadata.name}`, '--timeout=30s']);
  makeNamespace('render', 'privileged');
  makeNamespace('render-restricted', 'restricted');
});
afterAll(() => {
  kubectl(['delete', 'namespace', 'render', 'render-restricted']);
  kubectl(['delete', 'crd', ...STAND_IN_KINDS.map(([group, , , plural]) => `${plural}.${group}`)]);
});

const dryRun = (objects: KubernetesObject[], namespace: string) =>
  kubectl(['apply', '--dry-run=server', '-n', namespace, '-f', '-'], {
    input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
  });

/** A rendered pod, free to be shown to another namespace than its own. */
const podWithoutPlace = ({ metadata, spec, ...rest }: KubernetesObject): KubernetesObject => ({
  ...rest,
  metadata: { name: metadata.name },
  spec: { ...spec, serviceAccountName: 'default' },
});

test.each(scenarios)('%s: the API server accepts every object', (scenario) => {
  const objects = render(values(scenario), 'plimsoll', 'render');
  const placed = objects.map((object) => (object.kind === 'Pod' ? podWithoutPlace(object) : object));
  const accepted = dryRun(placed, 'render').trim().split('\n');
  expect(accepted).toHaveLength(objects.length);
  for (const line of accepted) expect(line).toMatch(/\(server dry run\)$/);
});

test('in mode kubelet every pod passes Pod Security "restricted"', () => {
  const objects = render(values('restricted-values.yaml'));
  for (const name of ['api', 'node-agent', 'cluster-collector', 'prometheus', 'kube-state-metrics'])
    expect(dryRun([podOf(workload(objects, name))], 'render-restricted')).toContain('created');
  const tests = objects.filter(({ kind }) => kind === 'Pod');
  expect(tests).toHaveLength(2);
  for (const pod of tests) expect(dryRun([podWithoutPlace(pod)], 'render-restricted')).toContain('created');
});

test.each(['proc', 'full'])('in mode %s only the node agent needs more, and NOTES says so', (mode) => {
  const args = ['--set', `nodeAgent.mode=${mode}`];
  const objects = render(args);
  const agent = podOf(workload(objects, 'node-agent'));
  expect(() => dryRun([agent], 'render-restricted')).toThrow(
    /volumes "proc", "sys" use restricted volume type "hostPath"/,
  );
  expect(dryRun([agent], 'render')).toContain('created');
  expect(dryRun([podOf(workload(objects, 'api'))], 'render-restricted')).toContain('created');
  const notes = helm(['install', 'plimsoll', CHART, '-n', 'render', '--dry-run=client', ...REGISTRY, ...args]);
  expect(notes).toContain('kubectl label namespace render pod-security.kubernetes.io/enforce=privileged');
});
