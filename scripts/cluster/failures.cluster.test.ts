import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dashboard } from './testing/dashboard.ts';
import { inNamespace, install, remove } from './testing/install.ts';
import { kubectl, list, until, onNode } from './testing/release.ts';

const WORKLOADS = 'failures';
const WORKER = 'plimsoll-worker';
const IMAGE = process.env.PLIMSOLL_TEST_IMAGE ?? '';
let dashboard: Dashboard;

/** Pinned to one node each: the loss of the other must not move it. */
const failing = (name: string, node: string, command: string[], limits: Record<string, string> = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: WORKLOADS },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        nodeName: node,
        terminationGracePeriodSeconds: 1,
        containers: [{ name: 'main', image: IMAGE, imagePullPolicy: 'IfNotPresent', command, resources: { limits } }],
      },
    },
  },
});

beforeAll(async () => {
  const fast = '--set-string=api.extraEnv[0].name=PLIMSOLL_REPORT_INTERVAL_SECONDS,api.extraEnv[0].value=5';
  // The test stops the worker; the dashboard and its volume stay on the other node.
  const place = '--set=api.nodeSelector.node-role\\.kubernetes\\.io/control-plane=,api.tolerations[0].operator=Exists';
  ({ dashboard } = await install([fast, place]));
  kubectl(['create', 'namespace', WORKLOADS]);
  const control = 'plimsoll-control-plane';
  const items = [
    failing('crashes', control, ['/bin/sh', '-c', 'sleep 2; exit 3']),
    failing('eats', control, ['/bin/busybox', 'tail', '/dev/zero'], { memory: '32Mi' }),
    failing('stays', WORKER, ['/bin/sh', '-c', 'sleep 100000']),
  ];
  kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
});
afterAll(() => {
  onNode(WORKER, ['systemctl', 'start', 'kubelet']);
  kubectl(['delete', 'namespace', WORKLOADS]);
  remove();
});

interface PodEntry {
  owner_name: string | null;
  owner_kind: string | null;
  restart_count: number;
  restarts_24h: number;
  oom_kills_24h: number;
  last_restart: { reason: string | null } | null;
}
const shown = async (owner: string): Promise<PodEntry | null> => {
  const { pods } = await dashboard.get<{ pods: PodEntry[] }>(`/api/kubernetes/pods?namespace=${WORKLOADS}`);
  return pods.find(({ owner_name }) => owner_name === owner) ?? null;
};
interface RunningPod {
  metadata: { name: string };
  status: { containerStatuses?: { restartCount: number }[] };
}
const inCluster = (app: string): number =>
  list<RunningPod>(['pods', '-n', WORKLOADS, '-l', `app=${app}`])
    .flatMap(({ status }) => status.containerStatuses ?? [])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
/** The dashboard's figures of an app once they are those of the cluster and there are at least so many restarts. */
const agreed = (app: string, least: number): Promise<PodEntry> =>
  until(`${String(least)} restarts of ${app}, as many as the cluster counts`, 240, async () => {
    const counted = inCluster(app);
    const seen = await shown(app).catch(() => null);
    const agree = seen?.restarts_24h === counted && seen.restart_count === counted && inCluster(app) === counted;
    return agree && counted >= least ? seen : null;
  });
const leader = () => inNamespace('get', 'lease', 'plimsoll-cluster-collector', '-o', 'jsonpath={.spec.holderIdentity}');

test('after the leader and the API were each killed once, every restart is counted, and none twice', async () => {
  const before = await agreed('crashes', 2);
  const first = leader();
  inNamespace('delete', 'pod', first, '--grace-period=0', '--force');
  await until('another leader', 30, () => (['', first].includes(leader()) ? null : true));
  inNamespace('delete', 'pod', '-l', 'app.kubernetes.io/component=api', '--grace-period=0', '--force');
  inNamespace('rollout', 'status', 'deployment/plimsoll-api', '--timeout=120s');
  const crashed = await agreed('crashes', before.restarts_24h + 1);
  expect(crashed).toMatchObject({ owner_kind: 'Deployment', oom_kills_24h: 0, last_restart: { reason: 'Error' } });
  const eaten = await agreed('eats', 2);
  expect(eaten).toMatchObject({ owner_kind: 'Deployment', last_restart: { reason: 'OOMKilled' } });
  expect(eaten.oom_kills_24h).toBeGreaterThanOrEqual(eaten.restarts_24h);
  expect(eaten.oom_kills_24h).toBeLessThanOrEqual(eaten.restarts_24h + 1);
}, 900_000);

interface Overview {
  ready_nodes: number;
  total_nodes: number;
  causes: { not_ready_nodes: { node_name: string; reason: string | null }[] };
}
const overview = () => dashboard.get<Overview>('/api/kubernetes/cluster/overview');

test('a node that is lost is named, keeps its pods without a restart, and comes back', async () => {
  await agreed('stays', 0);
  onNode(WORKER, ['systemctl', 'stop', 'kubelet']);
  const lost = await until('one node that is not ready', 150, async () => {
    const seen = await overview();
    return seen.ready_nodes === 1 ? seen : null;
  });
  expect(lost.total_nodes).toBe(2);
  expect(lost.causes.not_ready_nodes.map(({ node_name }) => node_name)).toEqual([WORKER]);
  expect(lost.causes.not_ready_nodes[0]?.reason).not.toBeNull();
  onNode(WORKER, ['systemctl', 'start', 'kubelet']);
  await until('both nodes ready', 120, async () => ((await overview()).ready_nodes === 2 ? true : null));
  expect(await agreed('stays', 0)).toMatchObject({ restarts_24h: 0 });
}, 600_000);
