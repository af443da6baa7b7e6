import type { ClusterMomentAnswer } from '@plimsoll/contract/wire/kubernetes-moment';
import { expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { useClusterMoment } from '../../api/cluster-moment.ts';
import { ViewProvider } from '../../state/view.ts';
import { ClusterThen } from './cluster-then.tsx';

const AT = 1_769_829_120;
const ANSWER: ClusterMomentAnswer = {
  nodes: [
    {
      server_id: '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11',
      cluster_id: 'c1',
      node_name: 'node-1',
      cpu_usage: 41.2,
      memory_usage: null,
      pods_count: 12,
      restarts_24h: 3,
    },
  ],
  pods: [
    {
      cluster_id: 'c1',
      namespace: 'shop',
      pod_name: 'checkout-1',
      node_name: 'node-1',
      cpu_usage_cores: 0.25,
      memory_usage_mb: 512,
      restarts_24h: 3,
      oom_kills_24h: 2,
    },
  ],
  total_pods: 402,
  restarts_reason: null,
  not_stored: ['phases of pods', 'readiness and conditions of nodes'],
};
const Moment = () => <ClusterThen asked={useClusterMoment('c1')} />;
const ask = (answer: Parameters<typeof drawPage>[1][string]) =>
  drawPage(
    <ViewProvider value={{ scope: '', at: AT }}>
      <Moment />
    </ViewProvider>,
    { 'GET /api/kubernetes/at': answer },
  );

it('shows usage and restarts of the moment, and N/A with the reason for what is not stored', async () => {
  const { screen, callsTo } = await ask({ data: ANSWER });
  await expect.element(screen.getByRole('rowheader', { name: 'checkout-1' })).toBeVisible();
  await expect.element(screen.getByRole('row', { name: /^node-1/ })).toMatchTextContent(/41\.2\s?%N\/A, not stored12/);
  await expect
    .element(screen.getByText('N/A at this moment, because no history is stored: phases of pods', { exact: false }))
    .toBeVisible();
  await expect.element(screen.getByText('1 of 402, most restarts first')).toBeVisible();
  expect(callsTo('GET', '/api/kubernetes/at').map(({ path }) => path)).toEqual([
    `/api/kubernetes/at?at=${AT}&cluster_id=c1`,
  ]);
});

it('says why restarts are not known, and when nothing is', async () => {
  const { screen } = await ask({
    data: {
      ...ANSWER,
      restarts_reason: 'Restarts are kept for 7 days',
      pods: ANSWER.pods.map((pod) => ({ ...pod, restarts_24h: null })),
    },
  });
  await expect.element(screen.getByText('N/A, Restarts are kept for 7 days').first()).toBeVisible();
});

it('is empty before the cluster was monitored, and shows the error of a refused moment', async () => {
  const { screen } = await ask({ data: { ...ANSWER, nodes: [], pods: [], total_pods: 0 } });
  await expect.element(screen.getByText('No node or pod is known of this moment')).toBeVisible();
  const failed = await ask({
    status: 400,
    detail: 'at: must be a moment of the past',
    remedy: 'Choose an earlier moment.',
  });
  await expect.element(failed.screen.getByText('Choose an earlier moment.')).toBeVisible();
});
