import { expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { NoServerInScope } from './nothing-in-scope.tsx';

const AT = '/servers?scope=cluster:prod-fra';
const cluster = { cluster_id: 'uid-1', name: 'prod-fra', version: null, age_seconds: 5, nodes: 12, pods: 40 };
const clusters = (...found: readonly object[]) => ({
  'GET /api/kubernetes/clusters': { data: { clusters: found, total: found.length } },
});

it('says that the nodes of the cluster have no agent, and leads to them', async () => {
  const { screen } = await drawPage(<NoServerInScope />, clusters(cluster), { at: AT });
  await expect.element(screen.getByText('No agent runs on the 12 nodes of prod-fra')).toBeVisible();
  const link = screen.getByRole('link', { name: 'Show the nodes' });
  await expect.element(link).toHaveAttribute('href', '/kubernetes/nodes?scope=cluster%3Aprod-fra');
  expect(screen.getByText(/No server matches/).elements()).toEqual([]);
});

it('names the scope when nothing is in it', async () => {
  const { screen } = await drawPage(<NoServerInScope />, clusters(), { at: AT });
  await expect.element(screen.getByText('No server matches cluster:prod-fra')).toBeVisible();
  await screen.getByRole('button', { name: 'Clear the scope' }).click();
  expect(window.location.search).toBe('');
});
