import type { Cluster } from '@plimsoll/contract/wire/kubernetes';
import { expect, test } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { everyAnswer } from '../../testing/every-answer.ts';
import { ObjectsPanel } from './objects-panel.tsx';

const [FILLED] = (everyAnswer('/api/kubernetes/clusters', Date.now()) as { clusters: Cluster[] }).clusters;
const prod = { ...(FILLED as Cluster), cluster_id: 'uid', name: 'prod', objects_rule_organisation: false };
const PATH = '/api/kubernetes/clusters/uid';
const WORDS = 'The objects of prod may set rules of the whole organisation';

test('an admin allows rules of the whole organisation after a question', async () => {
  const { screen, callsTo } = await drawPage(<ObjectsPanel clusters={[prod]} />, { [`PUT ${PATH}`]: { data: {} } });
  const box = screen.getByLabelText(WORDS);
  await expect.element(box).not.toBeChecked();
  await box.click();
  expect(callsTo('PUT', PATH)).toEqual([]);
  await screen.getByRole('dialog').getByRole('button', { name: 'Allow' }).click();
  await expect.poll(() => callsTo('PUT', PATH).map(({ body }) => body)).toEqual([{ objects_rule_organisation: true }]);
});

test('the permission ends, and a refusal is shown', async () => {
  const refused = { status: 403, detail: 'This call needs the role "admin"' };
  const allowed = { ...prod, objects_rule_organisation: true };
  const { screen, callsTo } = await drawPage(<ObjectsPanel clusters={[allowed]} />, { [`PUT ${PATH}`]: refused });
  await screen.getByLabelText(WORDS).click();
  await expect.element(screen.getByText(/The objects become Degraded/)).toBeVisible();
  await screen.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await expect.element(screen.getByText(/This call needs the role/)).toBeVisible();
  expect(callsTo('PUT', PATH).map(({ body }) => body)).toEqual([{ objects_rule_organisation: false }]);
});
