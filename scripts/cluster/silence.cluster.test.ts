import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../web/src/testing/chromium.ts';
import { type Dashboard, dashboardAddress, signIn, signInWith } from './testing/dashboard.ts';
import {
  NAMESPACE,
  RELEASE,
  deploymentsReady,
  inNamespace,
  install,
  installRelease,
  remove,
  upgrade,
} from './testing/install.ts';
import { helm, kubectl, list, until } from './testing/release.ts';

const WORKLOADS = 'unwatched';
const IMAGE = process.env.PLIMSOLL_TEST_IMAGE ?? '';
const FAST = '--set-string=api.extraEnv[0].name=PLIMSOLL_REPORT_INTERVAL_SECONDS,api.extraEnv[0].value=5';
let dashboard: Dashboard;

const container = (name: string, command: string[], memory?: string) => ({
  name,
  image: IMAGE,
  imagePullPolicy: 'IfNotPresent',
  command,
  resources: { limits: memory === undefined ? {} : { memory } },
});
const pod = (name: string, spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: WORKLOADS },
  spec: { terminationGracePeriodSeconds: 1, ...spec },
});

beforeAll(async () => {
  ({ dashboard } = await install([FAST]));
  kubectl(['create', 'namespace', WORKLOADS]);
  const idle = container('main', ['/bin/sh', '-c', 'sleep 100000']);
  const items = [
    pod('eats', { containers: [container('main', ['/bin/busybox', 'tail', '/dev/zero'], '32Mi')] }),
    pod('init', { initContainers: [container('first', ['/bin/sh', '-c', 'sleep 2; exit 3'])], containers: [idle] }),
  ];
  kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
});
afterAll(() => {
  kubectl(['delete', 'namespace', WORKLOADS]);
  remove();
});

interface Counts {
  restart_count: number;
  restarts_24h: number;
  oom_kills_24h: number;
}
const shown = async (name: string): Promise<Counts | null> => {
  const { pods } = await dashboard.get<{ pods: (Counts & { pod_name: string })[] }>(
    `/api/kubernetes/pods?namespace=${WORKLOADS}`,
  );
  return pods.find(({ pod_name }) => pod_name === name) ?? null;
};
/** The column RESTARTS of kubectl, like "3 (12s ago)". */
const restartsByKubectl = (name: string): number =>
  Number(/^\S+\s+\S+\s+\S+\s+(\d+)/.exec(kubectl(['get', 'pod', name, '-n', WORKLOADS, '--no-headers']))?.[1]);
const agreed = (name: string, least: number): Promise<Counts> =>
  until(`${String(least)} restarts of ${name}, as many as kubectl counts`, 150, async () => {
    const counted = restartsByKubectl(name);
    const seen = await shown(name);
    return counted >= least && seen?.restart_count === counted && restartsByKubectl(name) === counted ? seen : null;
  });

test('restarts of an init container that crashes are those kubectl shows, also while it is down', async () => {
  await agreed('init', 2);
  const seen: number[] = [];
  await until('the next restart', 90, async () => {
    seen.push((await shown('init'))?.restart_count ?? 0);
    return seen.at(-1) === 3 ? true : null;
  });
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(2);
});

interface Overview {
  age_seconds: number;
  collectors: { state: string; command: string | null }[];
}
const overview = () => dashboard.get<Overview>('/api/kubernetes/cluster/overview');
const scale = (replicas: number) =>
  inNamespace('scale', 'deployment/plimsoll-cluster-collector', `--replicas=${String(replicas)}`);
const reporting = (seconds: number) =>
  until('the collector to report', seconds, async () => {
    const { collectors, age_seconds: age } = await overview();
    return collectors[0]?.state === 'reporting' && age < 30 ? true : null;
  });
interface Alerts {
  alerts: { metric_name: string; status: string }[];
}

test('without a collector the screens say so, an alert opens, and kills that nobody saw are counted later', async () => {
  const before = await agreed('eats', 2);
  scale(0);
  const [silent] = (
    await until('a silent collector', 200, async () => {
      const now = await overview();
      return now.collectors[0]?.state === 'silent' ? now : null;
    })
  ).collectors;
  expect((await overview()).age_seconds).toBeGreaterThan(120);
  expect(silent?.command).toContain(`kubectl -n ${NAMESPACE} get deployment,pods,lease`);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signInWith(page, dashboard.url);
    for (const path of ['/kubernetes', '/kubernetes/nodes', '/kubernetes/pods']) {
      await page.goto(dashboard.url + path);
      await page.getByText('The cluster collector last reported', { exact: false }).first().waitFor();
    }
    await page.goto(`${dashboard.url}/kubernetes`);
    await page.getByText('Unknown', { exact: true }).first().waitFor();
    expect(await page.getByText('All nodes ready').count()).toBe(0);
  } finally {
    await browser.close();
  }
  // Its rule waits for five minutes.
  await until('an alert', 300, async () => {
    const { alerts } = await dashboard.get<Alerts>('/api/data/notifications');
    return alerts.some(({ metric_name: metric }) => metric === 'cluster_silent') ? true : null;
  });
  await until('two more kills', 240, () => (restartsByKubectl('eats') >= before.restart_count + 2 ? true : null));
  // A Lease that is gone with its history must not lock the next leader out.
  inNamespace('delete', 'lease', 'plimsoll-cluster-collector');
  scale(2);
  await reporting(60);
  // The other replica may still be starting, and has no log then.
  deploymentsReady();
  expect(inNamespace('logs', '-l', 'app.kubernetes.io/component=cluster-collector', '--tail=-1')).not.toContain(
    'collector_superseded',
  );
  const after = await agreed('eats', before.restart_count + 2);
  expect(after.restarts_24h).toBe(after.restart_count);
  expect(after.oom_kills_24h).toBeGreaterThanOrEqual(after.restarts_24h);
}, 900_000);

test('an upgrade, a rollback and a new installation on the kept volume go on where they were', async () => {
  const name = async () =>
    (await dashboard.get<{ clusters: { name: string | null }[] }>('/api/kubernetes/clusters')).clusters[0]?.name;
  const named = (wanted: string | null) =>
    until(`the name ${String(wanted)}`, 120, async () => ((await name()) === wanted ? true : null));
  upgrade('--set', 'clusterName=renamed');
  deploymentsReady();
  await named('renamed');
  upgrade('--set', 'clusterName=again');
  deploymentsReady();
  await named('again');
  helm(['rollback', RELEASE, '2', '-n', NAMESPACE]);
  deploymentsReady();
  await named('renamed');

  helm(['uninstall', RELEASE, '-n', NAMESPACE, '--wait']);
  expect(list(['persistentvolumeclaims', '-n', NAMESPACE]).map(({ metadata }) => metadata.name)).toEqual([
    'plimsoll-storage',
  ]);
  installRelease([FAST]);
  deploymentsReady();
  dashboard = await signIn(dashboardAddress(NAMESPACE));
  await reporting(60);
  // The history of before is still there.
  expect((await shown('eats'))?.oom_kills_24h).toBeGreaterThanOrEqual(4);
}, 600_000);
