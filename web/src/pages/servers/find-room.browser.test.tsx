import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drawApp } from '../../testing/draw-app.tsx';
import { ID } from '../../testing/every-answer.ts';

const row = { server_id: ID, hostname: 'web-01', cores: 8, cpu_percent: 20, memory_percent: 50, headroom: 30 };
const after = { cpu_percent_after: 70, memory_percent_after: 75, headroom_after: 5, fits: true, reason: null };
const unknown = { cpu_percent_after: null, memory_percent_after: null, headroom_after: null, fits: null };

it('names the servers that take a load, and why one cannot be judged', async () => {
  const off = {
    ...row,
    ...unknown,
    server_id: `${ID.slice(0, -1)}2`,
    hostname: 'old-01',
    reason: 'It does not report now.',
  };
  await drawApp('/servers', {
    answers: { 'GET /api/servers/fits': { data: { servers: [{ ...row, ...after }, off], total: 2 } } },
    width: 1440,
  });
  await page.getByRole('button', { name: 'Find room' }).click();
  await expect.element(page.getByText(/1 server of 2 takes it/)).toBeVisible();
  await expect.element(page.getByRole('row', { name: /web-01 30points 5points 70% 75%/ })).toBeVisible();
  await expect.element(page.getByRole('row', { name: /old-01 .*N\/A, It does not report now\./ })).toBeVisible();
  await userEvent.fill(page.getByLabelText('Cores'), 'many');
  await expect.element(page.getByText('Enter a number of cores and of GB.')).toBeVisible();
});
