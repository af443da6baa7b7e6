import type { FleetSnapshotAnswer, Process, ProcessSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { drawPage } from '../../testing/draw-page.tsx';
import { chosenZone } from '../../time/zone.ts';
import { Component } from './processes-page.tsx';

const SERVER = '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11';
const AT = Math.floor(Date.now() / 60_000) * 60 - 7200;
const address = (search: string) => `/processes?at=${new Date(AT * 1000).toISOString().slice(0, 16)}Z${search}`;
const process = (pid: number, cpu: number, memory: number): Process => ({
  server_id: SERVER,
  hostname: 'web-1',
  timestamp: AT - 8,
  pid,
  name: `p${String(pid)}`,
  command: `/bin/p${String(pid)}`,
  user: 'root',
  status: 'R',
  cpu_usage: cpu,
  server_cpu_cores: 4,
  memory_usage: 1,
  memory_kb: memory,
  threads: 1,
  start_time: AT - 3600,
});
const SNAPSHOT: ProcessSnapshotAnswer = {
  snapshot_at: AT - 8,
  next_at: AT + 52,
  list: 'minute',
  kept_since: AT - 86_400,
  server_cpu_usage: 60,
  processes: [process(1, 90, 10), process(2, 5, 4000)],
};
const FLEET: FleetSnapshotAnswer = {
  processes: [
    { ...process(1, 90, 10), timestamp: AT + 8 },
    { ...process(2, 5, 4000), hostname: 'db-1', timestamp: AT - 420 },
  ],
  total: 2,
  minute: AT,
  servers: 3,
  in_minute: 1,
  nearest: [{ server_id: SERVER, hostname: 'db-1', snapshot_at: AT - 420 }],
  nearest_total: 1,
  without: [{ server_id: SERVER, hostname: 'cache-1' }],
  without_total: 1,
  kept_since: AT - 86_400,
};
const ask = (search: string, snapshot: ProcessSnapshotAnswer = SNAPSHOT) =>
  drawPage(
    <Component />,
    {
      'GET /api/data/processes/at': { data: snapshot },
      'GET /api/data/processes/fleet-at': { data: FLEET },
      'GET /api/data/processes': { data: { processes: SNAPSHOT.processes, total: 2 } },
      'GET /api/servers/list': { data: { servers: [], fleet: [], total: 0 } },
    },
    { at: address(search) },
  );
const clock = (at: number) => new Date(at * 1000).toISOString().slice(11, 19);

beforeEach(() => chosenZone.set('UTC'));

describe('what ran at a moment', () => {
  it('is the nearest list of the server, named with its time, and leads to the lists on either side', async () => {
    const { screen, callsTo } = await ask(`&server=${SERVER}`);
    await expect.element(screen.getByText(/^snapshot of .* 8 s before$/)).toBeVisible();
    await expect.element(screen.getByText(/^Minute list: the top 10 by CPU and by memory/)).toBeVisible();
    expect(screen.getByRole('rowheader').elements()).toHaveLength(2);
    expect(callsTo('GET', '/api/data/processes')).toEqual([]);
    await screen.getByRole('button', { name: `Next list ${clock(AT + 52)}` }).click();
    const asked = () => callsTo('GET', '/api/data/processes/at').map(({ path }) => /[?&]at=(\d+)/.exec(path)?.[1]);
    await expect.poll(asked).toEqual([AT, AT + 52].map(String));
    await screen.getByRole('button', { name: `List before ${clock(AT - 8)}` }).click();
    await expect.poll(() => asked().at(-1)).toBe(String(AT - 9));
  });

  it('ranks a server by memory, too', async () => {
    const { screen } = await ask(`&server=${SERVER}&rank=memory`);
    await expect.element(screen.getByRole('rowheader').first()).toMatchTextContent(/^p2/);
  });

  it('is a ranking of every server by its list of that minute, and a list of another time says so', async () => {
    const { screen, callsTo } = await ask('');
    const hour = clock(AT).slice(0, 5);
    await expect.element(screen.getByText(`Lists of ${hour} from 1 of 3 servers.`, { exact: false })).toBeVisible();
    await expect.element(screen.getByText('No list within 30 minutes: cache-1.', { exact: false })).toBeVisible();
    await expect.poll(() => screen.getByRole('rowheader').elements()).toHaveLength(2);
    const [first, second] = screen.getByRole('row').elements().slice(1);
    expect(first?.textContent).not.toContain('list of');
    expect(second?.textContent).toContain(`list of ${clock(AT - 420).slice(0, 5)}`);
    const query = new URLSearchParams(callsTo('GET', '/api/data/processes/fleet-at')[0]?.path.split('?')[1]);
    expect([query.get('at'), query.get('rank_type')]).toEqual([String(AT), 'cpu']);
    expect(callsTo('GET', '/api/data/processes')).toEqual([]);
  });

  it('says why there is no list, and where the next one is', async () => {
    const { screen } = await ask(`&server=${SERVER}`, { ...SNAPSHOT, snapshot_at: null, list: null, processes: [] });
    await expect.element(screen.getByText(/^No process list of /)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: `Next list ${clock(AT + 52)}` })).toBeVisible();
  });

  it('is asked for by a day and a time, and fits a phone', async () => {
    await page.viewport(390, 700);
    const { screen } = await ask('');
    await screen.getByRole('button', { name: 'What ran at…' }).click();
    const field = screen.getByLabelText(/^Day and time/);
    await field.fill('2030-01-01T03:12');
    await expect.element(screen.getByText('Must be in the past. Choose an earlier time.')).toBeVisible();
    const chosen = new Date((AT - 3600) * 1000).toISOString().slice(0, 16);
    await field.fill(chosen);
    await screen.getByRole('button', { name: 'Show processes' }).click();
    await expect.poll(() => new URLSearchParams(window.location.search).get('at')).toBe(`${chosen}Z`);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    await page.viewport(1280, 800);
  });
});
