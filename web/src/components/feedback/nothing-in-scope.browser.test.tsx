import { expect, it } from 'vitest';
import { drawAt } from '../../testing/draw.tsx';
import { NoServerInScope } from './nothing-in-scope.tsx';

const AT = '?scope=cluster:prod-fra';
const cluster = {
  cluster_id: 'uid-1',
  name: 'prod-fra',
  version: null,
  first_seen_at: '2026-01-01T00:00:00.000Z',
  last_seen_at: '2026-01-02T00:00:00.000Z',
  age_seconds: 5,
  nodes: 12,
  objects_rule_organisation: false,
  pods: 40,
};

it('says that the nodes of the cluster have no agent, and leads to them', async () => {
  const screen = await drawAt(<NoServerInScope clusters={[cluster]} />, AT);
  await expect.element(screen.getByText('No agent runs on the 12 nodes of prod-fra')).toBeVisible();
  const link = screen.getByRole('link', { name: 'Show the nodes' });
  await expect.element(link).toHaveAttribute('href', '/kubernetes/nodes?scope=cluster%3Aprod-fra');
  expect(screen.getByText(/No server matches/).elements()).toEqual([]);
});

it('names the scope when nothing is in it', async () => {
  const screen = await drawAt(<NoServerInScope clusters={[]} />, AT);
  await expect.element(screen.getByText('No server matches cluster:prod-fra')).toBeVisible();
  await screen.getByRole('button', { name: 'Clear the scope' }).click();
  expect(window.location.search).toBe('');
});
