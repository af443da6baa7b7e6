import { expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { SAMPLE_POD } from '../../testing/sample-pod.ts';
import { printing } from '../../state/printing.ts';
import { NodePods } from './node-pods.tsx';

const PODS = Array.from({ length: 50 }, (_, index) => ({
  ...SAMPLE_POD,
  uid: `uid-${String(index)}`,
  pod_name: `pod-${String(index)}`,
}));
const ID = '00000000-0000-4000-8000-000000000001';
const drawPods = () =>
  drawPage(<NodePods serverId={ID} nodeName="node-1" />, {
    [`GET /api/kubernetes/nodes/${ID}/pods`]: { data: { pods: PODS, total: 50 } },
  });
const rows = () => document.querySelectorAll('tbody tr').length;

it('folds the pods of a full node until they are asked for', async () => {
  const { screen } = await drawPods();
  await expect.poll(rows).toBe(12);
  await screen.getByRole('button', { name: 'Show all 50 pods' }).click();
  await expect.poll(rows).toBe(50);
  expect(screen.getByRole('button', { name: /^Show all/ }).elements()).toEqual([]);
});

it('prints all of them', async () => {
  await drawPods();
  await expect.poll(rows).toBe(12);
  printing.set(true);
  await expect.poll(rows).toBe(50);
  printing.set(false);
});
