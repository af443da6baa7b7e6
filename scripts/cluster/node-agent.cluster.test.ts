import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../web/src/testing/chromium.ts';
import { type Dashboard, signInWith } from './testing/dashboard.ts';
import { NAMESPACE, inNamespace, install, remove } from './testing/install.ts';
import { kubectl, list, until } from './testing/release.ts';

let dashboard: Dashboard;
let installedAt: number;

beforeAll(async () => {
  const fast = '--set-string=api.extraEnv[0].name=PLIMSOLL_REPORT_INTERVAL_SECONDS,api.extraEnv[0].value=5';
  ({ dashboard, at: installedAt } = await install([fast]));
});
afterAll(remove);

interface NodeEntry {
  node_name: string;
  metrics: Record<'cpu_usage' | 'memory_usage' | 'disk_usage' | 'uptime', number | null>;
  origins: Record<'cpu_usage' | 'memory_usage', { source: string | null; reason: string | null }>;
  agent: { mode: string; kubelet_state: string; kubelet_detail: string | null; kubelet_tls_verified: boolean } | null;
}
const nodes = async () => (await dashboard.get<{ nodes: NodeEntry[] }>('/api/kubernetes/nodes')).nodes;
const names = () => list(['nodes']).map(({ metadata }) => metadata.name);

test('Chromium finds both nodes and the pods of the cluster within 60 s', async () => {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signInWith(page, dashboard.url);
    await page.goto(`${dashboard.url}/kubernetes/nodes`);
    for (const name of names()) await page.getByText(name, { exact: true }).first().waitFor();
    await page.goto(`${dashboard.url}/kubernetes/pods`);
    await page.getByText('etcd-plimsoll-control-plane').first().waitFor();
    expect(Date.now() - installedAt).toBeLessThan(60_000);
  } finally {
    await browser.close();
  }
});

test('every node reports figures of its own kubelet, whose certificate is verified', async () => {
  const found = await until('figures of both nodes', 150, async () => {
    const seen = await nodes();
    const isTold = ({ agent, metrics }: NodeEntry) =>
      agent !== null && Object.values(metrics).every((value) => value !== null);
    return seen.length === 2 && seen.every(isTold) ? seen : null;
  });
  expect(found.map(({ node_name }) => node_name).toSorted()).toEqual(names().toSorted());
  for (const { agent } of found)
    expect(agent).toMatchObject({ mode: 'proc', kubelet_state: 'ok', kubelet_tls_verified: true });
});

test('the nodes are servers, too', async () => {
  interface Listed {
    hostname: string;
    is_kubernetes_node: boolean;
    status: string;
  }
  const { servers } = await dashboard.get<{ servers: Listed[] }>('/api/servers/list');
  const own = servers.filter(({ is_kubernetes_node }) => is_kubernetes_node);
  expect(own.map(({ hostname }) => hostname).toSorted()).toEqual(names().toSorted());
  for (const { status } of own) expect(status).toBe('active');
});

test('without nodes/stats the agents go on and say which verb is missing', async () => {
  const role = `${NAMESPACE}:plimsoll-node-agent`;
  const { rules } = JSON.parse(kubectl(['get', 'clusterrole', role, '-o', 'json'])) as { rules: object[] };
  const patch = (value: object[]) =>
    kubectl([
      'patch',
      'clusterrole',
      role,
      '--type=json',
      '-p',
      JSON.stringify([{ op: 'replace', path: '/rules', value }]),
    ]);
  patch([]);
  try {
    const found = await until('both agents to be refused', 120, async () => {
      const seen = await nodes();
      return seen.every(({ agent }) => agent?.kubelet_state === 'forbidden') ? seen : null;
    });
    for (const { agent } of found) expect(agent?.kubelet_detail).toContain('nodes/stats');
    expect(
      inNamespace(
        'get',
        'pods',
        '-l',
        'app.kubernetes.io/component=node-agent',
        '-o',
        'jsonpath={.items[*].status.phase}',
      ),
    ).toBe('Running Running');
  } finally {
    patch(rules);
  }
  await until('both agents to read again', 120, async () =>
    (await nodes()).every(({ agent }) => agent?.kubelet_state === 'ok') ? true : null,
  );
});
