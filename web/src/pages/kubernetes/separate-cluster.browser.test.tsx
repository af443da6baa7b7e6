import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { SeparatedNotice } from './separate-cluster.tsx';

it('shows the token of a separated cluster and the line that sets it', async () => {
  const screen = await draw(<SeparatedNotice token="plc_secret" />);
  await expect.element(screen.getByText('plc_secret')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Copy the token' })).toBeVisible();
  await expect.element(screen.getByText(/--set-string token\.value=TOKEN/)).toBeVisible();
});
