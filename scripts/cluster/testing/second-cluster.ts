import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dashboard } from './dashboard.ts';
import { type KubernetesObject, kubectl, list, until } from './release.ts';

/** Only the pod that serves the second cluster is in it. */
const NAMESPACE = 'second-cluster';
const PORT = 7443;
const ETCD = 'http://127.0.0.1:12379';
const ETCD_PEERS = 'http://127.0.0.1:12380';
const TOKEN = 'token-of-the-second-cluster';
const PKI = '/etc/kubernetes/pki';
const COLLECTOR = join(import.meta.dirname, '../../../collector/src/kubernetes/main.ts');

interface ControlPlane extends KubernetesObject {
  status: { addresses: { type: string; address: string }[] };
}
interface Pod extends KubernetesObject {
  spec: { containers: { image: string }[] };
}

/**
 * A second Kubernetes API for which no second machine is needed: kube-apiserver and etcd of the test cluster's own images,
 * in a pod on the node of its control plane. No kubelet and no controller serve it, so objects stay as they are written.
 */
export interface SecondCluster {
  readonly kubectl: typeof kubectl;
  /** Starts the cluster collector as a process that reports to the dashboard. Returns the process. */
  startCollector(dashboard: Dashboard, clusterName: string): Promise<ChildProcess>;
  stop(): void;
}

export async function startSecondCluster(): Promise<SecondCluster> {
  const [controlPlane] = list<ControlPlane>(['nodes', '-l', 'node-role.kubernetes.io/control-plane']);
  const host = controlPlane?.status.addresses.find(({ type }) => type === 'InternalIP')?.address;
  if (controlPlane === undefined || host === undefined) throw new Error('no node of a control plane has an address');
  kubectl(['create', 'namespace', NAMESPACE]);
  const items = [tokens(), podOf(controlPlane.metadata.name)];
  kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${String(PORT)}`;
  const access = ['--kubeconfig=/dev/null', `--server=${server}`, `--token=${TOKEN}`, '--insecure-skip-tls-verify'];
  const inSecond: SecondCluster['kubectl'] = (args, options) => kubectl([...access, ...args], options);
  // The API server makes its own namespaces after its start.
  await until('the second API server', 120, () => inSecond(['get', 'namespace', 'kube-system', '-o', 'name']));
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-second-'));
  writeFileSync(join(folder, 'token'), TOKEN);
  writeFileSync(join(folder, 'ca.crt'), certificateAuthority());
  return {
    kubectl: inSecond,
    startCollector: (dashboard, clusterName) => startCollector({ dashboard, clusterName, host, folder }),
    stop: () => {
      kubectl(['delete', 'namespace', NAMESPACE, '--ignore-not-found']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const imageOf = (component: string): string => {
  const [pod] = list<Pod>(['pods', '-n', 'kube-system', '-l', `component=${component}`]);
  const image = pod?.spec.containers[0]?.image;
  if (image === undefined) throw new Error(`the cluster has no pod of ${component}`);
  return image;
};

/** The second API server has the certificate of the first one, which is valid for the address of the node. */
function certificateAuthority(): string {
  const map = JSON.parse(kubectl(['-n', 'kube-public', 'get', 'configmap', 'kube-root-ca.crt', '-o', 'json'])) as {
    data: Record<string, string>;
  };
  return map.data['ca.crt'] ?? '';
}

const tokens = () => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'tokens', namespace: NAMESPACE },
  stringData: { 'tokens.csv': `${TOKEN},collector,1,system:masters\n` },
});

const podOf = (nodeName: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'api', namespace: NAMESPACE },
  spec: {
    nodeName,
    hostNetwork: true,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 1,
    tolerations: [{ operator: 'Exists' }],
    containers: [
      container('etcd', [
        'etcd',
        '--data-dir=/data/etcd',
        '--unsafe-no-fsync',
        `--listen-client-urls=${ETCD}`,
        `--advertise-client-urls=${ETCD}`,
        `--listen-peer-urls=${ETCD_PEERS}`,
        `--initial-advertise-peer-urls=${ETCD_PEERS}`,
        `--initial-cluster=default=${ETCD_PEERS}`,
      ]),
      container('kube-apiserver', [
        'kube-apiserver',
        `--etcd-servers=${ETCD}`,
        `--secure-port=${String(PORT)}`,
        '--endpoint-reconciler-type=none',
        `--tls-cert-file=${PKI}/apiserver.crt`,
        `--tls-private-key-file=${PKI}/apiserver.key`,
        '--token-auth-file=/tokens/tokens.csv',
        '--service-account-issuer=https://second',
        `--service-account-key-file=${PKI}/sa.pub`,
        `--service-account-signing-key-file=${PKI}/sa.key`,
        // Without controllers no namespace has a service account.
        '--disable-admission-plugins=ServiceAccount',
        '--service-cluster-ip-range=10.99.0.0/24',
      ]),
    ],
    volumes: [
      { name: 'data', emptyDir: {} },
      { name: 'tokens', secret: { secretName: 'tokens' } },
      { name: 'pki', hostPath: { path: PKI, type: 'Directory' } },
    ],
  },
});

const container = (component: string, command: string[]) => ({
  name: component,
  image: imageOf(component),
  imagePullPolicy: 'IfNotPresent',
  command,
  volumeMounts: [
    { name: 'data', mountPath: '/data' },
    { name: 'tokens', mountPath: '/tokens', readOnly: true },
    { name: 'pki', mountPath: PKI, readOnly: true },
  ],
});

interface Start {
  dashboard: Dashboard;
  clusterName: string;
  host: string;
  folder: string;
}
async function startCollector({ dashboard, clusterName, host, folder }: Start): Promise<ChildProcess> {
  const { token } = await dashboard.post<{ token: string }>('/api/user/cluster-tokens', { name: clusterName });
  return spawn(process.execPath, [COLLECTOR], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PLIMSOLL_URL: dashboard.url,
      PLIMSOLL_ALLOW_HTTP: 'true',
      PLIMSOLL_CLUSTER_TOKEN: token,
      PLIMSOLL_CLUSTER_NAME: clusterName,
      PLIMSOLL_SERVICE_ACCOUNT_DIR: folder,
      PLIMSOLL_METRICS_PORT: '0',
      PLIMSOLL_LOG_LEVEL: 'warn',
      KUBERNETES_SERVICE_HOST: host,
      KUBERNETES_SERVICE_PORT: String(PORT),
      POD_NAMESPACE: 'default',
      POD_NAME: 'second-collector',
    },
  });
}
