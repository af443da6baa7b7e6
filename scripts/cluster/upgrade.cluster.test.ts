import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PRODUCT_REGISTRY } from './product-images.ts';
import { capture } from './shell.ts';
import { type Dashboard, dashboardAddress, signIn } from './testing/dashboard.ts';
import { NAMESPACE, REACHABLE, RELEASE, deploymentsReady, inNamespace, remove } from './testing/install.ts';
import { CHART, OWN_IMAGES, helm, list, makeNamespace, podNames, until } from './testing/release.ts';

/** The commit with the last migration of version 0.1.0 (scripts/lab/faults/upgrade.ts). */
const COMMIT_OF_0_1_0 = 'ddc7d2ae';
const root = join(import.meta.dirname, '../..');
const FAST = '--set-string=api.extraEnv[0].name=PLIMSOLL_REPORT_INTERVAL_SECONDS,api.extraEnv[0].value=5';
const NAME = ['--set', 'clusterName=kept'];
/**
 * Its images cannot be built any more, so it runs those of today: this tests the chart, and the fault `upgrade` of
 * docs/reliability.md the database. Its two collectors shared one image, so it runs without node agents here.
 */
const OLD_IMAGES = [
  '--set',
  [
    `image.api.repository=${PRODUCT_REGISTRY}/plimsoll-api`,
    `image.collector.repository=${PRODUCT_REGISTRY}/plimsoll-cluster-collector`,
    'nodeAgent.enabled=false,prometheus.enabled=false',
  ].join(','),
];

/** Returns the folder of the chart of 0.1.0, in `folder`. Throws where the clone holds no history. */
function chartOf010(folder: string): string {
  const archive = join(folder, 'chart.tar');
  const args = ['-C', root, 'archive', `--output=${archive}`, COMMIT_OF_0_1_0, 'charts/plimsoll'];
  try {
    capture('git', args);
  } catch (error) {
    throw new Error('the clone has no history: run git fetch --unshallow', { cause: error });
  }
  capture('tar', ['-xf', archive, '-C', folder]);
  return join(folder, 'charts/plimsoll');
}

/** Upgrades to this chart as docs/kubernetes.md says of a chart with other values: with the values of a file. */
function upgradeToThis(): string {
  const values = [...OWN_IMAGES, ...REACHABLE, ...NAME, FAST];
  return helm(['upgrade', RELEASE, CHART, '-n', NAMESPACE, '--reset-values', ...values]);
}

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-0.1.0-'));
let dashboard: Dashboard;
beforeAll(async () => {
  const old = chartOf010(folder);
  makeNamespace(NAMESPACE, 'privileged');
  helm(['install', RELEASE, old, '-n', NAMESPACE, ...OLD_IMAGES, ...REACHABLE, ...NAME, FAST]);
  deploymentsReady();
  dashboard = await signIn(dashboardAddress(NAMESPACE));
});
afterAll(() => {
  remove();
  rmSync(folder, { recursive: true, force: true });
});

interface ClusterEntry {
  cluster_id: string;
  name: string | null;
  silent: boolean;
}
const clusters = async () =>
  (await dashboard.get<{ clusters: ClusterEntry[] }>('/api/kubernetes/clusters/states')).clusters;
interface TokenEntry {
  id: string;
  cluster_id: string | null;
  created_at: string;
}
const tokens = async () =>
  (await dashboard.get<{ tokens: TokenEntry[] }>('/api/user/cluster-tokens')).tokens.map(
    ({ id, cluster_id, created_at }) => ({ id, cluster_id, created_at }),
  );
const silences = async () =>
  (await dashboard.get<{ silences: { comment: string }[] }>('/api/alerts/silences')).silences.map(
    ({ comment }) => comment,
  );
/** A pod that is older than the release and outlives it. */
const witness = () => podNames('kube-system', 'k8s-app=kube-dns')[0] ?? '';
async function samplesOf(pod: string): Promise<number> {
  const path = `/api/kubernetes/pods/kube-system/${pod}/metrics/history?hours=1`;
  const { metrics } = await dashboard.get<{ metrics: { count: number }[] }>(path);
  return metrics.reduce((sum, { count }) => sum + count, 0);
}
const reporting = () =>
  until('the cluster to report', 120, async () => {
    const seen = await clusters();
    return seen.length === 1 && seen.every(({ silent }) => !silent) ? seen : null;
  });

interface Deployment {
  metadata: { name: string; annotations: Record<string, string> };
}
/** Returns how often the pods of each Deployment were made anew, the first time included. */
const revisions = () =>
  list<Deployment>(['deployments', '-n', NAMESPACE]).map(({ metadata }) => [
    metadata.name,
    metadata.annotations['deployment.kubernetes.io/revision'],
  ]);
const secretToken = () => inNamespace('get', 'secret', 'plimsoll-token', '-o', 'jsonpath={.data.token}');

test('an upgrade from the chart of 0.1.0 keeps cluster, token and history, and rolls the pods once', async () => {
  const pod = witness();
  const [before] = await reporting();
  const samples = await until('usage of a pod', 120, async () => (await samplesOf(pod)) || null);
  await dashboard.post('/api/alerts/silences', { metric: 'cpu_usage', duration_seconds: 86_400, comment: 'kept' });
  const [secret, known] = [secretToken(), await tokens()];
  expect(secret).not.toBe('');
  expect(known.map(({ cluster_id }) => cluster_id)).toEqual([before?.cluster_id]);

  upgradeToThis();
  deploymentsReady();
  inNamespace('rollout', 'status', 'daemonset/plimsoll-node-agent', '--timeout=120s');
  dashboard = await signIn(dashboardAddress(NAMESPACE));
  const [after] = await reporting();
  expect(after).toMatchObject({ cluster_id: before?.cluster_id, name: 'kept' });
  expect(secretToken()).toBe(secret);
  expect(await tokens()).toEqual(known);
  expect(await silences()).toEqual(['kept']);
  expect(await samplesOf(pod)).toBeGreaterThanOrEqual(samples);
  const rolledOnce = [
    ['plimsoll-api', '2'],
    ['plimsoll-cluster-collector', '2'],
  ];
  expect(revisions()).toEqual(rolledOnce);

  // The same values again change no pod.
  upgradeToThis();
  deploymentsReady();
  expect(revisions()).toEqual(rolledOnce);
  expect(secretToken()).toBe(secret);
}, 400_000);
