import { load } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HELM_RELEASE, helmUninstallCommand } from '../../web/src/format/install-command.ts';
import { launchChromium } from '../../web/src/testing/chromium.ts';
import { PRODUCT_REGISTRY } from './product-images.ts';
import { capture } from './shell.ts';
import { type Dashboard, signInWith } from './testing/dashboard.ts';
import { NAMESPACE, install, remove } from './testing/install.ts';
import { CHART, helm, kubectl, list, podNames, until, onNode } from './testing/release.ts';

interface Image {
  repository: string;
  tag: string;
}
const chart = (file: string): unknown => load(readFileSync(join(CHART, file), 'utf8'));
const values = chart('values.yaml') as Record<'prometheus' | 'kubeStateMetrics', { image: Image }>;
const names = () => list(['nodes']).map(({ metadata }) => metadata.name);
/** Runs containerd's `ctr images …` for the pods of every node. */
function onNodes(...words: string[]): void {
  for (const node of names()) onNode(node, ['ctr', '-n', 'k8s.io', 'images', ...words]);
}
const named = ({ repository, tag }: Image) => `${repository}:${tag}`;
/** Placeholders of Setup's command, and their values for the images built here. */
const published = Object.entries({
  [named(values.prometheus.image)]: process.env.PLIMSOLL_TEST_PROMETHEUS ?? '',
  [named(values.kubeStateMetrics.image)]: process.env.PLIMSOLL_TEST_KUBE_STATE_METRICS ?? '',
}).filter(([name, built]) => name !== built);

let dashboard: Dashboard;
beforeAll(async () => {
  for (const [name, built] of published) onNodes('tag', '--force', built, name);
  // A dashboard as it stands elsewhere: no collector of its own.
  ({ dashboard } = await install(['--set', 'nodeAgent.enabled=false,clusterCollector.enabled=false']));
});
afterAll(() => {
  helm(['uninstall', HELM_RELEASE, '-n', NAMESPACE, '--ignore-not-found', '--wait']);
  remove();
  onNodes('rm', ...published.map(([name]) => name));
});

/** Pastes the copied text: plain http hides the clipboard from scripts. */
async function pasted(page: Page): Promise<string> {
  await page.evaluate(`{
    const area = document.createElement('textarea');
    area.id = 'pasted';
    document.body.append(area);
    area.focus();
  }`);
  await page.keyboard.press('Control+V');
  return page.locator('#pasted').inputValue();
}

interface NodeEntry {
  node_name: string;
  metrics: { cpu_usage: number | null; memory_usage: number | null };
  agent: { kubelet_state: string } | null;
}

test('the command that Setup copies installs the collectors, and both nodes appear', async () => {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signInWith(page, dashboard.url);
    await page.goto(`${dashboard.url}/setup?on=kubernetes`);
    await page.getByRole('button', { name: 'Copy command' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = await pasted(page);
    expect(command).toContain(`${dashboard.url}/charts/plimsoll.tgz`);
    expect(command).toContain(`--set image.registry=${PRODUCT_REGISTRY}`);
    expect(command).not.toContain('image.tag');
    expect(command).toContain('--set prometheus.enabled=true');

    expect(capture('sh', ['-c', command])).toContain('STATUS: deployed');
    await page.getByText('2 Kubernetes node(s) connected successfully!').waitFor({ timeout: 120_000 });
  } finally {
    await browser.close();
  }
  // The first figures may be those of metrics-server.
  const nodes = await until('figures of both nodes and their agents', 150, async () => {
    const seen = (await dashboard.get<{ nodes: NodeEntry[] }>('/api/kubernetes/nodes')).nodes;
    const isWhole = ({ metrics, agent }: NodeEntry) => metrics.cpu_usage !== null && agent !== null;
    return seen.length === 2 && seen.every(isWhole) ? seen : null;
  });
  expect(nodes.map(({ node_name }) => node_name).toSorted()).toEqual(names().toSorted());
  for (const { agent } of nodes) expect(agent?.kubelet_state).toBe('ok');
}, 400_000);

test('the Prometheus it brings reads every kubelet and kube-state-metrics', async () => {
  interface Target {
    labels: { job: string; node?: string };
    health: string;
    lastError: string;
  }
  const place = `services/${HELM_RELEASE}-prometheus:9090/proxy`;
  const targets = await until('every target read once', 150, () => {
    const answer = kubectl(['get', '--raw', `/api/v1/namespaces/${NAMESPACE}/${place}/api/v1/targets?state=active`]);
    const { activeTargets } = (JSON.parse(answer) as { data: { activeTargets: Target[] } }).data;
    return activeTargets.length > 0 && activeTargets.every(({ health }) => health !== 'unknown') ? activeTargets : null;
  });
  expect(targets.map(({ lastError }) => lastError)).toEqual(targets.map(() => ''));
  const read = (job: string) =>
    targets.filter(({ labels }) => labels.job === job).map(({ labels }) => labels.node ?? '');
  expect(read('cadvisor').toSorted()).toEqual(names().toSorted());
  expect(read('kubelet').toSorted()).toEqual(names().toSorted());
  expect(read('kube-state-metrics')).toHaveLength(1);
}, 160_000);

test('helm test finds every node reporting, and the command beside it removes them', async () => {
  expect(helm(['test', HELM_RELEASE, '-n', NAMESPACE, '--timeout', '170s'])).toMatch(/Phase: +Succeeded/);
  capture('sh', ['-c', helmUninstallCommand]);
  const ours = `app.kubernetes.io/instance=${HELM_RELEASE}`;
  await until('the pods to be gone', 60, () => (podNames(NAMESPACE, ours).length === 0 ? true : null));
});
