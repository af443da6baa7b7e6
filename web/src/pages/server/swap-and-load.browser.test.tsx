import type { LatestMetricsItem, TimeseriesAnswer, TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { MetricTiles } from './metric-tiles.tsx';
import { TcpRetransmits } from './tcp-retransmits.tsx';

const known = (value: number) => ({ value, reason: null });
const missing = (reason: string) => ({ value: null, reason });
const FIGURES = {
  cpu_usage: known(35),
  memory_usage: known(20),
  disk_usage: known(30),
  io_wait: known(0),
  iops: known(5),
  read_iops: known(3),
  write_iops: known(2),
  memory_used_gb: known(6),
  storage_used_gb: known(100),
  swap_usage: known(25),
  load_1m: known(3.24),
  tcp_retransmits_per_sec: known(0.5),
};
const latestWith = (given: Partial<LatestMetricsItem['metrics']> = {}) =>
  ({ age_seconds: 30, metrics: { ...FIGURES, ...given } }) as LatestMetricsItem;
const detailOf = (given: Partial<ServerDetail>) => ({ ...sampleServer(), filesystems: [], ...given }) as ServerDetail;
const tiles = (server: Partial<ServerDetail>, given?: Partial<LatestMetricsItem['metrics']>) =>
  draw(
    <MetricTiles
      server={detailOf({ cpu_cores: 4, total_swap: 4, ...server })}
      latest={latestWith(given)}
      failure={null}
      points={[]}
    />,
  );

describe('swap', () => {
  it('shows its use and its total', async () => {
    const screen = await tiles({});
    await expect.element(screen.getByText('25.0%')).toBeVisible();
    await expect.element(screen.getByText('of 4 GB', { exact: true })).toBeVisible();
  });

  it('says that a host has none', async () => {
    const screen = await tiles({ total_swap: 0 }, { swap_usage: missing('Not in the last report') });
    await expect.element(screen.getByText('No swap')).toBeVisible();
    expect(screen.getByText(/N\/A/).elements()).toEqual([]);
  });

  it('is N/A with the reason when it is not known', async () => {
    const screen = await tiles({ total_swap: null }, { swap_usage: missing('vm_stat: permission denied') });
    await expect.element(screen.getByText(/vm_stat: permission denied/).first()).toBeVisible();
    expect(screen.getByText('No swap').elements()).toEqual([]);
  });
});

describe('load', () => {
  it.each([
    [4, 'load 3.2 on 4 cores'],
    [1, 'load 3.2 on 1 core'],
    [null, 'load 3.2 on an unknown number of cores'],
  ])('stands against %s cores', async (cores, words) => {
    const screen = await tiles({ cpu_cores: cores });
    await expect.element(screen.getByText(words)).toBeVisible();
  });

  it('is N/A with the reason when it is not known', async () => {
    const screen = await tiles({}, { load_1m: missing('/proc/loadavg: cut') });
    await expect.element(screen.getByText(/loadavg: cut/).first()).toBeVisible();
  });
});

describe('TCP retransmits', () => {
  const NOTHING = { avg: null, min: null, max: null };
  const point = (timestamp: number, avg: number) =>
    ({
      timestamp,
      bands: { cpu: NOTHING, tcp_retransmits: { avg, min: avg, max: avg } },
    }) as unknown as TimeseriesPoint;
  const answer = {
    from: 0,
    to: 120,
    gaps: [],
    timeseries: [point(0, 0.5), point(60, 1)],
  } as unknown as TimeseriesAnswer;

  it('show the figure with unit and age, and its history', async () => {
    const screen = await draw(<TcpRetransmits latest={latestWith()} answer={answer} />);
    await expect.element(screen.getByText('0.50/s')).toBeVisible();
    await expect.element(screen.getByText(/ago/)).toBeVisible();
    await expect.element(screen.getByLabelText(/TCP retransmits a second/).first()).toBeVisible();
  });

  it('are N/A with the reason on macOS', async () => {
    const latest = latestWith({ tcp_retransmits_per_sec: missing('Not available on macOS') });
    const screen = await draw(<TcpRetransmits latest={latest} answer={undefined} />);
    await expect.element(screen.getByText('N/A, Not available on macOS')).toBeVisible();
  });
});

it('names the filesystem that the disk figure is of', async () => {
  const GB = 2 ** 30;
  const mount = (path: string, used: number, available: number) =>
    ({ mount: path, used_bytes: used * GB, available_bytes: available * GB }) as ServerDetail['filesystems'][number];
  const filesystems = [mount('/', 20, 80), mount('/var/lib/docker', 91, 9)];
  const screen = await tiles({ filesystems }, { disk_usage: known(91) });
  await expect.element(screen.getByText('/var/lib/docker: 91 of 100 GB')).toBeVisible();
});

it('says that figures were not loaded, and why, when the call failed', async () => {
  const screen = await draw(
    <MetricTiles
      server={detailOf({ total_swap: 4 })}
      latest={undefined}
      failure={{ message: 'The database does not answer', status: 503 }}
      points={undefined}
    />,
  );
  await expect.element(screen.getByText('not loaded: The database does not answer').first()).toBeVisible();
  expect(screen.getByText('No metrics available').elements()).toEqual([]);
});
