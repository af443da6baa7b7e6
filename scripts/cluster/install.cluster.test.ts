import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSample } from '../../collector/src/kubernetes/prometheus/exposition.ts';
import type { Dashboard } from './testing/dashboard.ts';
import { everyAlertRule } from './testing/every-alert-rule.ts';
import { NAMESPACE, RELEASE, inNamespace, install, remove } from './testing/install.ts';
import { permissionsOf } from './testing/permissions.ts';
import { type Pod, portOf, promtool, scrape } from './testing/monitors.ts';
import { type KubernetesObject, helm, kubectl, list, render, until, onNode } from './testing/release.ts';

let dashboard: Dashboard;
let notes: string;
let installedAt: number;

beforeAll(async () => {
  ({ dashboard, notes, at: installedAt } = await install());
});
afterAll(remove);

interface Overview {
  total_nodes: number;
  ready_nodes: number;
  total_pods: number;
}
interface PodsPage {
  total: number;
  pods: PodEntry[];
}
interface PodEntry {
  pod_name: string;
  namespace: string;
  phase: string;
  restart_count: number;
  owner_kind: string | null;
  owner_name: string | null;
  reason: string | null;
}

test('both nodes and every pod of the cluster are on the dashboard within 60 s of the command', async () => {
  const names = list(['pods', '-A']).map(({ metadata }) => `${String(metadata.namespace)}/${metadata.name}`);
  const overview = await until('two nodes and the pods', 60, async () => {
    const seen = await dashboard.get<Overview>('/api/kubernetes/cluster/overview');
    return seen.total_nodes === 2 && seen.total_pods >= names.length ? seen : null;
  });
  expect(overview.ready_nodes).toBe(2);
  expect(Date.now() - installedAt).toBeLessThan(60_000);
  const { pods } = await dashboard.get<PodsPage>('/api/kubernetes/pods');
  expect(pods.map(({ namespace, pod_name }) => `${namespace}/${pod_name}`)).toEqual(expect.arrayContaining(names));
});

test('helm test: the API and its database answer, and every Ready node reports', () => {
  const output = helm(['test', RELEASE, '-n', NAMESPACE, '--timeout', '170s']);
  expect(output.match(/Phase: +Succeeded/g)).toHaveLength(2);
});

/** Rights of any service account: ask about itself, read the API's own description. */
const anyone = () => permissionsOf('default', 'default');
const own = (account: string) => {
  const known = anyone();
  return permissionsOf(NAMESPACE, account).filter((line) => !known.includes(line));
};

test('kubectl auth can-i --list: each service account may do what the documentation lists, and nothing else', () => {
  expect(own('plimsoll-api')).toEqual([]);
  expect(own('plimsoll-node-agent')).toEqual(['get nodes/stats']);
  expect(own('plimsoll-cluster-collector')).toEqual(
    [
      ...['nodes', 'pods', 'persistentvolumeclaims', 'persistentvolumes'].map((what) => `list watch ${what}`),
      'list watch create events',
      'list namespaces',
      ...['replicasets', 'deployments', 'statefulsets', 'daemonsets'].map((what) => `list watch ${what}.apps`),
      ...['jobs', 'cronjobs'].map((what) => `list watch ${what}.batch`),
      ...['services', 'limitranges', 'resourcequotas'].map((what) => `list watch ${what}`),
      'list watch endpointslices.discovery.k8s.io',
      ...['ingresses', 'networkpolicies'].map((what) => `list watch ${what}.networking.k8s.io`),
      'list watch horizontalpodautoscalers.autoscaling',
      'list watch poddisruptionbudgets.policy',
      'list watch priorityclasses.scheduling.k8s.io',
      'list watch storageclasses.storage.k8s.io',
      ...['mutating', 'validating'].map(
        (what) => `list watch ${what}webhookconfigurations.admissionregistration.k8s.io`,
      ),
      ...['nodes', 'pods'].map((what) => `list ${what}.metrics.k8s.io`),
      ...['alertrules', 'notificationchannels', 'silences'].flatMap((what) => [
        `list watch ${what}.plimsoll.dev`,
        `patch ${what}.plimsoll.dev/status`,
      ]),
      'create leases.coordination.k8s.io',
      'get update leases.coordination.k8s.io[plimsoll-cluster-collector]',
    ].toSorted(),
  );
});

test('nothing of the API or the dashboard carries a token of the cluster', () => {
  const name = inNamespace('get', 'pods', '-l', 'app.kubernetes.io/component=api', '-o', 'name').trim();
  const mounts = inNamespace('get', name, '-o', 'jsonpath={.spec.containers[*].volumeMounts[*].mountPath}');
  expect(mounts).not.toContain('serviceaccount');
  expect(mounts).toContain('/etc/plimsoll/token');
});

const leader = () => inNamespace('get', 'lease', 'plimsoll-cluster-collector', '-o', 'jsonpath={.spec.holderIdentity}');

/** Sends a signal to the program of a pod, on its node: the API server is not asked, so nothing can end in order. */
function signal(pod: string, name: 'STOP' | 'CONT'): void {
  const found = JSON.parse(inNamespace('get', 'pod', pod, '-o', 'json')) as {
    metadata: { uid: string };
    spec: { nodeName: string };
  };
  // Control groups spell the uid with dashes or with underscores.
  const uid = found.metadata.uid.replaceAll('-', '.');
  const script = `for p in $(pgrep -f cluster.mjs); do grep -q ${uid} /proc/$p/cgroup && kill -${name} $p; done; true`;
  onNode(found.spec.nodeName, ['sh', '-c', script]);
}

test('when the leader hangs the other replica leads within 20 s', async () => {
  const first = await until('a leader', 30, () => leader() || null);
  const standby = list(['pods', '-n', NAMESPACE, '-l', 'app.kubernetes.io/component=cluster-collector'])
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== first);
  expect(standby).toHaveLength(1);
  const stoppedAt = Date.now();
  signal(first, 'STOP');
  try {
    const second = await until('another leader', 60, () => (leader() === first ? null : leader()));
    const acquired = inNamespace('get', 'lease', 'plimsoll-cluster-collector', '-o', 'jsonpath={.spec.acquireTime}');
    const seconds = (Date.parse(acquired) - stoppedAt) / 1000;
    console.log(`the other replica leads after ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(20);
    expect(second).toBe(standby[0]);
  } finally {
    signal(first, 'CONT');
  }
});

interface Permissions {
  permissions: { reader: string; state: string; needs: string | null; costs: string }[];
}

test('a verb that is taken away is named with what it costs, and everything else goes on', async () => {
  const role = `${NAMESPACE}:plimsoll-cluster-collector`;
  const rules = (
    JSON.parse(kubectl(['get', 'clusterrole', role, '-o', 'json'])) as { rules: { apiGroups: string[] }[] }
  ).rules;
  const patch = (value: object[]) =>
    kubectl([
      'patch',
      'clusterrole',
      role,
      '--type=json',
      '-p',
      JSON.stringify([{ op: 'replace', path: '/rules', value }]),
    ]);
  patch(rules.filter(({ apiGroups }) => !apiGroups.includes('metrics.k8s.io')));
  try {
    const failing = await until('the missing verb', 150, async () => {
      const { permissions } = await dashboard.get<Permissions>('/api/kubernetes/permissions');
      const found = permissions.filter(({ state }) => state === 'forbidden');
      return found.length > 0 ? found : null;
    });
    expect(failing.map(({ reader }) => reader)).toEqual(['metrics.k8s.io']);
    expect(failing[0]?.needs).toContain('metrics.k8s.io');
    expect(failing[0]?.costs).not.toBe('');
  } finally {
    patch(rules);
  }
  await until('the verb to be back', 150, async () => {
    const { permissions } = await dashboard.get<Permissions>('/api/kubernetes/permissions');
    return permissions.every(({ state }) => state !== 'forbidden') ? true : null;
  });
});

interface Policy extends KubernetesObject {
  spec: { podSelector: { matchLabels: Record<string, string> }; ingress?: { ports: { port: string }[] }[] };
}

test('each network policy picks the pods of one component, and ports that they have', () => {
  const policies = list<Policy>(['networkpolicies', '-n', NAMESPACE]);
  const components = ['api', 'cluster-collector', 'node-agent'];
  expect(policies.map(({ metadata }) => metadata.name)).toEqual(components.map((name) => `plimsoll-${name}`));
  const all = list<Pod>(['pods', '-n', NAMESPACE]);
  for (const { metadata, spec } of policies) {
    const labels = Object.entries(spec.podSelector.matchLabels);
    const chosen = all.filter((pod) => labels.every(([name, value]) => pod.metadata.labels?.[name] === value));
    const expected = all.filter((pod) => pod.metadata.name.startsWith(`${metadata.name}-`));
    expect(chosen.map((pod) => pod.metadata.name)).toEqual(expected.map((pod) => pod.metadata.name));
    expect(chosen.length).toBeGreaterThanOrEqual(1);
    for (const { port } of (spec.ingress ?? []).flatMap(({ ports }) => ports))
      for (const pod of chosen) expect(portOf(pod, port)).toBeGreaterThan(0);
  }
});

/** prom-client calls three gauges _total, which promtool minds. */
const withoutMisnamed = (text: string) => text.replaceAll(/^.*\bnodejs_active_\w+_total\b.*\n/gm, '');

test('what the monitors point at is there, and Prometheus accepts its figures and our rules', async () => {
  const all = ['serviceMonitor', 'podMonitor', 'prometheusRule'].map((name) => `monitoring.${name}.enabled=true`);
  const objects = render(['--set', all.join(',')]);
  const of = (kind: string): KubernetesObject => {
    const found = objects.find((object) => object.kind === kind);
    if (!found) throw new Error(`no ${kind}`);
    return found;
  };
  const api = scrape(of('ServiceMonitor'), NAMESPACE);
  const collectors = scrape(of('PodMonitor'), NAMESPACE);
  expect([api.length, collectors.length]).toEqual([1, 2]);
  for (const text of [...api, ...collectors]) promtool(NAMESPACE, ['check', 'metrics'], withoutMisnamed(text));
  const samples = [...api, ...collectors]
    .flatMap((text) => text.split('\n').map(parseSample))
    .filter((one) => one !== null);
  const leading = samples.filter(({ name }) => name === 'plimsoll_cluster_leading').map(({ value }) => value);
  expect([leading.length, Math.max(...leading), Math.min(...leading)]).toEqual([2, 1, 0]);

  const { groups } = of('PrometheusRule').spec as { groups: { rules: { expr: string }[] }[] };
  promtool(NAMESPACE, ['check', 'rules', '/dev/stdin'], JSON.stringify({ groups }));
  const asked = groups.flatMap(({ rules }) => rules).flatMap(({ expr }) => expr.match(/plimsoll_\w+/g) ?? []);
  expect(asked).not.toEqual([]);
  for (const name of asked) expect(samples.map((sample) => sample.name)).toContain(name);
});

interface RulesPage {
  rules: { namespace: string | null; object: { kind: string; namespace: string; name: string } | null }[];
}

test('an AlertRule becomes a rule of its namespace, says so in its status, and the rule goes with the object', async () => {
  const spec = { metric: 'pod_pending', target: 'namespace', lines: [{ level: 'warning', threshold: 1 }] };
  const metadata = { name: 'pending', namespace: 'default' };
  const rule = { apiVersion: 'plimsoll.dev/v1alpha1', kind: 'AlertRule', metadata, spec };
  kubectl(['apply', '-f', '-'], { input: JSON.stringify(rule) });
  kubectl(['wait', 'alertrule/pending', '-n', 'default', '--for=condition=Synced', '--timeout=60s']);
  const rules = async () => (await dashboard.get<RulesPage>('/api/alerts/rules')).rules;
  const object = { kind: 'AlertRule', namespace: 'default', name: 'pending' };
  expect(await rules()).toMatchObject([{ namespace: 'default', object }]);
  expect(kubectl(['get', 'events', '-n', 'default'])).toMatch(/Synced +alertrule\/pending/);
  kubectl(['delete', 'alertrule', 'pending', '-n', 'default']);
  await until('the rule to be gone', 60, async () => ((await rules()).length === 0 ? true : null));
});

test('Prometheus accepts the export of alert rules, of each metric and target', () => {
  const { text, alerts } = everyAlertRule();
  expect(promtool(NAMESPACE, ['check', 'rules', '/dev/stdin'], text)).toContain(
    `SUCCESS: ${String(alerts)} rules found`,
  );
});

test('uninstalling leaves nothing but the volume, as NOTES said', async () => {
  expect(notes).toContain(`kubectl -n ${NAMESPACE} delete persistentvolumeclaim plimsoll-storage`);
  helm(['uninstall', RELEASE, '-n', NAMESPACE, '--wait']);
  const ours = ['-l', `app.kubernetes.io/instance=${RELEASE}`];
  const kinds = inNamespaceKinds();
  await until('everything to be gone', 60, () => {
    const left = kubectl(['get', kinds, '-n', NAMESPACE, ...ours, '-o', 'name']).trim();
    return left === 'persistentvolumeclaim/plimsoll-storage' ? true : null;
  });
  expect(kubectl(['get', 'clusterroles,clusterrolebindings', ...ours, '-o', 'name']).trim()).toBe('');
  expect(inNamespace('get', 'leases,secrets', '-o', 'name').trim()).toBe('');
});

/** Every kind of object the API server keeps in a namespace. Events are its own notes. */
const inNamespaceKinds = () =>
  kubectl(['api-resources', '--namespaced', '--verbs=list', '-o', 'name'])
    .trim()
    .split('\n')
    .filter((name) => !/^events|metrics\.k8s\.io$/.test(name))
    .join(',');
