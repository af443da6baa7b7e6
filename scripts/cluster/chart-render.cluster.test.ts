// Needs helm and no cluster.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { PRODUCT_REGISTRY, PRODUCT_TAG } from './product-images.ts';
import {
  CHART,
  EXAMPLE_TOKEN,
  OWN_IMAGES,
  helm,
  podOf,
  render,
  scenarios,
  values,
  workload,
} from './testing/release.ts';

test('there are scenarios', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(6);
});

test.each(scenarios)('%s passes lint', (scenario) => {
  expect(helm(['lint', '--strict', CHART, ...values(scenario)])).toContain('0 chart(s) failed');
});

test('every object carries the release in its name and its labels', () => {
  for (const { kind, metadata } of render(values('everything-values.yaml'), 'tuesday', 'render')) {
    // A definition has one name in the whole cluster.
    if (kind === 'CustomResourceDefinition') continue;
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
  [['--set', `api.enabled=false,token.value=${EXAMPLE_TOKEN},endpoint=http://x.example.com`], 'allowHttp=true'],
  [['--set', 'api.replicas=2'], 'api.replicas above 1 needs a database of its own'],
  [['--set', 'api.replicas=2,api.database.url=postgresql://x/y'], 'cannot share a ReadWriteOnce volume'],
  [['--set', 'api.admin.password=correct-horse-battery'], 'api.admin.email is empty'],
  [['--set', 'api.autoscaling.enabled=true'], 'api.autoscaling.enabled needs a database of its own'],
  [['--set', 'api.replicas=0'], 'api.replicas is 0'],
  [
    ['--set', 'api.resources.limits.memory=128Mi'],
    'api.resources.limits.memory is 128Mi, below api.resources.requests.memory',
  ],
  [['--set', 'nodeAgent.resources.limits.cpu=9m'], 'nodeAgent.resources.limits.cpu is 9m, below'],
  [
    ['--set', 'kubeStateMetrics.resources.requests.memory=0.5Gi'],
    'kubeStateMetrics.resources.limits.memory is 256Mi, below',
  ],
])('helm refuses %j and says why', (args, reason) => {
  expect(() => render(args)).toThrow(reason);
});

test('without image.registry the schema refuses an install and names the command that pushes the images', () => {
  const install = () => helm(['template', 'plimsoll', CHART]);
  expect(install).toThrow(/[ '/]image[./]registry['":]/);
  expect(install).toThrow('npm run build:images -- --registry REGISTRY --tag TAG --push');
});

test('the API gives Setup the registry and the tag', () => {
  const env = (args: string[]) => {
    const { containers } = podOf(workload(render(args), 'api')).spec as { containers: { env: { name: string }[] }[] };
    return containers[0]?.env.filter(({ name }) => name.startsWith('PLIMSOLL_IMAGE_'));
  };
  const registry = { name: 'PLIMSOLL_IMAGE_REGISTRY', value: 'registry.example.com/team' };
  expect(env([])).toEqual([registry]);
  expect(env(['--set-string', 'image.tag=1.10,image.registry=registry.example.com/team/'])).toEqual([
    registry,
    { name: 'PLIMSOLL_IMAGE_TAG', value: '1.10' },
  ]);
});

test.each([
  ['image.registry=https://registry.example.com', 'image.registry'],
  ['image.registry=registry.example.com/Team', 'image.registry'],
  ['image.tag=a b', 'image.tag'],
  ['image.api.repository=team/Api', 'image.api.repository'],
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
  ['api.metricsPort=8420', 'api.metricsPort'],
  ['api.admin.email=ada', 'api.admin.email'],
  ['token.value=plm_cluster_short', 'token.value'],
  ['api.service.nodePort=80', 'api.service.nodePort'],
  ['prometheus.url=https://ada:secret@prometheus.example.com', 'prometheus.url'],
  ['clusterCollector.replicas=0', 'clusterCollector.replicas'],
  ['api.service.ipFamilyPolicy=Both', 'api.service.ipFamilyPolicy'],
  ['service.ipFamilies={IPv5}', 'service.ipFamilies.0'],
  ['service.ipFamilies={IPv6,IPv6}', 'service.ipFamilies'],
  ['prometheus.extraArgs={banana}', 'prometheus.extraArgs.0'],
  ['networkPolicy.egress.apiServerPorts={https}', 'networkPolicy.egress.apiServerPorts.0'],
])('the schema refuses %s and names %s', (set, path) => {
  // Helm 3 writes the path with dots, Helm 4 with slashes.
  expect(() => render(['--set', set])).toThrow(new RegExp(`[ '/]${path.replaceAll('.', '[./]')}['":]`));
});

test.each([
  'clusterCollector.enabled=false,nodeAgent.enabled=false,api.resources.limits.cpu=2',
  'clusterCollector.enabled=false,nodeAgent.enabled=false,api.replicas=0',
  // Units and fractions are compared by what they mean.
  'api.resources.limits.memory=0.25Gi,nodeAgent.resources.limits.cpu=0.01',
  'api.resources.requests.memory=1T,api.resources.limits.memory=1Ei',
  'prometheus.url=https://prometheus.example.com/team@a',
])('a release with %s is accepted', (set) => {
  expect(() => render(['--set', set])).not.toThrow();
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

test('Kubernetes 1.19 and 1.20 get the disruption budget of their API version', () => {
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
  for (const secret of [EXAMPLE_TOKEN, '1:example', '-100200300']) expect(collector).not.toContain(secret);
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

const CHANGE_RESOURCES: Record<string, string[]> = {
  services: ['services'],
  endpointSlices: ['endpointslices'],
  ingresses: ['ingresses'],
  networkPolicies: ['networkpolicies'],
  horizontalPodAutoscalers: ['horizontalpodautoscalers'],
  resourceQuotas: ['resourcequotas'],
  limitRanges: ['limitranges'],
  podDisruptionBudgets: ['poddisruptionbudgets'],
  priorityClasses: ['priorityclasses'],
  storageClasses: ['storageclasses'],
  webhookConfigurations: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
  configMaps: ['configmaps'],
};

test.each(Object.entries(CHANGE_RESOURCES))(
  'clusterCollector.changes.%s grants its kind, or not',
  (group, resources) => {
    const granted = (isOn: boolean) => {
      const objects = render(['--set', `clusterCollector.changes.${group}=${String(isOn)}`]);
      const role = objects.find(
        ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name.includes('cluster-collector'),
      );
      const all = (role?.rules ?? []).flatMap((rule) => rule.resources ?? []);
      const groups = JSON.stringify(workload(objects, 'cluster-collector'));
      return [resources.every((one) => all.includes(one)), new RegExp(`[",]${group}[",]`).test(groups)];
    };
    expect([granted(true), granted(false)]).toEqual([
      [true, true],
      [false, false],
    ]);
  },
);

test('image.registry and image.tag cover the own images only, and a digest wins', () => {
  const images = JSON.stringify(render(values('everything-values.yaml'))).match(/"image":"[^"]+"/g) ?? [];
  const own = images.filter((image) => image.includes('/plimsoll-'));
  expect(new Set(own)).toEqual(
    new Set([
      `"image":"registry.example.com/team/plimsoll-api@sha256:${'0'.repeat(64)}"`,
      ...['kits', 'node-agent', 'cluster-collector'].map(
        (name) => `"image":"registry.example.com/team/plimsoll-${name}:v1"`,
      ),
    ]),
  );
  for (const image of images.filter((each) => !own.includes(each))) expect(image).not.toContain('registry.example.com');
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
  expect(images).toContain(`${PRODUCT_REGISTRY}/plimsoll-api:${PRODUCT_TAG}`);
  expect(images).toContain(`${PRODUCT_REGISTRY}/plimsoll-cluster-collector:${PRODUCT_TAG}`);
});

interface Container {
  image: string;
  env: { name: string; value?: string }[];
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}

test('the kits of the host collector reach the folder that the API serves, and can be left out', () => {
  const api = (args: string[]) =>
    podOf(workload(render(args), 'api')).spec as {
      initContainers?: Container[];
      containers: Container[];
      volumes: { name: string }[];
    };
  const { initContainers, containers, volumes } = api([]);
  const mounts = containers[0]?.volumeMounts ?? [];
  const folder = containers[0]?.env.find(({ name }) => name === 'PLIMSOLL_AGENT_DIR')?.value;
  expect(initContainers?.map(({ image, volumeMounts }) => [image, volumeMounts])).toEqual([
    [expect.stringMatching(/\/plimsoll-kits:/), [{ name: 'kits', mountPath: '/kits' }]],
  ]);
  expect(mounts).toContainEqual({ name: 'kits', mountPath: folder, readOnly: true });
  expect(volumes.map(({ name }) => name)).toContain('kits');
  // Paths that the image copies, and their targets.
  const dockerfile = readFileSync(join(CHART, '../../scripts/agent-build/Dockerfile'), 'utf8');
  expect(dockerfile).toContain('ENTRYPOINT ["cp", "-R", "/agent/.", "/kits"]');
  expect(JSON.stringify(api(['--set', 'api.kits.enabled=false']))).not.toContain('kits');
});

test('the probes of the node agent need no shell, and it stays on nodes that evict other pods', () => {
  const { containers, tolerations } = podOf(workload(render([]), 'node-agent')).spec as {
    containers: Record<'readinessProbe' | 'livenessProbe', { exec: { command: string[] } }>[];
    tolerations: unknown[];
  };
  for (const probe of ['readinessProbe', 'livenessProbe'] as const)
    expect(containers[0]?.[probe].exec.command.slice(0, 1)).toEqual(['find']);
  expect(tolerations).toEqual([
    { operator: 'Exists', effect: 'NoSchedule' },
    { operator: 'Exists', effect: 'NoExecute' },
  ]);
});

test('the definitions of custom resources are kept, have their CEL rules from 1.25, and can be left out', () => {
  const definitions = (args: string[]) => render(args).filter(({ kind }) => kind === 'CustomResourceDefinition');
  const all = definitions(['--kube-version', '1.25.0']);
  expect(all.map(({ metadata }) => metadata.name).toSorted()).toEqual([
    'alertrules.plimsoll.dev',
    'notificationchannels.plimsoll.dev',
    'silences.plimsoll.dev',
  ]);
  for (const { metadata } of all) expect(metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  const withRules = (args: string[]) =>
    definitions(args).filter((one) => JSON.stringify(one).includes('x-kubernetes-validations')).length;
  expect([withRules(['--kube-version', '1.25.0']), withRules(['--kube-version', '1.24.9'])]).toEqual([3, 0]);
  expect(definitions(['--set', 'customResources.create=false'])).toEqual([]);
});

test('the Secrets of channels are mounted, and no right to read a Secret is granted', () => {
  const objects = render(['--set', 'clusterCollector.channelSecrets={mail,ops}']);
  const text = JSON.stringify(podOf(workload(objects, 'cluster-collector')));
  for (const name of ['mail', 'ops']) {
    expect(text).toContain(`"mountPath":"/etc/plimsoll/channels/${name}"`);
    expect(text).toContain(`"secretName":"${name}"`);
  }
  expect(text).toContain('PLIMSOLL_CHANNEL_SECRETS_DIR');
  expect(JSON.stringify(objects.filter(({ kind }) => kind.endsWith('Role')))).not.toContain('secrets');
  expect(() => render(['--set', 'clusterCollector.channelSecrets={../etc}'])).toThrow(
    '/clusterCollector/channelSecrets',
  );
});
