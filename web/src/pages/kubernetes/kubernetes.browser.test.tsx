import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Cluster, ClusterOverviewAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { KubernetesNode, NodeHistoryAnswer, NodesAnswer } from '@plimsoll/contract/wire/kubernetes-nodes';
import { paths } from '../../paths.ts';
import { drawApp, emptied, filled } from '../../testing/draw-app.tsx';
import type { Answers, Call } from '../../testing/draw-page.tsx';
import { everyAnswer, ID } from '../../testing/every-answer.ts';

const NOW = Date.now();
const FRA = '5f0c3a52-0000-4000-8000-0000000000f1';
const NYC = '5f0c3a52-0000-4000-8000-0000000000a1';
const CLUSTER = (everyAnswer('/api/kubernetes/clusters', NOW) as { clusters: Cluster[] }).clusters[0] as Cluster;
const MORE_TABS = ['Workloads', 'Namespaces', 'Events', 'Capacity', 'Clusters 2'];
const clusters = [
  { ...CLUSTER, cluster_id: FRA, name: 'prod-fra' },
  { ...CLUSTER, cluster_id: NYC, name: 'prod-nyc' },
];
const OVERVIEW = everyAnswer('/api/kubernetes/cluster/overview', NOW) as ClusterOverviewAnswer;
const RANKED = OVERVIEW.summary.top_restarts[0] as ClusterOverviewAnswer['summary']['top_restarts'][number];
const restarted = (name: string, count: number, cores: number) => ({
  ...RANKED,
  cluster_id: FRA,
  namespace: 'shop',
  pod_name: name,
  phase: 'Running' as const,
  reason: null,
  cpu_usage_cores: cores,
  memory_usage_mb: 488,
  restart_count: count,
});
const WELL: ClusterOverviewAnswer = {
  ...OVERVIEW,
  total_nodes: 1,
  ready_nodes: 1,
  total_pods: 2,
  running_pods: 2,
  pending_pods: 0,
  failed_pods: 0,
  crash_looping_pods: 0,
  degraded: [],
  causes: { not_ready_nodes: [], failed_pods: [], crash_looping_pods: [] },
  summary: { ...OVERVIEW.summary, total: 2, top_restarts: [restarted('api-2', 6, 0.2), restarted('api-1', 1, 0.412)] },
  age_seconds: 10,
};
const ILL: ClusterOverviewAnswer = {
  ...WELL,
  total_nodes: 3,
  ready_nodes: 2,
  total_pods: 4,
  failed_pods: 1,
  crash_looping_pods: 1,
  causes: {
    not_ready_nodes: [{ node_name: 'nyc-1', server_id: ID, reason: 'KubeletNotReady' }],
    failed_pods: [{ namespace: 'web', pod_name: 'job-1', reason: 'Error' }],
    crash_looping_pods: [{ namespace: 'shop', pod_name: 'api-2' }],
  },
};
const NODES = everyAnswer('/api/kubernetes/nodes', NOW) as NodesAnswer;
const NODE = NODES.nodes[0] as KubernetesNode;
const noFigure = { source: null, reason: 'No agent reports this node', age_seconds: null };
const node = (index: number, name: string, given: Partial<KubernetesNode> = {}): KubernetesNode => ({
  ...NODE,
  server_id: `${ID.slice(0, -1)}${String(index)}`,
  node_name: name,
  cluster_id: name.startsWith('fra') ? FRA : NYC,
  os_type: 'linux',
  ready: true,
  ...given,
});
/** As the API ranks them. */
const FLEET = [node(1, 'nyc-1', { ready: false }), node(2, 'nyc-2'), node(3, 'fra-1')];
const queryOf = ({ path }: Call) => new URLSearchParams(path.split('?')[1]);
const answers: Answers = {
  'GET /api/kubernetes/clusters': { data: { clusters, total: 2 } },
  'GET /api/kubernetes/cluster/overview': (call) => ({ data: queryOf(call).get('cluster_id') === FRA ? WELL : ILL }),
  'GET /api/kubernetes/nodes': (call) => {
    const cluster = queryOf(call).get('cluster_id');
    const nodes = FLEET.filter(({ cluster_id: id }) => cluster === null || id === cluster);
    const notReady = nodes.filter(({ ready }) => ready === false).length;
    return {
      data: { nodes, total: nodes.length, summary: { ...NODES.summary, total: nodes.length, not_ready: notReady } },
    };
  },
  ...Object.fromEntries(FLEET.map((each) => [`GET /api/kubernetes/nodes/${each.server_id}`, { data: each }])),
};
async function show(at: string, more: Answers = {}) {
  const drawn = await drawApp(at, { answers: { ...answers, ...more }, width: 1440 });
  await drawn.settled();
  return drawn;
}
const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const textOf = (element: Element | null | undefined) => flat((element as HTMLElement | null)?.innerText ?? '');
const search = () => decodeURIComponent(window.location.search);
const tabs = () => [...document.querySelectorAll('nav[aria-label="Kubernetes"] a')].map(textOf);
const chip = (words: string) =>
  [...document.querySelectorAll('[title]')].find((element) => textOf(element) === words)?.getAttribute('title') ?? '';
async function choose(list: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: new RegExp(`^${list}: `) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

describe('Kubernetes without a cluster', () => {
  it('says what to do, and leads to Setup', async () => {
    await show(paths.kubernetes, {
      'GET /api/kubernetes/cluster/overview': emptied('/api/kubernetes/cluster/overview', { total_nodes: 0 }),
      'GET /api/kubernetes/clusters': { data: { clusters: [], total: 0 } },
    });
    await expect.element(page.getByRole('heading', { name: 'Kubernetes Monitoring' })).toBeVisible();
    await expect.element(page.getByText('Monitor nodes, pods, and resources in real-time')).toBeVisible();
    await expect.element(page.getByText('Get Started with Kubernetes Monitoring')).toBeVisible();
    await page.getByRole('link', { name: 'Setup Kubernetes Connector' }).click();
    await expect.poll(() => window.location.pathname + search()).toBe('/setup?on=kubernetes');
  });

  it.each([
    [paths.kubernetesNodes, 'nodes', 'No Kubernetes nodes found'],
    [paths.kubernetesPods, 'pods', 'No pods found'],
  ])('has nothing to list on %s', async (path, list, words) => {
    const call = `/api/kubernetes/${list}`;
    await show(path, { [`GET ${call}`]: emptied(call, { total: 0 }) });
    await expect.element(page.getByText(words).last()).toBeVisible();
  });

  it('does not find a node that is gone', async () => {
    await show(paths.kubernetesNode(ID.replace(/1$/, '9'), 'gone'), {
      [`GET /api/kubernetes/nodes/${ID.replace(/1$/, '9')}`]: { status: 404, detail: 'Not found' },
    });
    await expect.element(page.getByText('Node not found')).toBeVisible();
    expect(page.getByRole('table').elements()).toEqual([]);
  });
});

describe('the overview', () => {
  it('names the causes of the health on the chip and beside it, for each cluster and for all', async () => {
    await show(paths.kubernetes);
    await expect
      .poll(() => chip('Critical'))
      .toMatch(
        /^1 node not ready: nyc-1 \(KubeletNotReady\)\. 1 pod failed: job-1 \(Error\)\. 1 pod crash-looping: api-2\./,
      );
    expect(textOf(document.querySelector('.aside p'))).toBe(chip('Critical'));
    await expect.poll(tabs).toEqual(['Overview', 'Nodes 3', 'Pods 4', ...MORE_TABS]);
    await expect.element(page.getByText('1 Not Ready', { exact: true })).toBeVisible();

    await choose('Cluster', 'prod-fra');
    await expect.poll(search).toBe(`?cluster=${FRA}`);
    await expect.poll(() => chip('Healthy')).toContain('All nodes ready');
    await expect.poll(() => textOf(document.querySelector('main'))).not.toMatch(/Not Ready|Failed/);
    await expect.element(page.getByText('1 node(s) in cluster')).toBeVisible();
    await expect.element(page.getByText('2 pod(s) running')).toBeVisible();
    // The cluster goes along to the other tabs and back.
    await expect.poll(tabs).toEqual(['Overview', 'Nodes 1', 'Pods 2', ...MORE_TABS]);
    await page.getByRole('link', { name: 'View All Pods' }).first().click();
    await expect.element(page.getByRole('heading', { name: 'Kubernetes Pods' })).toBeVisible();
    expect(search()).toBe(`?cluster=${FRA}`);
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Kubernetes' }).click();
    await expect.element(page.getByRole('heading', { name: 'Kubernetes Cluster' })).toBeVisible();
    expect(search()).toBe(`?cluster=${FRA}`);
    await choose('Cluster', 'All');
    await expect.poll(search).toBe('');
  });

  it('ranks who restarts most, red from five on, and leads from there to the pod', async () => {
    await show(`${paths.kubernetes}?cluster=${FRA}`);
    const ranked = () =>
      page
        .getByRole('listitem')
        .elements()
        .filter((item) => /^#\d/.test(item.textContent));
    await expect
      .poll(() => ranked().map(textOf))
      .toEqual([
        expect.stringMatching(/^#1 api-2 shop Running 0\.200 ?cores 488 ?MB 6 restarts$/),
        expect.stringMatching(/^#2 api-1 shop Running 0\.412 ?cores 488 ?MB 1 restart$/),
      ]);
    expect(ranked().map((row) => row.hasAttribute('data-many'))).toEqual([true, false]);
    ranked()[0]?.querySelector('a')?.click();
    await expect.poll(search).toBe(`?pod=${FRA}/shop/api-2`);
  });
});

describe('the nodes', () => {
  const names = () =>
    [...document.querySelectorAll('main table tbody a')].map(({ textContent }) => textContent.replaceAll(/\s/g, ''));

  it('stand in a table with the broken ones first, counted, and N/A with its reason', async () => {
    const missing = node(2, 'nyc-2', {
      metrics: { ...NODE.metrics, disk_usage: null },
      origins: { ...NODE.origins, disk_usage: noFigure },
    });
    await show(`${paths.kubernetesNodes}?view=table`, {
      'GET /api/kubernetes/nodes': {
        data: { nodes: [FLEET[0], missing, FLEET[2]], total: 3, summary: { ...NODES.summary, total: 3, not_ready: 1 } },
      },
    });
    await expect.element(page.getByText('Monitor resource usage and health of your Kubernetes nodes')).toBeVisible();
    const heads = [...document.querySelectorAll('main table')].map((table) =>
      [...table.querySelectorAll('thead th')].map(textOf),
    );
    const columns = ['Node Name', 'OS', 'Pods', 'CPU Usage', 'Memory Usage', 'Disk Usage', 'Uptime'];
    expect(heads).toEqual([columns, columns]);
    await expect.poll(names).toEqual(['nyc-1', 'nyc-2', 'fra-1']);
    for (const count of ['Total: 3', 'Running: 3', 'Not Ready: 1'])
      await expect.element(page.getByText(count, { exact: true })).toBeVisible();
    const row = page.getByRole('row').filter({ hasText: 'nyc-2' });
    await expect.element(row.getByLabelText(/^N\/A: ./).first()).toHaveAttribute('title');
    await expect.element(row).toMatchTextContent(/ID: [0-9a-f]{8}/);
    await row.getByRole('link').first().click();
    await expect.poll(() => window.location.pathname).toBe(paths.kubernetesNode(missing.server_id, 'nyc-2'));
  });

  it('keep cluster and view in the address; a pressed view stays pressed', async () => {
    await show(`${paths.kubernetesNodes}?view=table`);
    await choose('Cluster', 'prod-nyc');
    await expect.poll(search).toBe(`?view=table&cluster=${NYC}`);
    await expect.poll(() => names().length).toBe(2);
    await page.getByRole('button', { name: 'Table' }).click();
    expect(search()).toBe(`?view=table&cluster=${NYC}`);
    await page.getByRole('button', { name: 'Grid' }).click();
    await expect.poll(search).toBe(`?cluster=${NYC}`);
    await expect.poll(() => textOf(document.querySelector('main'))).toMatch(/linux · \d+ pods?/);
  });
});

describe('a node', () => {
  const PATH = paths.kubernetesNode(FLEET[2]?.server_id ?? '', 'fra-1');
  const HISTORY = `GET /api/kubernetes/nodes/${FLEET[2]?.server_id ?? ''}/metrics/history`;
  const sample = everyAnswer(HISTORY.slice('GET '.length), NOW) as NodeHistoryAnswer;
  const to = Math.floor(NOW / 1000 / 300) * 300;
  const from = to - 86_400;
  /** A day in steps of five minutes, the first half of it from a Prometheus. */
  const history = () => ({
    data: {
      ...sample,
      from,
      to,
      bucket_seconds: 300,
      metrics: Array.from({ length: 288 }, (_, step) => {
        const { source: _source, ...point } = sample.metrics[0] as NodeHistoryAnswer['metrics'][number];
        const taken = step < 144 ? { source: 'prometheus' as const } : {};
        return { ...point, ...taken, timestamp: from + step * 300 };
      }),
    },
  });
  const chart = page.getByRole('region', { name: 'Resource history' });
  const plot = () => chart.element().querySelector('rect[fill="transparent"]') as SVGElement;

  it('shows its condition when it is not ready, its cluster, and leads to a pod it runs', async () => {
    const condition = {
      type: 'Ready',
      status: 'False',
      reason: 'KubeletNotReady',
      message: null,
      since: new Date(NOW - 900_000).toISOString(),
    };
    const broken = { ...FLEET[0], architecture: 'arm64', cluster_name: 'prod-nyc', conditions: [condition] };
    await show(paths.kubernetesNode(FLEET[0]?.server_id ?? '', 'nyc-1'), {
      [`GET /api/kubernetes/nodes/${FLEET[0]?.server_id ?? ''}`]: { data: broken },
    });
    await expect.element(page.getByText('Not Ready', { exact: true }).first()).toBeVisible();
    for (const label of ['CPU Usage', 'Memory Usage', 'Disk Usage', 'Uptime'])
      await expect.element(page.getByText(label, { exact: true }).first()).toBeVisible();
    const facts = textOf(document.querySelector('main'));
    expect(facts).toContain('OS linux Architecture arm64');
    expect(facts).toContain('Cluster prod-nyc');
    expect(facts).toContain('Ready False KubeletNotReady');
    await page.getByRole('table', { name: 'Pods on nyc-1' }).getByRole('button').first().click();
    await expect.poll(() => window.location.pathname).toBe(paths.kubernetesPods);
    expect(search()).toMatch(/^\?pod=/);
  });

  it('keeps a pressed range pressed, and says what failed and tries again', async () => {
    let isDown = false;
    await show(PATH, { [HISTORY]: () => (isDown ? { status: 503, detail: 'the series are being moved' } : history()) });
    const range = (name: string) => page.getByRole('button', { name, exact: true });
    await expect.element(range('24h')).toHaveAttribute('aria-pressed', 'true');
    await range('24h').click();
    await expect.element(range('24h')).toHaveAttribute('aria-pressed', 'true');
    for (const name of ['1h', '6h', '3d', '7d']) await expect.element(range(name)).toBeVisible();
    isDown = true;
    await range('7d').click();
    await expect.poll(search).toBe('?hours=168');
    await expect.element(chart.getByRole('alert')).toMatchTextContent(/the series are being moved/);
    await expect.element(page.getByRole('table', { name: 'Pods on fra-1' })).toBeVisible();
    isDown = false;
    await chart.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => chart.element().querySelector('path.curve')).not.toBeNull();
    expect(chart.getByRole('alert').elements()).toEqual([]);
    await expect.element(range('7d')).toHaveAttribute('aria-pressed', 'true');
  });

  it('says what was taken over from a Prometheus, also under the pointer', async () => {
    await show(PATH, { [HISTORY]: history });
    await expect.element(chart.getByText(/^Prometheus .*\d\d:\d\d–.*\d\d:\d\d$/)).toBeVisible();
    const { width } = plot().getBoundingClientRect();
    await userEvent.hover(plot(), { position: { x: width * 0.1, y: 40 } });
    await expect.element(chart.getByText(/\d\d:\d\d · Prometheus$/)).toBeVisible();
    await userEvent.hover(plot(), { position: { x: width * 0.9, y: 40 } });
    await expect.element(chart.getByText(/\d\d:\d\d · Prometheus$/)).not.toBeInTheDocument();
  });

  it.each([
    ['metrics-server' as const, /^metrics-server, 20 s old$/],
    ['node-agent' as const, /^node agent, 20 s old$/],
  ])('says that %s told its figures, and how old they are', async (source, words) => {
    const told = { source, reason: null, age_seconds: 20 };
    const server = FLEET[2]?.server_id ?? '';
    await show(PATH, {
      [`GET /api/kubernetes/nodes/${server}`]: {
        data: { ...FLEET[2], origins: { cpu_usage: told, memory_usage: told, disk_usage: told, uptime: told } },
      },
      [HISTORY]: filled(HISTORY.slice('GET '.length), { metrics: [] }),
    });
    await expect.element(page.getByText(words).first()).toBeVisible();
  });
});

describe('the palette', () => {
  it('leads to a node and to a pod by their names', async () => {
    await show(paths.kubernetes);
    const field = page.getByRole('combobox', { name: 'Search', exact: true });
    await userEvent.keyboard('{Control>}k{/Control}');
    await field.fill('nyc-2');
    await expect.element(page.getByRole('option', { name: 'nyc-2 Node', selected: true })).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => window.location.pathname).toBe(paths.kubernetesNode(FLEET[1]?.server_id ?? '', 'nyc-2'));
    await expect.element(field).not.toBeInTheDocument();
    await userEvent.keyboard('{Control>}k{/Control}');
    await field.fill('pod-name');
    await expect.element(page.getByRole('option', { name: /Pod in namespace$/, selected: true })).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => window.location.pathname).toBe(paths.kubernetesPods);
    expect(search()).toMatch(/^\?pod=[^/]+\/namespace\/pod-name$/);
  });
});
