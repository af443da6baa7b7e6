import type { LogLine } from '@plimsoll/contract/wire/lines';
import { expect, it, vi } from 'vitest';
import { SAMPLE_POD } from '../../testing/sample-pod.ts';
import { drawPage } from '../../testing/draw-page.tsx';
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
const wordsOf = (lines: readonly LogLine[], unavailable: string | null = null) =>
  drawPage(<PodDrawer pod={{ clusterId: 'c-1', namespace: 'shop', name: SAMPLE_POD.pod_name }} onClose={() => {}} />, {
    [`GET /api/kubernetes/pods/shop/${SAMPLE_POD.pod_name}`]: { data: ANSWER },
    'GET /api/lines': { data: { lines, unavailable } },
  });

it('shows the last words of the containers of this pod of the last 24 hours', async () => {
  const { screen, callsTo } = await wordsOf([
    {
      at: '2026-01-01T00:00:00.000Z',
      kind: 'last_words',
      text: 'FATAL: no route to the database',
      count: 1,
      subject: null,
      server_id: null,
      hostname: null,
      cluster_id: 'c-1',
      namespace: 'shop',
      pod: SAMPLE_POD.pod_name,
      container: 'app',
    },
  ]);
  await expect.element(screen.getByRole('heading', { name: 'Last words, 24 h' })).toBeVisible();
  await expect.element(screen.getByText('FATAL: no route to the database')).toBeVisible();
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

it('says why there are no last words', async () => {
  const { screen } = await wordsOf([], 'The collector of this cluster does not read logs.');
  await expect.element(screen.getByText('N/A: The collector of this cluster does not read logs.')).toBeVisible();
});
