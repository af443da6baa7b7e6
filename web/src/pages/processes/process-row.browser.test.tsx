import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import type { Process } from '@plimsoll/contract/wire/processes';
import { describe, expect, it } from 'vitest';
import { colourOf, rgb } from '../../testing/draw.tsx';
import { drawPage } from '../../testing/draw-page.tsx';
import { DARK } from '../../tokens.ts';
import { ProcessRow } from './process-row.tsx';

const PROCESS: Process = {
  server_id: '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11',
  hostname: 'web-1',
  timestamp: 1_790_000_000,
  pid: 4217,
  name: 'postgres',
  command: '/usr/lib/postgresql/18/bin/postgres -D /var/lib/postgresql',
  user: 'postgres',
  status: 'S',
  cpu_usage: 12.4,
  server_cpu_cores: 1,
  memory_usage: 7.1,
  memory_kb: 524_288,
  threads: 8,
  start_time: 1_789_990_000,
};

const HISTORY = {
  server_id: PROCESS.server_id,
  hostname: 'web-1',
  command: PROCESS.command,
  step_seconds: 60,
  starts: [PROCESS.start_time - 60, PROCESS.start_time],
  points: [1, 2, 3].map((minute) => ({
    timestamp: Math.floor(Date.now() / 1000) - 600 + minute * 60,
    cpu_usage: 40 * minute,
    memory_kb: 524_288,
    processes: 1,
  })),
  kept_since: 0,
};
const ASKED = '/api/data/processes/history';

const drawn = async (given: Partial<Process> = {}, past = false, history: object = HISTORY) =>
  drawPage(
    <Table>
      <TableBody>
        <ProcessRow process={{ ...PROCESS, ...given }} past={past} />
      </TableBody>
    </Table>,
    { [`GET ${ASKED}`]: { data: history } },
  );
const row = async (given: Partial<Process> = {}, past = false) => (await drawn(given, past)).screen;
type Screen = Awaited<ReturnType<typeof row>>;
/** Returns the element that shows the memory in per cent. */
const memoryOf = (screen: Screen, percent: number): Element =>
  screen
    .getByText(new RegExp(`^${percent.toFixed(1).replace('.', '\\.')}\\s?%$`))
    .last()
    .element();
/** Returns the element that shows the cores. */
const coresOf = (screen: Screen): Element =>
  screen
    .getByText(/^[\d.]+\s?cores?$/)
    .first()
    .element();
const RED = rgb(DARK.load.overText);

describe('a row of the process list', () => {
  it.each([
    ['one of one core', 80, 1],
    ['18 of 64 cores', 1792, 64],
    ['an unknown number of cores', 1792, null],
  ])('is not red at 80 %% of the machine or below: %s', async (_, cpu, cores) => {
    const screen = await row({ cpu_usage: cpu, server_cpu_cores: cores, memory_usage: 79.9 });
    expect(colourOf(coresOf(screen))).not.toBe(RED);
    expect(colourOf(memoryOf(screen, 79.9))).not.toBe(RED);
    expect(screen.getByRole('cell').elements().map(colourOf)).not.toContain(RED);
  });

  it('shows cores and the share of the machine, and measures the share', async () => {
    const screen = await row({ cpu_usage: 1792, server_cpu_cores: 64 });
    await expect.element(screen.getByRole('cell', { name: /17\.9\s?cores.*28\s?%/ })).toBeVisible();
    await expect.element(screen.getByRole('meter')).toHaveAttribute('aria-valuenow', '28');
    await expect.element(screen.getByTitle('17.9 cores · 28 % of web-1')).toBeVisible();
  });

  it('is red above 80 % of the machine and only there', async () => {
    const screen = await row({ cpu_usage: 321, server_cpu_cores: 4, memory_usage: 79.9 });
    expect(colourOf(coresOf(screen))).toBe(RED);
    expect(colourOf(memoryOf(screen, 79.9))).not.toBe(RED);
  });

  it('is red in memory above 80 %', async () => {
    const screen = await row({ cpu_usage: 3, memory_usage: 91.5 });
    expect(colourOf(memoryOf(screen, 91.5))).toBe(RED);
    expect(colourOf(coresOf(screen))).not.toBe(RED);
  });

  it('of an offline server is never red and its uptime stands still', async () => {
    const screen = await row({ cpu_usage: 99, memory_usage: 99, status: 'R' }, true);
    expect(
      screen
        .getByRole('cell')
        .elements()
        .flatMap((cell) => [...cell.querySelectorAll('*')].map(colourOf)),
    ).not.toContain(RED);
    expect(colourOf(screen.getByText('Running').element())).not.toBe(rgb(DARK.load.okText));
    await expect.element(screen.getByRole('cell', { name: '2h 46m' })).toBeInTheDocument();
  });

  it('is named by the process and leads to its server', async () => {
    const screen = await row();
    await expect.element(screen.getByRole('rowheader', { name: 'postgres' })).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: 'web-1' }))
      .toHaveAttribute('href', `/servers/${PROCESS.server_id}`);
    await expect.element(screen.getByRole('cell', { name: 'Sleeping' })).toBeVisible();
    await expect.element(screen.getByRole('cell', { name: /^512\s?MB$/ })).toBeVisible();
  });

  it('opens its whole command and figures, and closes again', async () => {
    const screen = await row({ cpu_usage: 1792, server_cpu_cores: 64 });
    const opener = screen.getByRole('button', { name: 'postgres' });
    await expect.element(opener).toHaveAttribute('aria-expanded', 'false');
    await opener.click();
    await expect.element(opener).toHaveAttribute('aria-expanded', 'true');
    await expect.element(screen.getByText('17.9 cores · 28 % of web-1')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Copy command' })).toBeVisible();
    expect(screen.container.querySelector('pre')?.textContent).toBe(PROCESS.command);
    await screen.getByRole('cell', { name: 'Sleeping' }).first().click();
    await expect.element(opener).toHaveAttribute('aria-expanded', 'false');
    expect(screen.container.querySelector('pre')).toBeNull();
  });

  it('opens the history of its command on this server, across restarts, over a chosen range', async () => {
    const { screen, callsTo } = await drawn();
    expect(callsTo('GET', ASKED)).toEqual([]);
    await screen.getByRole('button', { name: 'postgres' }).click();
    const history = screen.getByRole('region', { name: 'History on web-1' });
    await expect.element(history.getByText(/^2 starts seen, the last /)).toBeVisible();
    await expect.element(history.getByText('CPU, cores')).toBeVisible();
    await expect.element(history.getByText('Memory, MB')).toBeVisible();
    await history.getByRole('button', { name: '14d' }).click();
    await expect.poll(() => callsTo('GET', ASKED).length).toBe(2);
    const asked = callsTo('GET', ASKED).map(({ path }) => new URLSearchParams(path.split('?')[1]));
    expect(asked.map((query) => [query.get('hours'), query.get('command'), query.get('server_id')])).toEqual(
      ['6', '336'].map((hours) => [hours, PROCESS.command, PROCESS.server_id]),
    );
  });

  it('says when its command has no history', async () => {
    const { screen } = await drawn({}, false, { ...HISTORY, points: [], starts: [] });
    await screen.getByRole('button', { name: 'postgres' }).click();
    await expect.element(screen.getByText('No history of this command')).toBeVisible();
  });

  it('shows N/A for figures that are not known', async () => {
    const screen = await row({ cpu_usage: null, memory_usage: null, threads: null });
    expect(screen.getByText('N/A').elements()).toHaveLength(3);
    await expect.element(screen.getByRole('img', { name: /not available/ })).toBeInTheDocument();
  });

  it('escapes invisible characters in names', async () => {
    const screen = await row({ name: 'evil\u202Egpj.exe' });
    await expect.element(screen.getByRole('rowheader', { name: /evil\\u202Egpj\.exe/ })).toBeVisible();
  });
});
