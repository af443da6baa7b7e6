import type { LogLine } from '@plimsoll/contract/wire/lines';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { SAMPLE_POD } from '../../testing/sample-pod.ts';
import { drawPage, type Answer } from '../../testing/draw-page.tsx';
import { PodDrawer } from './pod-drawer.tsx';

it('copies a link that opens the pod of its cluster', async () => {
  const pod = { clusterId: 'c-1', namespace: 'shop', name: 'web-1' };
  const gone = { status: 404, detail: 'No such pod' };
  const { screen } = await drawPage(<PodDrawer pod={pod} onClose={() => {}} />, {
    'GET /api/kubernetes/pods/shop/web-1': gone,
  });
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await screen.getByRole('button', { name: 'Copy link to pod' }).click();
  await expect.element(screen.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(write).toHaveBeenCalledWith(`${window.location.origin}/kubernetes/pods?pod=c-1%2Fshop%2Fweb-1`);
});

it('says what a resized pod runs with, and why the kubelet refuses what is wanted', async () => {
  const [container] = SAMPLE_POD.containers;
  if (container === undefined) throw new Error('the sample has a container');
  const pod = {
    ...SAMPLE_POD,
    resize: { state: 'infeasible', message: 'Node did not have enough capacity', since: '2026-01-01T00:00:00.000Z' },
    containers: [
      {
        ...container,
        running: { requests: { cpu_cores: null, memory_mb: null }, limits: { cpu_cores: 0.5, memory_mb: 512 } },
      },
    ],
  };
  const { screen } = await drawPage(
    <PodDrawer pod={{ clusterId: 'c-1', namespace: 'shop', name: pod.pod_name }} onClose={() => {}} />,
    {
      [`GET /api/kubernetes/pods/shop/${pod.pod_name}`]: {
        data: { pod, restarts: [], events: [], image_change: null, volumes: [] },
      },
    },
  );
  await expect.element(screen.getByText(/^Refused: Node did not have enough capacity/)).toBeVisible();
  await expect.element(screen.getByText('Runs with: CPU limit 0.500; memory limit 512 MB')).toBeVisible();
  await expect.element(screen.getByText('Wanted: CPU limit 1.000; memory limit 512 MB')).toBeVisible();
});

const ANSWER = { pod: SAMPLE_POD, restarts: [], events: [], image_change: null, volumes: [] };
const draw = (answer: Answer) =>
  drawPage(<PodDrawer pod={{ clusterId: 'c-1', namespace: 'shop', name: SAMPLE_POD.pod_name }} onClose={() => {}} />, {
    [`GET /api/kubernetes/pods/shop/${SAMPLE_POD.pod_name}`]: { data: ANSWER },
    'GET /api/lines': answer,
  });
const wordsOf = (lines: readonly LogLine[], unavailable: string | null = null) =>
  draw({ data: { lines, unavailable } });
const ended = (container: string, run: number, text: string): LogLine => ({
  at: '2026-01-01T00:00:00.000Z',
  kind: 'last_words',
  text,
  count: 1,
  subject: null,
  server_id: null,
  hostname: null,
  cluster_id: 'c-1',
  namespace: 'shop',
  pod: SAMPLE_POD.pod_name,
  container,
  run,
  ended_at: `2026-01-01T00:0${String(run)}:00.000Z`,
});

describe('last words in the drawer', () => {
  it('are those of this pod of the last 24 hours, by container and run, in the order of writing', async () => {
    const { screen, callsTo } = await wordsOf([
      ended('app', 2, 'FATAL: no route to the database'),
      ended('app', 2, 'connecting to the database'),
      ended('sidecar', 0, 'bye'),
    ]);
    await expect.element(screen.getByRole('heading', { name: 'Last words, 24 h' })).toBeVisible();
    const region = screen.getByRole('region', { name: 'Last words of app' });
    await expect.element(region).toBeVisible();
    expect(region.element().textContent).toBe('connecting to the database\nFATAL: no route to the database');
    await expect.element(screen.getByText('run 3', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('run 1', { exact: true })).toBeVisible();
    await expect.element(screen.getByRole('region', { name: 'Last words of sidecar' })).toHaveTextContent('bye');
    const [call] = callsTo('GET', '/api/lines');
    const asked = new URL(call?.path ?? '', 'http://plimsoll').searchParams;
    expect([asked.get('cluster_id'), asked.get('namespace'), asked.get('pod'), asked.get('to')]).toEqual([
      'c-1',
      'shop',
      SAMPLE_POD.pod_name,
      null,
    ]);
    expect(Date.now() / 1000 - Number(asked.get('from'))).toBeLessThan(25 * 3600);
    expect(Date.now() / 1000 - Number(asked.get('from'))).toBeGreaterThan(23 * 3600);
  });

  it('wrap at 390 px, with a word as long as a line may be', async () => {
    onTestFinished(() => page.viewport(1280, 800));
    await page.viewport(390, 800);
    const { screen } = await wordsOf([ended('app', 0, 'x'.repeat(400))]);
    const region = screen.getByRole('region', { name: 'Last words of app' });
    await expect.element(region).toBeVisible();
    const { scrollWidth, clientWidth } = region.element();
    expect(scrollWidth).toBe(clientWidth);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });

  it('show the newest runs first, and the others on request', async () => {
    const { screen } = await wordsOf([4, 3, 2, 1, 0].map((run) => ended('app', run, `end of run ${String(run)}`)));
    await expect.element(screen.getByText('end of run 2')).toBeVisible();
    await expect.element(screen.getByText('end of run 1')).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Show all 5 runs' }).click();
    await expect.element(screen.getByText('end of run 0')).toBeVisible();
  });

  it('are N/A with the reason where the chart does not allow logs', async () => {
    const { screen } = await wordsOf([], 'The collector of this cluster does not read logs.');
    await expect.element(screen.getByText('N/A: The collector of this cluster does not read logs.')).toBeVisible();
  });

  it('are none where no container failed', async () => {
    const { screen } = await wordsOf([]);
    await expect
      .element(screen.getByText('None: no container of this pod failed, or it wrote nothing before it ended.'))
      .toBeVisible();
  });

  it('hold their place while they load', async () => {
    const { screen } = await draw('pending');
    await expect.element(screen.getByRole('heading', { name: 'Last words, 24 h' })).toBeVisible();
    expect(screen.container.ownerDocument.querySelectorAll('section .MuiSkeleton-root').length).toBeGreaterThan(0);
    await expect.element(screen.getByText(/^None: no container/)).not.toBeInTheDocument();
  });

  it('say what failed', async () => {
    const { screen } = await draw({ status: 500, detail: 'the database is away' });
    await expect.element(screen.getByText(/the database is away/)).toBeVisible();
    await expect.element(screen.getByText(/^None: no container/)).not.toBeInTheDocument();
  });
});
