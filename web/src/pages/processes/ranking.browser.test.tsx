import type { Process } from '@plimsoll/contract/wire/processes';
import { describe, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drawPage } from '../../testing/draw-page.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { Component } from './processes-page.tsx';

const WEB = '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11';
const DB = '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c12';
const NOW = Math.floor(Date.now() / 1000);
const process = (serverId: string, pid: number, given: Partial<Process>): Process => ({
  server_id: serverId,
  hostname: serverId === WEB ? 'web-01' : 'db-01',
  timestamp: NOW - 20,
  pid,
  name: 'worker',
  command: '/usr/bin/worker',
  user: 'root',
  status: 'S',
  cpu_usage: 1,
  server_cpu_cores: 8,
  memory_usage: 1,
  memory_kb: 10_240,
  threads: 1,
  start_time: NOW - 7200,
  ...given,
});
const ON_WEB = [
  process(WEB, 10, { name: 'ffmpeg', cpu_usage: 651, memory_usage: 12 }),
  process(WEB, 11, { name: 'postgres', cpu_usage: 80, memory_usage: 85.5 }),
  process(WEB, 12, { name: 'ghost', cpu_usage: null, memory_usage: null, status: 'Z', threads: null }),
];
/** The same pids as on the other machine: they are different processes. */
const ON_DB = Array.from({ length: 30 }, (_, index) =>
  process(DB, 10 + index, { name: `worker-${String(index)}`, cpu_usage: 30 - index, memory_usage: index }),
);

/** Ranks and narrows as the API does. */
function answer(path: string) {
  const query = new URLSearchParams(path.split('?')[1]);
  const figure = query.get('rank_type') === 'memory' ? 'memory_usage' : 'cpu_usage';
  const wanted = query.get('server_id');
  const all = [...ON_WEB, ...ON_DB].filter(({ server_id: id }) => wanted === null || id === wanted);
  const ranked = all.toSorted((a, b) => (b[figure] ?? -1) - (a[figure] ?? -1));
  return { data: { processes: ranked.slice(0, Number(query.get('limit'))), total: all.length } };
}
const servers = [sampleServer({ id: WEB, hostname: 'web-01' }), sampleServer({ id: DB, hostname: 'db-01' })];
async function drawn() {
  const { screen } = await drawPage(
    <Component />,
    {
      'GET /api/data/processes': ({ path }) => answer(path),
      'GET /api/servers/list': { data: { servers, fleet: [], total: 2 } },
    },
    { at: '/processes' },
  );
  const names = () =>
    screen
      .getByRole('rowheader')
      .elements()
      .map((header) => header.querySelector('.name')?.textContent);
  return { screen, names };
}
const address = () => Object.fromEntries(new URLSearchParams(window.location.search));

describe('the ranking of processes', () => {
  it('shows the twenty heaviest of all servers and says of how many', async () => {
    const { screen, names } = await drawn();
    await expect.element(screen.getByText('Top 20 of 33 by CPU across 2 servers')).toBeVisible();
    await expect.poll(() => names().slice(0, 3)).toEqual(['ffmpeg', 'postgres', 'worker-0']);
    expect(names()).toHaveLength(20);
  });

  it('ranks by memory, kept in the address, and the pressed button keeps its choice', async () => {
    const { screen, names } = await drawn();
    const memory = screen.getByRole('group', { name: 'Rank by' }).getByRole('button', { name: 'Memory' });
    await memory.click();
    await expect.element(screen.getByText(/^Top 20 of 33 by memory/)).toBeVisible();
    await expect.poll(() => names()[0]).toBe('postgres');
    await memory.click();
    expect(address()).toEqual({ rank: 'memory' });
  });

  it('narrows to words in any order, of name, command, user and host, and says when nothing matches', async () => {
    const { screen, names } = await drawn();
    const search = screen.getByRole('searchbox');
    await expect.poll(() => names().length).toBe(20);
    await search.fill('ghost');
    await expect.poll(names).toEqual(['ghost']);
    expect(screen.getByText('N/A').elements()).toHaveLength(3);
    await search.fill('DB-01 worker-7');
    await expect.poll(names).toEqual(['worker-7']);
    await search.fill('nothing like it');
    await expect.element(screen.getByText('No processes match your filter')).toBeVisible();
  });

  it('narrows to a server, kept in the address', async () => {
    const { screen, names } = await drawn();
    const filter = screen.getByRole('combobox', { name: /Server/ });
    await expect.element(filter.getByRole('option', { name: 'db-01' })).toBeInTheDocument();
    await userEvent.selectOptions(filter, 'db-01');
    await expect.element(screen.getByText('Top 20 of 30 by CPU on one server')).toBeVisible();
    expect(address()).toEqual({ server: DB });
    expect(names()).not.toContain('ffmpeg');
  });

  it('leaves a phone name, CPU and memory, without scrolling sideways', async () => {
    await page.viewport(390, 700);
    onTestFinished(() => page.viewport(1280, 800));
    const { screen } = await drawn();
    await expect.element(screen.getByText('web-01 · 10')).toBeVisible();
    const heads = screen.getByRole('columnheader').elements();
    expect(heads.filter((head) => head.checkVisibility()).map((head) => head.textContent)).toEqual([
      'Name',
      'CPU',
      'Memory',
    ]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});
