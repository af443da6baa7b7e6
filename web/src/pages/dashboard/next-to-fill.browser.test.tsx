import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { NextToFill } from './next-to-fill.tsx';

const NOW = Date.parse('2026-11-23T03:12:00Z');

it('names the server, the filesystem and the time left, and leads to the server', async () => {
  const next = { server_id: 's1', hostname: 'logs-fra-01', mount: '/', reaches_at: '2026-11-29T08:00:00Z' };
  const screen = await draw(<NextToFill next={next} now={NOW} />);
  await expect.element(screen.getByRole('link', { name: 'logs-fra-01 /' })).toHaveAttribute('href', '/servers/s1');
  await expect.element(screen.getByText('in 6 d')).toBeVisible();
});

it('is N/A with the reason when nothing fills', async () => {
  const screen = await draw(<NextToFill next={null} />);
  await expect.element(screen.getByText('N/A, no disk grows steadily towards its line')).toBeVisible();
});
