import { expect, test } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { ManageCluster } from './manage-cluster.tsx';

const PATH = '/api/kubernetes/clusters/uid-1';
const PROD = { cluster_id: 'uid-1', name: 'prod', nodes: 3, pods: 1200 };

test('removes a cluster after its name is typed, and leaves the address that names it', async () => {
  const { screen, callsTo } = await drawPage(
    <ManageCluster cluster={PROD} />,
    { [`DELETE ${PATH}`]: { data: {} } },
    { at: '/kubernetes?cluster=uid-1' },
  );
  await screen.getByRole('button', { name: 'Remove prod' }).click();
  const remove = screen.getByRole('button', { name: 'Remove cluster' });
  await expect.element(remove).toBeDisabled();
  await expect.element(screen.getByText(/deletes its 3 nodes, 1,200 pods/)).toBeVisible();
  await screen.getByLabelText('Name of the cluster').fill('pro');
  await expect.element(remove).toBeDisabled();
  await screen.getByLabelText('Name of the cluster').fill('prod');
  await remove.click();
  await expect.poll(() => callsTo('DELETE', PATH).length).toBe(1);
  await expect.poll(() => window.location.search).toBe('');
});

test('counts one node and one pod in the singular', async () => {
  const { screen } = await drawPage(<ManageCluster cluster={{ ...PROD, nodes: 1, pods: 1 }} />, {});
  await screen.getByRole('button', { name: 'Remove prod' }).click();
  await expect.element(screen.getByText(/deletes its 1 node, 1 pod, figures/)).toBeVisible();
});

test('renames a cluster, returns to the reported name, and shows a refusal', async () => {
  const { screen, callsTo } = await drawPage(<ManageCluster cluster={PROD} />, {
    [`PUT ${PATH}/name`]: ({ body }) =>
      (body as { name: string | null }).name === null
        ? { status: 403, detail: 'This call needs the role "admin"' }
        : { data: { cluster_id: 'uid-1', name: 'harbour' } },
  });
  await screen.getByRole('button', { name: 'Rename prod' }).click();
  await screen.getByLabelText('New name of the cluster').fill('harbour');
  await screen.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect.poll(() => callsTo('PUT', `${PATH}/name`).map(({ body }) => body)).toEqual([{ name: 'harbour' }]);
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Rename prod' }).click();
  await screen.getByRole('button', { name: 'Use the reported name' }).click();
  await expect.element(screen.getByText(/This call needs the role/)).toBeVisible();
  expect(callsTo('PUT', `${PATH}/name`).at(-1)?.body).toEqual({ name: null });
});
