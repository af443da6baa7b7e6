import { expect, it, vi } from 'vitest';
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
