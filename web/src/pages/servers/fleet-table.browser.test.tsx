import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { FleetTable } from './fleet-table.tsx';
import { parseView } from './servers-view.ts';

/** Room for the table beside the sidebar, and at 2560 beside the heat grid. */
const WIDTHS = { 900: 592, 1280: 972, 1440: 1132, 1680: 1372, 1920: 1612, 2560: 1680 } as const;
const WIDEST = 2252;
const LONG = 'ip-10-20-30-100.eu-central-1.compute.internal.prod.example.aws';

const headroom = { resource: 'memory', value: 83, line: 80, points: -3, subject: null } as const;
const figure = (value: number) => ({ value, reason: null });
const LATEST = {
  server_id: '1',
  timestamp: 1,
  age_seconds: 5,
  metrics: {
    cpu_usage: figure(83),
    memory_usage: figure(100),
    disk_usage: figure(56),
    io_wait: figure(12.5),
    load_1m: figure(112.4),
    inbound_bytes_per_sec: figure(1e9),
    outbound_bytes_per_sec: figure(2e6),
  },
} as LatestMetricsItem;
const FLEET = [
  sampleServer({ id: '1', hostname: LONG, region: 'ap-southeast-2', headroom, uptime_seconds: 1e7, cpu_cores: 128 }),
  sampleServer({ id: '2', hostname: 'gone', status: 'offline', headroom: { ...headroom, points: -20 } }),
] as Server[];

const table = (width: number, search = '') =>
  draw(
    <div style={{ width }}>
      <FleetTable
        servers={FLEET.toReversed()}
        latest={new Map([['1', LATEST]])}
        view={parseView(new URLSearchParams(search))}
        onChange={() => undefined}
        ticks={{ ids: [], full: false, toggle: () => undefined }}
      />
    </div>,
  );

describe('the table of the fleet', () => {
  it.each(Object.entries(WIDTHS))('cuts nothing on a screen of %s px: columns go first', async (_, width) => {
    const screen = await table(width);
    const grid = screen.getByRole('table').element();
    expect(grid.parentElement?.scrollWidth).toBeLessThanOrEqual(width);
    await expect.element(screen.getByRole('link', { name: /^ip-10-20/ })).toBeVisible();
    const cells = [...grid.querySelectorAll('td:not(.plot)')];
    expect(cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)).toEqual([]);
  });

  it('adds columns where a wide screen has room', async () => {
    const heads = async (width: number) => {
      const screen = await table(width);
      const cells = screen.container.querySelectorAll<HTMLElement>('thead th');
      return [...cells].filter(({ offsetWidth }) => offsetWidth > 0).map((cell) => cell.innerText.trim());
    };
    const narrow = await heads(WIDTHS[1440]);
    expect(narrow).not.toContain('Load');
    const beside = await heads(WIDTHS[2560]);
    expect(beside).toEqual(expect.arrayContaining(['Load', 'In MB/s', 'Out MB/s', 'Region', 'Uptime']));
    expect(beside).not.toContain('Tags');
    expect(await heads(WIDEST)).toContain('Tags');
  });

  it('has rows of 32 px and no scroller of its own', async () => {
    const screen = await table(WIDTHS[1440]);
    const row = screen.getByRole('row', { name: /^Compare ip-10|ip-10-20/ }).element();
    expect(Math.round(row.getBoundingClientRect().height)).toBe(32);
    const frame = screen.getByRole('table').element().parentElement as HTMLElement;
    expect(getComputedStyle(frame).overflowY).toBe('clip');
  });

  it('puts servers that do not report under a heading, without headroom', async () => {
    const screen = await table(1132);
    await expect.element(screen.getByText('1 server sent no report for three intervals')).toBeVisible();
    const row = screen.getByRole('row', { name: /gone/ });
    await expect.element(row).toMatchTextContent(/no reports/);
    expect(row.element().textContent).not.toMatch(/over|below/);
  });

  it('has no headings in another order', async () => {
    const screen = await table(1132, 'sort=name');
    await expect.element(screen.getByRole('row', { name: /gone/ })).toBeVisible();
    expect(screen.getByText('Reporting').elements()).toEqual([]);
  });
});
