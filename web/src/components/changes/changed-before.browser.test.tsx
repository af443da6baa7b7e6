import { expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { sampleChange } from '../../testing/sample-change.ts';
import { ChangedBefore } from './changed-before.tsx';

const asked = (changes: (ReturnType<typeof sampleChange> & { why: string })[]) => ({
  data: { changes, from: new Date(0).toISOString(), to: new Date(1).toISOString() },
  isPending: false,
  error: null,
  errorUpdatedAt: 0,
  refetch: () => undefined,
});

it('lists what may explain it, each with its reason', async () => {
  const change = { ...sampleChange({}), why: 'this object itself' };
  const { screen } = await drawPage(<ChangedBefore asked={asked([change])} />, {});
  await expect.element(screen.getByRole('heading', { name: 'Changed before this' })).toBeVisible();
  await expect.element(screen.getByText('this object itself')).toBeVisible();
});

it('says that nothing is known, and never that nothing changed', async () => {
  const { screen } = await drawPage(<ChangedBefore asked={asked([])} />, {});
  await expect.element(screen.getByText('Nothing is known to have changed in the 30 minutes before.')).toBeVisible();
});

it('says why the list is missing', async () => {
  const failed = { ...asked([]), data: undefined, error: { status: 403, message: 'Not allowed' } };
  const { screen } = await drawPage(<ChangedBefore asked={failed} />, {});
  await expect.element(screen.getByText('Not allowed')).toBeVisible();
});
