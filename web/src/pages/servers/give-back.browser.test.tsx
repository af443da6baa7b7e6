import type { IdleServersAnswer } from '@plimsoll/contract/wire/idle-servers';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { drawApp } from '../../testing/draw-app.tsx';
import { ID } from '../../testing/every-answer.ts';

const GB = 2 ** 30;
const idle = {
  server_id: ID,
  hostname: 'old-01',
  cores: 8,
  memory_bytes: 32 * GB,
  cpu_percent_p95: 1.4,
  memory_percent_max: 12.3,
  connections_mean: 1,
  connections_max: 3,
  is_connected: false,
  reason: null,
};
const answer: IdleServersAnswer = {
  servers: [
    idle,
    {
      ...idle,
      server_id: `${ID.slice(0, -1)}2`,
      hostname: 'relay-01',
      connections_mean: 41.5,
      connections_max: 60,
      is_connected: true,
      reason: 'Programs stay connected to it or from it. Ask their owners first.',
    },
  ],
  total: 2,
  judged: 9,
  unknown: [
    { server_id: ID, hostname: 'new-01', reason: 'Its use is known for 3 of 14 days; an answer needs two weeks.' },
  ],
  unknown_total: 2,
  days: 14,
  computed_at: new Date(Date.now() - 600_000).toISOString(),
  age_seconds: 600,
};
const draw = async (data: IdleServersAnswer): Promise<void> => {
  await drawApp('/servers', { answers: { 'GET /api/servers/idle': { data } }, width: 1440 });
  await page.getByRole('button', { name: 'Give back' }).click();
};

it('names the servers that nobody needs, with the connections that speak against it, and those without an answer', async () => {
  await draw(answer);
  await expect
    .element(page.getByRole('row', { name: 'old-01 8 cores · 32 GB 1.4% 12.3% 1.0 · 3 nothing that Plimsoll sees' }))
    .toBeVisible();
  await expect.element(page.getByRole('row', { name: /relay-01 .*41\.5 · 60 Programs stay connected/ })).toBeVisible();
  await expect
    .element(page.getByText(/2 servers of 9\. N\/A: new-01: Its use is known for 3 of 14 days.* 1 more server\./))
    .toBeVisible();
  await expect.element(page.getByText(/Computed 10 min ago/)).toBeVisible();
});

it.each([
  [{ judged: 4, unknown_total: 4 }, 'No server has two weeks of figures yet, or none reports now.'],
  [{ judged: 4, unknown_total: 1 }, 'Every server that could be judged is used.'],
  [{ judged: 0, unknown_total: 0 }, 'Nodes of clusters are not judged here.'],
])('says why the list is empty: %j', async (counts, reason) => {
  await draw({ ...answer, servers: [], total: 0, ...counts });
  await expect.element(page.getByText(reason)).toBeVisible();
});
