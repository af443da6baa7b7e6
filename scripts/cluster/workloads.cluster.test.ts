import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dashboard } from './testing/dashboard.ts';
import { install, remove } from './testing/install.ts';
import { kubectl, list, until } from './testing/release.ts';

const NAMESPACE = 'workloads';
const IMAGE = process.env.PLIMSOLL_TEST_IMAGE ?? '';
let dashboard: Dashboard;

/** A Deployment of one pod of the test image. `limits` as in a container. */
const deployment = (name: string, command: string[], limits: Record<string, string> = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: NAMESPACE },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [{ name: 'main', image: IMAGE, imagePullPolicy: 'IfNotPresent', command, resources: { limits } }],
      },
    },
  },
});

beforeAll(async () => {
  ({ dashboard } = await install());
  kubectl(['create', 'namespace', NAMESPACE]);
  const items = [
    deployment('crashes', ['/bin/sh', '-c', 'sleep 1; exit 3']),
    deployment('eats', ['/bin/busybox', 'tail', '/dev/zero'], { memory: '32Mi' }),
    deployment('burns', ['/bin/sh', '-c', 'while :; do :; done'], { cpu: '300m' }),
  ];
  kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
});
afterAll(() => {
  kubectl(['delete', 'namespace', NAMESPACE]);
  remove();
});

interface PodEntry {
  pod_name: string;
  reason: string | null;
  restart_count: number;
  restarts_24h: number;
  oom_kills_24h: number;
  owner_kind: string | null;
  owner_name: string | null;
  cpu_usage_cores: number | null;
  last_restart: { reason: string | null; exit_code: number | null } | null;
}
interface RunningPod {
  metadata: { name: string };
  status: { containerStatuses?: { restartCount: number }[] };
}

const shown = async (owner: string): Promise<PodEntry | null> => {
  const { pods } = await dashboard.get<{ pods: PodEntry[] }>(`/api/kubernetes/pods?namespace=${NAMESPACE}`);
  return pods.find(({ owner_name }) => owner_name === owner) ?? null;
};
const restartsInCluster = (app: string): number =>
  list<RunningPod>(['pods', '-n', NAMESPACE, '-l', `app=${app}`])
    .flatMap(({ status }) => status.containerStatuses ?? [])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);

test('a pod that crashes shows its owner, its reason and as many restarts as the cluster counts', async () => {
  const pod = await until('three restarts, all on the dashboard', 120, async () => {
    const counted = restartsInCluster('crashes');
    const seen = await shown('crashes');
    const agree = seen?.restarts_24h === counted && seen.restart_count === counted;
    // For the second that it runs again there is no reason.
    const isDown = seen?.reason !== null;
    return counted >= 3 && agree && isDown && restartsInCluster('crashes') === counted ? seen : null;
  });
  expect(pod).toMatchObject({ owner_kind: 'Deployment', oom_kills_24h: 0 });
  expect(pod.last_restart).toMatchObject({ reason: 'Error', exit_code: 3 });
  expect(['CrashLoopBackOff', 'Error']).toContain(pod.reason);
});

test('every kill for want of memory is counted', async () => {
  const pod = await until('two kills, all on the dashboard', 120, async () => {
    const counted = restartsInCluster('eats');
    const seen = await shown('eats');
    return counted >= 2 && seen?.restarts_24h === counted && restartsInCluster('eats') === counted ? seen : null;
  });
  expect(pod.last_restart).toMatchObject({ reason: 'OOMKilled', exit_code: 137 });
  expect(pod.oom_kills_24h).toBeGreaterThanOrEqual(pod.restarts_24h);
});

interface OwnerEntry {
  owner_name: string | null;
  desired: number | null;
  ready: number | null;
}
interface AlertEntry {
  metric_name: string;
  status: string;
  title: string;
}

test('the list of workloads counts ready pods as the cluster does, and the kills open an alert', async () => {
  kubectl(['-n', NAMESPACE, 'rollout', 'status', 'deployment/burns', '--timeout=60s']);
  await until('one ready pod of burns', 60, async () => {
    const { owners } = await dashboard.get<{ owners: OwnerEntry[] }>(`/api/kubernetes/owners?namespace=${NAMESPACE}`);
    const row = owners.find(({ owner_name }) => owner_name === 'burns');
    return row?.desired === 1 && row.ready === 1 ? row : null;
  });
  const alert = await until('an alert about kills', 150, async () => {
    const { alerts } = await dashboard.get<{ alerts: AlertEntry[] }>('/api/data/notifications');
    return alerts.find(({ metric_name, status }) => metric_name === 'pod_oom_kill' && status === 'active') ?? null;
  });
  expect(alert.title).toBe(`OOM kill: ${NAMESPACE}/eats`);
});

/** CPU seconds the pod's control group has used, from inside the pod; cgroup v1 counts nanoseconds, v2 microseconds. */
function cpuSeconds(): number {
  const read = 'cat /sys/fs/cgroup/cpuacct/cpuacct.usage 2>/dev/null || cat /sys/fs/cgroup/cpu.stat';
  const text = kubectl(['-n', NAMESPACE, 'exec', 'deployment/burns', '--', '/bin/sh', '-c', read]);
  const micro = /^usage_usec (\d+)/m.exec(text)?.[1];
  return micro === undefined ? Number(text) / 1e9 : Number(micro) / 1e6;
}

test('a pod that burns CPU shows what its control group used, within 10 %', async () => {
  kubectl(['-n', NAMESPACE, 'rollout', 'status', 'deployment/burns', '--timeout=60s']);
  let before = { at: performance.now(), used: cpuSeconds() };
  const difference = await until('a figure within 10 %', 150, async () => {
    const now = { at: performance.now(), used: cpuSeconds() };
    const cores = ((now.used - before.used) * 1000) / (now.at - before.at);
    const figure = (await shown('burns'))?.cpu_usage_cores ?? null;
    if (now.at - before.at > 20_000) before = now;
    if (figure === null || now.at - before.at < 10_000) return null;
    const off = Math.abs(figure - cores) / cores;
    return off <= 0.1 ? off : null;
  });
  expect(difference).toBeLessThanOrEqual(0.1);
});
