import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import type { Process } from '@plimsoll/contract/wire/processes';
import { describe, expect, it } from 'vitest';
import { colourOf, draw, rgb } from '../../testing/draw.tsx';
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
  memory_usage: 7.1,
  memory_kb: 524_288,
  threads: 8,
  start_time: 1_789_990_000,
};

const row = async (given: Partial<Process> = {}) =>
  draw(
    <Table>
      <TableBody>
        <ProcessRow process={{ ...PROCESS, ...given }} />
      </TableBody>
    </Table>,
  );
/** Returns the element that shows a per cent. */
const percent = (screen: Awaited<ReturnType<typeof row>>, value: number): Element =>
  screen.getByText(new RegExp(`^${value.toFixed(1).replace('.', '\\.')}\\s?%$`)).element();
const RED = rgb(DARK.load.overText);

describe('a row of the process list', () => {
  it.each([
    [80, 79.9],
    [0, 0.1],
    [12, 80],
  ])('is not red at CPU %d %% and memory %d %%', async (cpu, memory) => {
    const screen = await row({ cpu_usage: cpu, memory_usage: memory });
    expect(colourOf(percent(screen, cpu))).not.toBe(RED);
    expect(colourOf(percent(screen, memory))).not.toBe(RED);
    expect(screen.getByRole('cell').elements().map(colourOf)).not.toContain(RED);
  });

  it('is red in the figure above 80 % and only there', async () => {
    const screen = await row({ cpu_usage: 80.1, memory_usage: 79.9 });
    expect(colourOf(percent(screen, 80.1))).toBe(RED);
    expect(colourOf(percent(screen, 79.9))).not.toBe(RED);
  });

  it('is red in memory above 80 %', async () => {
    const screen = await row({ cpu_usage: 3, memory_usage: 91.5 });
    expect(colourOf(percent(screen, 91.5))).toBe(RED);
    expect(colourOf(percent(screen, 3))).not.toBe(RED);
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

  it('shows N/A for figures that are not known', async () => {
    const screen = await row({ cpu_usage: null, memory_usage: null, threads: null });
    expect(screen.getByText('N/A').elements()).toHaveLength(3);
    await expect.element(screen.getByRole('img', { name: 'CPU not available' })).toBeInTheDocument();
  });

  it('escapes invisible characters in names', async () => {
    const screen = await row({ name: 'evil\u202Egpj.exe' });
    await expect.element(screen.getByRole('rowheader', { name: 'evil\\u202Egpj.exe' })).toBeVisible();
  });
});
