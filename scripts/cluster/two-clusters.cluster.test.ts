import type { ChildProcess } from 'node:child_process';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../web/src/testing/chromium.ts';
import { type Dashboard, signInWith } from './testing/dashboard.ts';
import { install, remove } from './testing/install.ts';
import { kubectl, until } from './testing/release.ts';
import { type SecondCluster, startSecondCluster } from './testing/second-cluster.ts';

const FAST = '--set-string=api.extraEnv[0].name=PLIMSOLL_REPORT_INTERVAL_SECONDS,api.extraEnv[0].value=5';
const IMAGE = process.env.PLIMSOLL_TEST_IMAGE ?? '';
/** One namespace, workload and pod of the same names in both clusters. */
const NAMESPACE = 'twins';
const WORKLOAD = 'db';
const POD = 'db-0';
const FAR_NODE = 'far-1';
let dashboard: Dashboard;
let second: SecondCluster | undefined;
let collector: ChildProcess | undefined;

const container = {
  name: 'main',
  image: IMAGE,
  imagePullPolicy: 'IfNotPresent',
  command: ['/bin/sh', '-c', 'sleep 100000'],
};
const template = { metadata: { labels: { app: WORKLOAD } }, spec: { containers: [container] } };
const workload = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: WORKLOAD, namespace: NAMESPACE },
  spec: { serviceName: WORKLOAD, replicas: 1, selector: { matchLabels: { app: WORKLOAD } }, template },
};
const sent = (items: object[]) => ({ input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });

/** Writes what the controllers and a kubelet would. */
function fillSecond(inSecond: typeof kubectl): void {
  const size = { cpu: '4', memory: '8Gi', pods: '110' };
  const isReady = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'ready' };
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: FAR_NODE, labels: { 'kubernetes.io/hostname': FAR_NODE } },
    status: {
      capacity: size,
      allocatable: size,
      conditions: [isReady],
      addresses: [{ type: 'InternalIP', address: '10.99.1.1' }],
    },
  };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  inSecond(['create', '-f', '-'], sent([node, namespace, workload]));
  const uid = inSecond(['-n', NAMESPACE, 'get', 'statefulset', WORKLOAD, '-o', 'jsonpath={.metadata.uid}']);
  const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: WORKLOAD, uid, controller: true };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: POD, namespace: NAMESPACE, ownerReferences: [owner] },
    spec: { ...template.spec, nodeName: FAR_NODE },
  };
  inSecond(['create', '-f', '-'], sent([pod]));
  const status = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
  const patch = ['--subresource=status', '--type=merge', '-p', JSON.stringify(status)];
  inSecond(['-n', NAMESPACE, 'patch', 'pod', POD, ...patch]);
}

beforeAll(async () => {
  ({ dashboard } = await install([FAST, '--set', 'clusterName=first']));
  kubectl(['create', 'namespace', NAMESPACE]);
  kubectl(['create', '-f', '-'], sent([workload]));
  second = await startSecondCluster();
  fillSecond(second.kubectl);
  collector = await second.startCollector(dashboard, 'second');
});
afterAll(() => {
  collector?.kill('SIGKILL');
  second?.stop();
  kubectl(['delete', 'namespace', NAMESPACE, '--ignore-not-found']);
  remove();
});

interface PodEntry {
  cluster_id: string;
  pod_name: string;
  node_name: string | null;
  phase: string;
}
interface OwnerEntry {
  cluster_id: string;
  owner_kind: string | null;
  owner_name: string | null;
  pods: number;
}
interface ClusterEntry {
  cluster_id: string;
  name: string | null;
  silent: boolean;
  nodes: number;
}
const clusters = async (): Promise<ClusterEntry[]> =>
  (await dashboard.get<{ clusters: ClusterEntry[] }>('/api/kubernetes/clusters/states')).clusters;
async function idOf(name: string): Promise<string> {
  const found = (await clusters()).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no cluster is called ${name}`);
  return found.cluster_id;
}
const pods = async (more = ''): Promise<PodEntry[]> =>
  (await dashboard.get<{ pods: PodEntry[] }>(`/api/kubernetes/pods?namespace=${NAMESPACE}${more}`)).pods;

test('two clusters with equal names are told apart on Clusters, Pods and Workloads', async () => {
  const both = await until('both pods run on the dashboard', 150, async () => {
    const seen = await pods();
    return seen.filter(({ phase }) => phase === 'Running').length === 2 ? seen : null;
  });
  const [first, other] = [await idOf('first'), await idOf('second')];
  expect(both.map(({ pod_name }) => pod_name)).toEqual([POD, POD]);
  expect(both.map(({ cluster_id }) => cluster_id).toSorted()).toEqual([first, other].toSorted());
  expect(await pods(`&cluster_id=${other}`)).toMatchObject([{ cluster_id: other, node_name: FAR_NODE }]);
  expect((await pods(`&cluster_id=${first}`)).map(({ node_name }) => node_name)).not.toContain(FAR_NODE);

  const { owners } = await dashboard.get<{ owners: OwnerEntry[] }>(`/api/kubernetes/owners?namespace=${NAMESPACE}`);
  const rows = owners.map(({ cluster_id, owner_name, pods: count }) => [cluster_id, owner_name, count]);
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(expect.arrayContaining([first, other].map((id) => [id, WORKLOAD, 1])));
  const counted = (await clusters()).map(({ name, nodes }) => [name, nodes]);
  expect(counted).toEqual(
    expect.arrayContaining([
      ['first', 2],
      ['second', 1],
    ]),
  );
}, 240_000);

/** Opens a page in a browser that is signed in. */
async function onScreen(look: (page: Page) => Promise<void>): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signInWith(page, dashboard.url);
    await look(page);
  } finally {
    await browser.close();
  }
}
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

test('the lists of pods and workloads name the cluster of each row', async () => {
  const named: string[] = [];
  await onScreen(async (page) => {
    for (const path of ['/kubernetes/pods', '/kubernetes/workloads'])
      for (const name of ['first', 'second']) {
        await page.goto(`${dashboard.url}${path}?namespace=${NAMESPACE}`);
        await rowOf(page, WORKLOAD).filter({ hasText: name }).first().waitFor({ timeout: 30_000 });
        named.push(`${path} ${name}`);
      }
  });
  expect(named).toHaveLength(4);
});

test('a cluster that falls silent is grey alone', async () => {
  const [first, other] = [await idOf('first'), await idOf('second')];
  collector?.kill('SIGKILL');
  await until('the second cluster is silent', 180, async () =>
    (await clusters()).some(({ name, silent }) => name === 'second' && silent) ? true : null,
  );
  expect((await clusters()).filter(({ silent }) => silent).map(({ name }) => name)).toEqual(['second']);
  await onScreen(async (page) => {
    await page.goto(`${dashboard.url}/kubernetes/clusters`);
    await page.locator('tr[data-silent]').filter({ hasText: 'second' }).waitFor();
    expect(await page.locator('tr[data-silent]').count()).toBe(1);
    const podRow = page.locator(`[data-pod$="/${NAMESPACE}/${POD}"]`);
    const greyFigures = page.locator('div[data-silent]');
    await page.goto(`${dashboard.url}/kubernetes/pods?cluster=${other}`);
    await greyFigures.filter({ has: podRow }).waitFor();
    await page.goto(`${dashboard.url}/kubernetes/pods?cluster=${first}`);
    await podRow.waitFor();
    await page.getByText('Cluster state', { exact: false }).first().waitFor();
    expect(await greyFigures.count()).toBe(0);
    await page.goto(`${dashboard.url}/kubernetes/pods`);
    await page.getByText('The cluster collector of second last reported', { exact: false }).first().waitFor();
    expect(await greyFigures.count()).toBe(0);
  });
}, 300_000);
