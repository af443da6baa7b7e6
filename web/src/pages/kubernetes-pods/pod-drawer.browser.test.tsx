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
