import type { Process } from '@plimsoll/contract/wire/processes';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { everyAnswer, ID } from '../../testing/every-answer.ts';
import { colourOf, draw, fillOf, rgb } from '../../testing/draw.tsx';
import { DARK } from '../../tokens.ts';
import { ListRemark, TopProcesses, TopRow } from './top-processes.tsx';

const process = (cpu: number | null, cores: number | null): Process => ({
  server_id: '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11',
  hostname: 'gpu-train-01',
  timestamp: 1_790_000_000,
  pid: 4217,
  name: 'python3',
  command: 'python3 train.py',
  user: 'ml',
  status: 'R',
  cpu_usage: cpu,
  server_cpu_cores: cores,
  memory_usage: 7.1,
  memory_kb: 524_288,
  threads: 8,
  start_time: 1_789_990_000,
});
const RED = rgb(DARK.load.overText);

it.each([
  ['80 % of the machine', 320, 4, false, false],
  ['more than 80 % of the machine', 321, 4, false, true],
  ['more than 80 % of a machine that is offline', 321, 4, true, false],
  ['more than 80 % of one of many cores', 99, 64, false, false],
  ['more than one of an unknown number of cores', 400, null, false, false],
])('a top process at %s', async (_, cpu, cores, past, isRed) => {
  const screen = await draw(<TopRow process={process(cpu, cores)} past={past} />);
  const figure = screen
    .getByText(/cores$/)
    .last()
    .element()
    .closest('li')?.lastElementChild;
  const bar = screen.container.querySelector('b');
  expect(figure && colourOf(figure) === RED).toBe(isRed);
  expect(bar && fillOf(bar) === rgb(DARK.load.over)).toBe(isRed);
});

it('says below the list that /proc hides the processes of others', async () => {
  const error = '/proc hides the processes of other users (hidepid=2): mount it with hidepid=0';
  const screen = await draw(<ListRemark health={{ ok: true, duration_ms: 1, error }} />);
  await expect.element(screen.getByRole('listitem')).toHaveTextContent(error);
});

it.each([
  ['a source without a remark', { ok: true, duration_ms: 1, error: null }],
  ['a source that failed, which the list says itself', { ok: false, duration_ms: 1, error: 'no /proc' }],
  ['an agent without this source', undefined],
])('has no remark of %s', async (_, health) => {
  const screen = await draw(<ListRemark health={health} />);
  expect(screen.container.querySelector('li')).toBeNull();
});

describe('which processes a server shows first', () => {
  const ranked = (rank: string | null) => ({
    data: { processes: [{ ...process(50, 4), name: rank === 'memory' ? 'java' : 'python3' }], total: 1 },
  });
  const show = (headroom: ServerDetail['headroom'], cpu: number | null = null) =>
    drawPage(
      <TopProcesses
        server={{ ...everyServer(), headroom }}
        latest={{ metrics: { cpu_usage: { value: cpu, reason: null } } } as LatestMetricsItem}
      />,
      { 'GET /api/data/processes': ({ path }) => ranked(new URLSearchParams(path.split('?')[1]).get('rank_type')) },
    );
  const everyServer = () => (everyAnswer(`/api/servers/${ID}`, Date.now()) as { server: ServerDetail }).server;
  const over = (points: number) =>
    ({ ...everyServer().headroom, resource: 'memory', points }) as ServerDetail['headroom'];

  it('is who uses memory where memory is over its line, and CPU by the toggle', async () => {
    const { screen } = await show(over(-4));
    await expect.element(screen.getByRole('button', { name: 'Memory' })).toHaveAttribute('aria-pressed', 'true');
    await expect.element(screen.getByRole('button', { name: /^java/ })).toBeVisible();
    await expect.element(screen.getByText(/512\s*MB/)).toBeVisible();
    await screen.getByRole('button', { name: 'CPU', exact: true }).click();
    await expect.element(screen.getByRole('button', { name: /^python3/ })).toBeVisible();
  });

  it('is CPU below the line, with the part that no listed process explains', async () => {
    const { screen } = await show(over(4), 80);
    await expect.element(screen.getByRole('button', { name: /^python3/ })).toBeVisible();
    await expect
      .element(screen.getByText(/^The listed processes use 0\.50 cores of 3\.20 cores in use\./))
      .toBeVisible();
  });
});
