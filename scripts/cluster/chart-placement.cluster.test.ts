// Needs helm and no cluster.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { CHART, type KubernetesObject, helm, render, scenarios, values } from './testing/release.ts';

interface Container {
  name: string;
  resources?: { requests?: Record<string, unknown>; limits?: Record<string, unknown> };
  securityContext?: Record<string, unknown>;
}
interface Expression {
  key: string;
  operator: string;
  values?: string[];
}
interface PodSpec {
  nodeSelector?: Record<string, string>;
  affinity?: {
    nodeAffinity?: {
      requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms: { matchExpressions?: Expression[] }[] };
    };
    podAntiAffinity?: object;
  };
  securityContext?: Record<string, unknown>;
  containers: Container[];
  initContainers?: Container[];
}

/** The part of a workload, a Job or a CronJob that describes its pods. */
interface Workload {
  template?: { spec?: PodSpec };
  jobTemplate?: { spec: { template: { spec?: PodSpec } } };
}

/** Returns every pod that a rendered release makes, with a name for the message of a failed test. */
function podsOf(objects: KubernetesObject[]): { name: string; pod: PodSpec }[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const name = `${kind} ${metadata.name}`;
    if (kind === 'Pod') return [{ name, pod: spec as unknown as PodSpec }];
    const { jobTemplate, template } = (spec ?? {}) as Workload;
    const found = (template ?? jobTemplate?.spec.template)?.spec;
    return found?.containers ? [{ name, pod: found }] : [];
  });
}
const termsOf = ({ affinity }: PodSpec) =>
  affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
const podNamed = (args: string[], name: string): PodSpec => {
  const found = podsOf(render(args)).find((each) => each.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found.pod;
};
const ARCHITECTURES = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] };

test.each(scenarios)('%s: every pod runs on Linux and on the architectures of the images', (scenario) => {
  const pods = podsOf(render(values(scenario)));
  expect(pods.length).toBeGreaterThan(1);
  for (const { name, pod } of pods) {
    const terms = termsOf(pod).map(({ matchExpressions = [] }) =>
      matchExpressions.filter(({ key }) => key === ARCHITECTURES.key),
    );
    expect({ name, os: pod.nodeSelector?.['kubernetes.io/os'], terms }).toEqual({
      name,
      os: 'linux',
      terms: [[ARCHITECTURES]],
    });
  }
});

test.each(scenarios)('%s: every container has requests and a memory limit, and no CPU limit', (scenario) => {
  for (const { name, pod } of podsOf(render(values(scenario)))) {
    for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
      const { requests = {}, limits = {} } = container.resources ?? {};
      const keys = { requests: Object.keys(requests).toSorted(), limits: Object.keys(limits) };
      expect({ name, ...keys }).toEqual({ name, requests: ['cpu', 'memory'], limits: ['memory'] });
    }
  }
});

test.each(['node-agent', 'node-exporter'])('%s avoids nodes that are no machines of their own', (component) => {
  const pod = podNamed(['--set', 'nodeExporter.enabled=true'], `DaemonSet plimsoll-${component}`);
  const [term] = termsOf(pod);
  expect(term?.matchExpressions).toEqual([
    ARCHITECTURES,
    { key: 'eks.amazonaws.com/compute-type', operator: 'NotIn', values: ['fargate'] },
    { key: 'type', operator: 'NotIn', values: ['virtual-kubelet', 'kwok'] },
    { key: 'virtual-kubelet.io/provider', operator: 'DoesNotExist' },
    { key: 'liqo.io/type', operator: 'NotIn', values: ['virtual-node'] },
  ]);
});

test('the affinity of the values stays, and each of its terms is limited to the architectures', () => {
  const own = (zone: string): Expression => ({ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] });
  const stored = 'backup.enabled=true,api.database.existingSecret=database';
  const affinity = {
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] },
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [own('a')] }, { matchExpressions: [own('b')] }],
      },
    },
  };
  const args = ['--set-json', `api.affinity=${JSON.stringify(affinity)}`, '--set', 'api.nodeSelector.disk=ssd'];
  const pod = podNamed([...args, '--set', stored], 'Deployment plimsoll-api');
  expect(pod.nodeSelector).toEqual({ 'kubernetes.io/os': 'linux', disk: 'ssd' });
  expect(pod.affinity?.podAntiAffinity).toEqual(affinity.podAntiAffinity);
  expect(termsOf(pod)).toEqual([
    { matchExpressions: [own('a'), ARCHITECTURES] },
    { matchExpressions: [own('b'), ARCHITECTURES] },
  ]);
  const backup = podNamed([...args, '--set', stored], 'CronJob plimsoll-backup');
  for (const { matchExpressions } of termsOf(backup))
    expect(matchExpressions?.filter(({ key }) => key === ARCHITECTURES.key)).toHaveLength(1);
});

test('every user, group and volume group can be left to OpenShift', () => {
  const pods = ['api', 'clusterCollector', 'prometheus', 'kubeStateMetrics', 'nodeExporter', 'nodeAgent'];
  const contexts = [...pods.map((component) => `${component}.podSecurityContext`), 'nodeAgent.securityContext'];
  const users = ['runAsUser', 'runAsGroup', 'fsGroup'];
  const args = contexts.flatMap((context) => users.flatMap((key) => ['--set', `${context}.${key}=null`]));
  const options = 'nodeExporter.enabled=true,nodeAgent.mode=kubelet,backup.enabled=true';
  const rendered = podsOf(render([...args, '--set', options]));
  expect(rendered.length).toBeGreaterThanOrEqual(8);
  for (const { name, pod } of rendered)
    for (const { securityContext } of [pod, ...(pod.initContainers ?? []), ...pod.containers])
      for (const key of users) expect([name, securityContext?.[key] ?? null]).toEqual([name, null]);
});

const example = (name: string) => join(CHART, 'examples', name);

test('the values for OpenShift leave no user to the chart', () => {
  const rendered = podsOf(render(['-f', example('openshift-values.yaml')]));
  expect(JSON.stringify(rendered)).not.toMatch(/"(runAsUser|runAsGroup|fsGroup)":\d/);
  expect(JSON.stringify(rendered)).not.toContain('hostPath');
});

test('the values for a ResourceQuota give every container a CPU limit', () => {
  const options = 'nodeExporter.enabled=true,backup.enabled=true,api.database.existingSecret=database';
  const rendered = podsOf(render(['-f', example('cpu-limits-values.yaml'), '--set', options]));
  for (const { name, pod } of rendered)
    for (const { resources } of [...(pod.initContainers ?? []), ...pod.containers])
      expect({ name, limits: Object.keys(resources?.limits ?? {}).toSorted() }).toEqual({
        name,
        limits: ['cpu', 'memory'],
      });
});

test.each(['argo-cd.yaml', 'flux.yaml'])(
  'the values in %s are values of the chart, and render the same twice',
  (name) => {
    interface Application {
      spec: { values?: object; source?: { helm: { valuesObject: object } } };
    }
    const objects = loadAll(readFileSync(example(name), 'utf8')) as Application[];
    const { values: ofFlux, source } = objects.at(-1)?.spec ?? {};
    const given = ofFlux ?? source?.helm.valuesObject;
    expect(given).toHaveProperty('token.existingSecret');
    const once = () => helm(['template', 'plimsoll', CHART, '-f', '-'], { input: JSON.stringify(given) });
    expect(once()).toBe(once());
  },
);

test('the proxy is between the collectors and the dashboard only', () => {
  const args = ['--set', 'proxy.url=http://proxy.example.com:3128,proxy.noProxy=a.example.com'];
  const environment = (name: string, set: string[]) => {
    const [container] = podNamed(set, name).containers as unknown as { env: { name: string; value?: string }[] }[];
    return Object.fromEntries(container?.env.map(({ name: key, value }) => [key, value]) ?? []);
  };
  const collector = environment('Deployment plimsoll-cluster-collector', args);
  expect(collector).toMatchObject({ HTTPS_PROXY: 'http://proxy.example.com:3128', NODE_USE_ENV_PROXY: '1' });
  expect(collector['NO_PROXY']).toBe('a.example.com,.svc,localhost,127.0.0.1');
  const agent = environment('DaemonSet plimsoll-node-agent', args);
  expect(agent['NO_PROXY']).toBe('$(NODE_IP),a.example.com,.svc,localhost,127.0.0.1');
  // Kubernetes expands $(NODE_IP) only where it is defined before.
  expect(Object.keys(agent).indexOf('NODE_IP')).toBeLessThan(Object.keys(agent).indexOf('NO_PROXY'));
  expect(environment('Deployment plimsoll-cluster-collector', [])).not.toHaveProperty('HTTPS_PROXY');
});

test('two renders of one release are equal, as Argo CD and Flux need it', () => {
  const once = () => JSON.stringify(render(values('collectors-values.yaml')));
  expect(once()).toBe(once());
});
