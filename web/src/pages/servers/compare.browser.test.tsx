import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import { draw } from '../../testing/draw.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { CompareBar } from './compare-bar.tsx';
import CompareCharts from './compare-charts.tsx';
import { CompareTick } from './compare-tick.tsx';
import { MOST_COMPARED, toggled } from './compared.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const SERVERS = Array.from({ length: 9 }, (_, n) => sampleServer({ id: id(n), hostname: `host-${String(n)}` }));
const FROM = 1_790_000_000;
const band = (avg: number) => ({ avg, min: avg, max: avg });
const point = (at: number, value: number): Partial<TimeseriesPoint> => ({
  timestamp: at,
  time: new Date(at * 1000).toISOString(),
  cpu: value,
  memory: value,
  disk: value,
  bands: Object.fromEntries(
    ['cpu', 'memory', 'disk', 'io_wait', 'iops', 'swap', 'load', 'tcp_retransmits'].map((name) => [name, band(value)]),
  ) as TimeseriesPoint['bands'],
  count: 5,
});
const series = (value: number) => ({
  timeseries: Array.from({ length: 20 }, (_, n) => point(FROM + n * 300, value)),
  aggregated: false,
  bucket_seconds: 300,
  from: FROM,
  to: FROM + 6000,
  gaps: [],
});

let answer: (serverId: string) => Response | Promise<Response>;
beforeEach(() => {
  answer = () => Response.json({ success: true, data: series(40) });
  vi.stubGlobal('fetch', (address: string) =>
    answer(new URL(address, window.location.origin).searchParams.get('server_id') ?? ''),
  );
});
afterEach(() => vi.unstubAllGlobals());

const charts = (ids: readonly string[], onRemove: (id: string) => void = () => undefined) =>
  draw(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <CompareCharts
        ids={ids}
        servers={SERVERS}
        range={{ kind: 'relative', hours: 6 }}
        onRange={() => undefined}
        onRemove={onRemove}
      />
    </QueryClientProvider>,
  );

describe('the comparison of servers', () => {
  it('draws one chart per metric with a line for each server', async () => {
    await page.viewport(1440, 900);
    const screen = await charts([id(0), id(1), id(2)]);
    const cpu = screen.getByRole('region', { name: 'CPU' });
    await expect.element(cpu.getByText('host-2')).toBeVisible();
    for (const title of ['CPU', 'Memory', 'Disk', 'IO Wait', 'IOPS', 'Load'])
      await expect.element(screen.getByRole('region', { name: title, exact: true })).toBeVisible();
    expect(screen.getByRole('list', { name: 'Compared servers' }).getByRole('listitem').elements()).toHaveLength(3);
  });

  it('names a server that is gone, shows the others, and takes it out', async () => {
    const onRemove = vi.fn<(id: string) => void>();
    const gone = '11111111-0000-4000-8000-000000000000';
    answer = (serverId) =>
      serverId === gone
        ? Response.json({ success: false, detail: 'Server not found' }, { status: 404 })
        : Response.json({ success: true, data: series(40) });
    const screen = await charts([gone, id(1)], onRemove);
    await expect.element(screen.getByText('Deleted server')).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'host-1' })).toBeVisible();
    await screen.getByRole('button', { name: 'Stop comparing Deleted server' }).click();
    expect(onRemove).toHaveBeenCalledExactlyOnceWith(gone);
  });

  it('says which calls failed and tries them again', async () => {
    answer = () => Response.json({ success: false, detail: 'The database does not answer' }, { status: 503 });
    const screen = await charts([id(0), id(1)]);
    await expect
      .element(screen.getByRole('alert'))
      .toMatchTextContent(/2 of 2 servers could not be loaded: The database does not answer/);
    answer = () => Response.json({ success: true, data: series(40) });
    await screen.getByRole('button', { name: 'Retry' }).click();
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  });

  it('fits a phone', async () => {
    await page.viewport(390, 800);
    const screen = await charts(SERVERS.slice(0, MOST_COMPARED).map((server) => server.id));
    await expect.element(screen.getByRole('link', { name: 'host-7' })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    for (const button of screen.getByRole('button', { name: /^Stop comparing/ }).elements())
      expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(40);
  });
});

function Rows() {
  const [ids, setIds] = useState<readonly string[]>([]);
  const [open, setOpen] = useState(false);
  const ticks = { ids, full: ids.length >= MOST_COMPARED, toggle: (one: string) => setIds(toggled(ids, one)) };
  return (
    <>
      {SERVERS.map((server) => (
        <CompareTick key={server.id} id={server.id} name={server.hostname} ticks={ticks} />
      ))}
      <CompareBar
        compared={{ ids, open }}
        onChange={(next) => {
          setIds(next.ids);
          setOpen(next.open);
        }}
      />
    </>
  );
}

describe('the ticks of the fleet', () => {
  it('are set with the keyboard, at most eight, and cleared', async () => {
    const screen = await draw(<Rows />);
    expect(screen.getByRole('region', { name: 'Compare servers' }).elements()).toEqual([]);
    (screen.getByRole('checkbox', { name: 'Compare host-0' }).element() as HTMLElement).focus();
    await userEvent.keyboard(' ');
    await expect.element(screen.getByText('1 of 8 servers chosen')).toBeVisible();
    for (const { hostname } of SERVERS.slice(1, MOST_COMPARED))
      await screen.getByRole('checkbox', { name: `Compare ${hostname}` }).click();
    await expect.element(screen.getByText('8 of 8 servers chosen. Remove one to choose another.')).toBeVisible();
    await expect.element(screen.getByRole('checkbox', { name: 'Compare host-8' })).toBeDisabled();
    await screen.getByRole('button', { name: 'Clear' }).click();
    await expect.element(screen.getByRole('checkbox', { name: 'Compare host-8' })).toBeEnabled();
  });
});
