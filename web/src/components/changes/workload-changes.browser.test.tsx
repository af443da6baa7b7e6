import { expect, it, vi } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { sampleChange } from '../../testing/sample-change.ts';
import { WorkloadChanges } from './workload-changes.tsx';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const asked = (changes: ReturnType<typeof sampleChange>[] | undefined) => ({
  ...(changes && { data: { changes, total: changes.length, is_more: false } }),
  dataUpdatedAt: Date.now(),
  isPending: changes === undefined,
  error: null,
  errorUpdatedAt: 0,
  refetch: () => undefined,
});

it('draws each change on the lane, and shows the fields of the chosen one', async () => {
  const scaled = sampleChange({
    id: '2',
    at: ago(10),
    title: 'replicas 6 → 8',
    by: 'mira',
    fields: [{ field: 'replicas', was: 'changed', before: '6', after: '8', hidden: false }],
  });
  const rollout = sampleChange({ id: '1', at: ago(600) });
  const { screen } = await drawPage(
    <WorkloadChanges asked={asked([scaled, rollout])} hours={24} onHours={() => undefined} />,
    {},
  );
  await expect.element(screen.getByRole('heading', { name: 'replicas 6 → 8' })).toBeVisible();
  await screen.getByRole('group', { name: 'Changes' }).getByRole('button').first().click();
  await expect.element(screen.getByRole('heading', { name: 'image 1.9.1 → 1.9.2' })).toBeVisible();
  await expect.element(screen.getByText('+ checkout:1.9.2')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Copy the undo command' })).toBeVisible();
});

it('says why there are none, and asks for another range', async () => {
  const onHours = vi.fn<(hours: number) => void>();
  const { screen } = await drawPage(<WorkloadChanges asked={asked([])} hours={24} onHours={onHours} />, {});
  await expect.element(screen.getByText('No changes in this range')).toBeVisible();
  await screen.getByRole('button', { name: '7d' }).click();
  expect(onHours).toHaveBeenCalledWith(168);
});

it('offers no undo of a change that is no rollout, nor of an older rollout', async () => {
  const fields = [{ field: 'replicas', was: 'changed' as const, before: '6', after: '8', hidden: false }];
  const scaled = sampleChange({ id: '3', at: ago(5), title: 'replicas 6 → 8', fields });
  const both = [
    scaled,
    sampleChange({ id: '2', at: ago(300) }),
    sampleChange({ id: '1', at: ago(900), title: 'older' }),
  ];
  const { screen } = await drawPage(<WorkloadChanges asked={asked(both)} hours={24} onHours={() => undefined} />, {});
  await expect.element(screen.getByRole('heading', { name: 'replicas 6 → 8' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copy the undo command' }).elements()).toHaveLength(0);
  await screen.getByRole('button', { name: /^older/ }).click();
  await expect.element(screen.getByRole('heading', { name: 'older' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copy the undo command' }).elements()).toHaveLength(0);
});
