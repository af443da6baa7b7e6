import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { RefusedNotice } from './refused-notice.tsx';

const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

it('says why and since when the reports are refused, and what to do', async () => {
  const detail = 'up: Invalid input: expected number, received string';
  const refusal = { since: at(125), last_at: at(1), code: 'invalid_item', detail, last_stored_at: null };
  const screen = await draw(<RefusedNotice server={{ status: 'refused', refusal }} />);
  await expect.element(screen.getByRole('alert')).toBeVisible();
  for (const words of ['2 h ago', '1 min ago', 'plimsoll check'])
    await expect.element(screen.getByText(words)).toBeVisible();
  await expect.element(screen.getByText(detail)).toBeVisible();
});

it('shows nothing for a server whose reports are stored', async () => {
  const screen = await draw(<RefusedNotice server={{ status: 'active', refusal: null }} />);
  expect(screen.getByRole('alert').elements()).toEqual([]);
});
