import { expect, it, vi } from 'vitest';
import { draw } from '../testing/draw.tsx';
import { FoldedRuns } from './folded-runs.tsx';

it('says how many events it stands for, and shows them when asked', async () => {
  const show = vi.fn<() => void>();
  const screen = await draw(<FoldedRuns count={41} onShow={show} />);
  await expect.element(screen.getByText('41 starts and stops of short-lived processes')).toBeVisible();
  await screen.getByRole('button', { name: 'Show' }).click();
  expect(show).toHaveBeenCalledOnce();
});
