import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHART, type KubernetesObject, OWN_IMAGES, helm, kubectl, makeNamespace, render } from './testing/release.ts';

const scenarios = globSync('*-values.yaml', { cwd: join(CHART, 'ci') }).toSorted();
const values = (scenario: string) => ['-f', join(CHART, 'ci', scenario)];

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

test('there are scenarios', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(6);
});

test.each(scenarios)('%s passes lint', (scenario) => {
  expect(helm(['lint', '--strict', CHART, ...values(scenario)])).toContain('0 chart(s) failed');
});

test.each(scenarios)('%s: the API server accepts every object', (scenario) => {
  const objects = render(values(scenario), 'plimsoll', 'render');
  const placed = objects.map((object) => (object.kind === 'Pod' ? podWithoutPlace(object) : object));
  const accepted = dryRun(placed, 'render').trim().split('\n');
  expect(accepted).toHaveLength(objects.length);
  for (const line of accepted) expect(line).toMatch(/\(server dry run\)$/);
});

test('every object carries the release in its name and its labels', () => {
  for (const { kind, metadata } of render(values('everything-values.yaml'), 'tuesday', 'render')) {
    expect(`${kind} ${metadata.name}`).toContain('tuesday');
    if (kind === 'ConfigMap' && metadata.name === 'tuesday-extra') continue;
    expect(metadata.labels, `${kind} ${metadata.name}`).toMatchObject({
      'app.kubernetes.io/instance': 'tuesday',
      team: 'platform',
    });
  }
});

test('cluster-wide objects of one release name in two namespaces differ', () => {
  const names = (namespace: string) =>
    render([], 'plimsoll', namespace)
      .filter(({ kind }) => kind.startsWith('Cluster'))
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(names('a')).toHaveLength(8);
  expect(names('a').filter((name) => names('b').includes(name))).toEqual([]);
});

test.each([
  [['--set', 'nonsense=1'], "additional properties 'nonsense' not allowed"],
  [['--set', 'nodeAgent.kubelet.insecure=true'], "additional properties 'insecure' not allowed"],
  [['--set', 'nodeAgent.mode=root'], '/nodeAgent/mode'],
  [['--set', 'telegram.chatId=-100200'], '/telegram/chatId'],
  [['--set', 'api.admin.email=a@example.com,api.admin.password=short'], '/api/admin/password'],
  [['--set', 'api.enabled=false'], 'endpoint is empty'],
  [['--set', 'api.enabled=false,endpoint=https://x.example.com'], 'token is missing'],
  [['--set', 'api.enabled=false,token.value=x,endpoint=http://x.example.com'], 'allowHttp=true'],
  [['--set', 'api.replicas=2'], 'api.replicas above 1 needs a database of its own'],
  [['--set', 'api.replicas=2,api.database.url=postgresql://x/y'], 'cannot share a ReadWriteOnce volume'],
  [['--set', 'api.admin.password=correct-horse-battery'], 'api.admin.email is empty'],
])('helm refuses %j and says why', (args, reason) => {
  expect(() => render(args)).toThrow(reason);
});

test.each([
  ['telegram.botToken=1:a', 'telegram.chatId'],
  ['telegram.chatId=a', 'telegram.botToken'],
  ['api.ingress.enabled=true', 'api.ingress.hosts'],
  ['api.ingress.enabled=true,api.ingress.hosts={https://x}', 'api.ingress.hosts.0'],
  ['api.httpRoute.enabled=true', 'api.httpRoute.parentRefs'],
  ['api.httpRoute.enabled=true,api.httpRoute.parentRefs[0].namespace=x', 'api.httpRoute.parentRefs.0'],
  ['commonLabels.team=5', 'commonLabels.team'],
  ['api.podLabels.team=5', 'api.podLabels.team'],
  ['monitoring.labels.release=5', 'monitoring.labels.release'],
  ['api.persistence.size=5x', 'api.persistence.size'],
  ['nodeAgent.stateSize=banana', 'nodeAgent.stateSize'],
  ['nodeAgent.resources.limits.memory=banana', 'nodeAgent.resources.limits.memory'],
  ['prometheus.scrapeInterval=banana', 'prometheus.scrapeInterval'],
  ['prometheus.retentionSize=3Gi', 'prometheus.retentionSize'],
  ['monitoring.interval=5x', 'monitoring.interval'],
  ['clusterCollector.enabled=false', 'clusterCollector.enabled'],
  ['nodeAgent.kubelet.metrics=true', 'nodeAgent.kubelet'],
])('the schema refuses %s and names %s', (set, path) => {
  // Helm 3 writes the path with dots, Helm 4 with slashes.
  expect(() => render(['--set', set])).toThrow(new RegExp(`[ '/]${path.replaceAll('.', '[./]')}['":]`));
});

test('a release without collectors, and quantities as numbers, are accepted', () => {
  const set = 'clusterCollector.enabled=false,nodeAgent.enabled=false,api.resources.limits.cpu=2';
  expect(() => render(['--set', set])).not.toThrow();
});

const workload = (objects: KubernetesObject[], name: string) => {
  const found = objects.find(
    ({ kind, metadata }) => ['Deployment', 'DaemonSet'].includes(kind) && metadata.name === `plimsoll-${name}`,
  );
  if (!found) throw new Error(`no workload plimsoll-${name}`);
  return found;
};
/** The pod a workload would make, to show it to the admission of Pod Security, which only warns about workloads. */
const podOf = (object: KubernetesObject): KubernetesObject => {
  const { template } = object.spec as { template: { metadata: { labels: Record<string, string> }; spec: object } };
  const spec = { ...template.spec, restartPolicy: 'Always', serviceAccountName: 'default' };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'admission', labels: template.metadata.labels }, spec };
};
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
  const notes = helm(['install', 'plimsoll', CHART, '-n', 'render', '--dry-run=client', ...args]);
  expect(notes).toContain('kubectl label namespace render pod-security.kubernetes.io/enforce=privileged');
});

test('the node agent never shares a namespace of the host and never mounts its root', () => {
  for (const mode of ['kubelet', 'proc', 'full']) {
    const { spec } = podOf(workload(render(['--set', `nodeAgent.mode=${mode}`]), 'node-agent'));
    expect(spec).not.toHaveProperty('hostPID');
    expect(spec).not.toHaveProperty('hostNetwork');
    expect(JSON.stringify(spec)).not.toContain('"path":"/"');
    expect(JSON.stringify(spec)).toContain('"readOnlyRootFilesystem":true');
  }
});

test('Kubernetes 1.19 and 1.20 get the disruption budget they know', () => {
  const version = (kubernetes: string) =>
    render(['--kube-version', kubernetes]).find(({ kind }) => kind === 'PodDisruptionBudget')?.apiVersion;
  expect(version('1.19.0')).toBe('policy/v1beta1');
  expect(version('1.21.0')).toBe('policy/v1');
  expect(() => render(['--kube-version', '1.18.20'])).toThrow('incompatible with Kubernetes v1.18.20');
});

test('collectors only: no API, no volume, secrets mounted as files', () => {
  const objects = render(values('collectors-values.yaml'));
  const kinds = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(kinds.filter((name) => /-api$|-storage$/.test(name))).toEqual([]);
  const collector = JSON.stringify(workload(objects, 'cluster-collector'));
  expect(collector).toContain('https://plimsoll.example.com');
  expect(collector).toContain('TELEGRAM_BOT_TOKEN_FILE');
  for (const secret of ['an-example-token', '1:example', '-100200300']) expect(collector).not.toContain(secret);
});

test('one toggle drives Prometheus and kube-state-metrics', () => {
  const names = (args: string[]) => render(args).map(({ metadata }) => metadata.name);
  const both = (args: string[]) =>
    ['prometheus', 'kube-state-metrics'].map((name) => names(args).includes(`plimsoll-${name}`));
  expect(both([])).toEqual([true, true]);
  expect(both(['--set', 'prometheus.enabled=false'])).toEqual([false, false]);
  expect(both(['--set', 'kubeStateMetrics.enabled=false'])).toEqual([true, false]);
  expect(names([])).not.toContain('plimsoll-node-exporter');
});

test('no role of ours or of what we bring may read secrets or configmaps, or proxy to a node', () => {
  const rules = render(values('everything-values.yaml')).flatMap((object) => object.rules ?? []);
  expect(rules.length).toBeGreaterThan(12);
  for (const { resources, verbs, apiGroups } of rules) {
    for (const resource of ['secrets', 'configmaps', 'nodes/proxy', '*']) expect(resources).not.toContain(resource);
    expect([...verbs, ...apiGroups]).not.toContain('*');
  }
});

test('an image is taken by digest where one is given, and from the registry that is set', () => {
  const images = JSON.stringify(render(values('everything-values.yaml'))).match(/"image":"[^"]+"/g) ?? [];
  expect(images).toContain(`"image":"registry.example.com/mirror/plimsoll/api@sha256:${'0'.repeat(64)}"`);
  for (const image of images) expect(image).toMatch(/^"image":"registry\.example\.com\/mirror\//);
});

test('each template file holds one object, named for its kind', () => {
  const files = globSync('templates/*/*.yaml', { cwd: CHART });
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) {
    const kinds = [...readFileSync(join(CHART, file), 'utf8').matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind);
    expect(`${file}: ${kinds.join(' ')}`).toMatch(/: \w+$/);
    expect(`${basename(file, '.yaml')} holds ${kinds.join().toLowerCase()}`).toMatch(/(^|-)(\w+) holds \2$/);
  }
});

test('the own images are what the other tests install', () => {
  const images = JSON.stringify(render(OWN_IMAGES));
  expect(images).toContain('plimsoll/api:test');
  expect(images).toContain('plimsoll/collector:test');
});
