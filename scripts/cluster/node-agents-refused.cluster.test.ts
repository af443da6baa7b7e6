import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture } from './shell.ts';
import type { Dashboard } from './testing/dashboard.ts';
import { install, remove, upgrade } from './testing/install.ts';
import { kubectl, onNode, until } from './testing/release.ts';

const FAST = '--set-string=api.extraEnv[0].name=PLIMSOLL_REPORT_INTERVAL_SECONDS,api.extraEnv[0].value=5';
const WORKER = 'plimsoll-worker';
let dashboard: Dashboard;
let notes: string;

beforeAll(async () => {
  ({ dashboard, notes } = await install([FAST], 'baseline'));
});
afterAll(() => {
  signItself(false);
  trustKubelets(true);
  remove();
});

interface Permission {
  who: string;
  reader: string;
  state: string;
  detail: string | null;
  remedy: string | null;
  command: string | null;
}
const permissions = async () =>
  (await dashboard.get<{ permissions: Permission[] }>('/api/kubernetes/permissions')).permissions;
const refused = async () => (await permissions()).find(({ reader }) => reader === 'node agents') ?? null;

test('in a namespace that enforces "baseline" NOTES warns, and the page says why no agent runs and what allows them', async () => {
  expect(notes).toContain('enforces Pod Security "baseline": NO NODE AGENT STARTS');
  const found = await until('the refusal on the page', 120, refused);
  expect(found).toMatchObject({ who: 'node agents', state: 'forbidden' });
  expect(found.detail).toMatch(/^0 of 2 node agents run: .*violates PodSecurity "baseline:latest"/);
  expect(found.command).not.toBeNull();
  capture('sh', ['-c', found.command ?? 'false']);
  kubectl(['-n', 'plimsoll-system', 'rollout', 'restart', 'daemonset/plimsoll-node-agent']);
  await until('both agents to run', 150, async () => ((await refused()) === null ? true : null));
}, 400_000);

interface NodeEntry {
  node_name: string;
  metrics: Record<'cpu_usage' | 'memory_usage', number | null>;
  agent: { kubelet_state: string; kubelet_detail: string | null; kubelet_tls_verified: boolean } | null;
}
const nodes = async () => (await dashboard.get<{ nodes: NodeEntry[] }>('/api/kubernetes/nodes')).nodes;
const worker = async () => (await nodes()).find(({ node_name: name }) => name === WORKER) ?? null;

/** The worker's kubelet serves with a certificate it signed itself, as kubeadm and kind leave it, or with the cluster's. */
function signItself(isSelfSigned: boolean): void {
  const [from, to] = isSelfSigned ? ['true', 'false'] : ['false', 'true'];
  const pki = '/var/lib/kubelet/pki/kubelet-server-current.pem';
  const move = isSelfSigned ? `mv ${pki} ${pki}.kept` : `test ! -e ${pki}.kept || mv ${pki}.kept ${pki}`;
  const config = `sed -i 's/serverTLSBootstrap: ${from}/serverTLSBootstrap: ${to}/' /var/lib/kubelet/config.yaml`;
  onNode(WORKER, ['sh', '-c', `${config} && ${move} && systemctl restart kubelet`]);
}

/** Tells metrics-server to check the certificates of kubelets, or not to. */
function trustKubelets(isChecked: boolean): void {
  const kept = JSON.parse(kubectl(['-n', 'kube-system', 'get', 'deployment', 'metrics-server', '-o', 'json'])) as {
    spec: { template: { spec: { containers: { args: string[] }[] } } };
  };
  const args = (kept.spec.template.spec.containers[0]?.args ?? []).filter(
    (arg) => !/--kubelet-(insecure|cert)/.test(arg),
  );
  const trust = isChecked
    ? '--kubelet-certificate-authority=/var/run/secrets/kubernetes.io/serviceaccount/ca.crt'
    : '--kubelet-insecure-tls';
  const value = [...args, trust];
  const patch = [{ op: 'replace', path: '/spec/template/spec/containers/0/args', value }];
  kubectl(['-n', 'kube-system', 'patch', 'deployment', 'metrics-server', '--type=json', '-p', JSON.stringify(patch)]);
  kubectl(['-n', 'kube-system', 'rollout', 'status', 'deployment/metrics-server', '--timeout=120s']);
}

interface PodEntry {
  cpu_usage_cores: number | null;
  usage_origin: { source: string | null };
}

test('a kubelet that signs its own certificate costs its figures only, and both ways out are named and work', async () => {
  trustKubelets(false);
  await until('both kubelets read', 120, async () =>
    (await nodes()).every(({ agent }) => agent?.kubelet_state === 'ok') ? true : null,
  );
  signItself(true);
  const found = await until('the certificate to be refused', 150, async () => {
    const seen = await worker();
    return seen?.agent?.kubelet_detail?.includes('certificate') === true ? seen : null;
  });
  expect(found.agent?.kubelet_detail).toContain('nodeAgent.kubelet.certificateAuthority');
  expect(found.metrics.cpu_usage).not.toBeNull();
  expect(found.metrics.memory_usage).not.toBeNull();
  const reader = (await permissions()).find(({ who }) => who === WORKER);
  expect(reader?.remedy).toContain('nodeAgent.kubelet.insecureSkipVerify=true');
  const ours = `/api/kubernetes/pods?namespace=plimsoll-system&node_name=${WORKER}`;
  await until('usage of the pods of that node by metrics-server', 240, async () => {
    const { pods } = await dashboard.get<{ pods: PodEntry[] }>(ours);
    const told = pods.filter(
      ({ usage_origin: origin, cpu_usage_cores: cpu }) => origin.source === 'metrics-server' && cpu !== null,
    );
    return told.length > 0 && told.length === pods.length ? true : null;
  });

  upgrade('--set', 'nodeAgent.kubelet.insecureSkipVerify=true');
  const unchecked = await until('the kubelet to be read unchecked', 150, async () => {
    const seen = await worker();
    return seen?.agent?.kubelet_state === 'ok' ? seen : null;
  });
  expect(unchecked.agent?.kubelet_tls_verified).toBe(false);

  signItself(false);
  upgrade('--set', 'nodeAgent.kubelet.insecureSkipVerify=false');
  await until('a certificate of the cluster, verified', 150, async () => {
    const seen = await worker();
    return seen?.agent?.kubelet_state === 'ok' && seen.agent.kubelet_tls_verified ? true : null;
  });
}, 900_000);
