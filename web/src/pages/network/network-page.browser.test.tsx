import type { NetworkMetrics, NetworkPoint } from '@plimsoll/contract/wire/network';
import { beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { paths } from '../../paths.ts';
import { drawPage } from '../../testing/draw-page.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { chosenZone } from '../../time/zone.ts';
import { Component } from './network-page.tsx';

const MB = 1_048_576;
const WEB = '00000000-0000-4000-8000-000000000001';
const DB = '00000000-0000-4000-8000-000000000002';
const SERVERS = [sampleServer({ id: WEB, hostname: 'web-01' }), sampleServer({ id: DB, hostname: 'db-01' })];
const FROM = 1_795_000_000;

type Figures = Omit<NetworkMetrics, 'server_id' | 'timestamp'>;
const figures = (inbound: number, outbound: number, timeWait: number, closeWait: number): Figures => ({
  inbound_bytes_per_sec: inbound,
  outbound_bytes_per_sec: outbound,
  connections_established: 318,
  connections_listen: 24,
  connections_time_wait: timeWait,
  connections_close_wait: closeWait,
  connections_syn_sent: 1,
  connections_syn_recv: 0,
  total_connections: 2000,
});
const NEWEST: Readonly<Record<string, Figures>> = {
  [WEB]: figures(20 * MB, 0.5 * MB, 2001, 51),
  [DB]: figures(4 * MB, 1.25 * MB, 1000, 50),
};
const point = (index: number): NetworkPoint => ({
  timestamp: FROM + index * 300,
  time: new Date((FROM + index * 300) * 1000).toISOString(),
  ...figures(24 * MB, 1.75 * MB, 3001, 101),
  inbound_min: 23 * MB,
  inbound_max: 25 * MB,
  outbound_min: MB,
  outbound_max: 2 * MB,
  servers_installed: 2,
  servers_reported: 2,
});

const open = (search: string) =>
  drawPage(
    <Component />,
    {
      'GET /api/servers/list': {
        data: { servers: SERVERS, fleet: [], total: 2, summary: { total: 2, uninstalled: 0, online: 2 } },
      },
      'GET /api/data/network/metrics': ({ path }) => {
        const id = new URLSearchParams(path.split('?')[1]).get('server_id') ?? WEB;
        const newest = NEWEST[id];
        return { data: { metrics: newest === undefined ? [] : [{ server_id: id, timestamp: FROM, ...newest }] } };
      },
      'GET /api/data/network/timeseries': {
        data: {
          timeseries: Array.from({ length: 12 }, (_, index) => point(index)),
          aggregated: true,
          bucket_seconds: 300,
          from: FROM,
          to: FROM + 3600,
          gaps: [],
        },
      },
    },
    { at: `${paths.network}${search}` },
  );
type Screen = Awaited<ReturnType<typeof open>>['screen'];

const tiles = (screen: Screen) => [...screen.getByRole('group', { name: 'Network now' }).element().children];
/** The figures above the charts: name, value with its unit, limit. */
const texts = (screen: Screen) => tiles(screen).map((tile) => (tile as HTMLElement).innerText.replaceAll(/\s+/g, ' '));
const bands = (screen: Screen) => tiles(screen).map((tile) => tile.getAttribute('data-band'));

beforeEach(() => chosenZone.set('UTC'));

describe('the Network page', () => {
  it('holds one server to its limits, and a sum to none', async () => {
    const { screen } = await open(`?server=${WEB}`);
    await expect.element(screen.getByText('Bandwidth and connections, web-01.')).toBeVisible();
    await expect
      .poll(() => texts(screen))
      .toEqual([
        'Inbound 20.0MB/s',
        'Outbound 0.500MB/s',
        'Established 318 of 2,000 connections',
        'Time wait 2,001 amber above 1,000',
        'Close wait 51 amber above 50',
      ]);
    expect(bands(screen)).toEqual(['ok', 'ok', 'ok', 'over', 'near']);
    const filter = screen.getByRole('combobox', { name: /Server/ });
    await userEvent.selectOptions(filter, 'db-01');
    expect(new URLSearchParams(window.location.search).get('server')).toBe(DB);
    await expect.poll(() => texts(screen)[1]).toBe('Outbound 1.25MB/s');
    expect(bands(screen)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    await userEvent.selectOptions(filter, 'All servers');
    await expect.element(screen.getByText('Bandwidth and connections, sum of 2 servers.')).toBeVisible();
    await expect.poll(() => texts(screen)[3]).toBe('Time wait 3,001 limits apply to one server');
    expect(bands(screen)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  });

  it('requests the range of the address, and writes a chosen one into it', async () => {
    const { screen, callsTo } = await open(`?server=${DB}&hours=1`);
    const asked = () =>
      callsTo('GET', '/api/data/network/timeseries').map(({ path }) => new URLSearchParams(path.split('?')[1]));
    await expect.element(screen.getByRole('button', { name: '1h', exact: true, pressed: true })).toBeVisible();
    await expect.poll(() => asked().map((query) => query.get('hours'))).toEqual(['1']);
    await screen.getByRole('button', { name: '12h' }).click();
    expect(window.location.search).toBe(`?server=${DB}&hours=12`);
    await expect.poll(() => asked().at(-1)?.get('hours')).toBe('12');
    expect(asked().at(-1)?.get('server_id')).toBe(DB);
    await screen.getByRole('button', { name: '24h' }).click();
    expect(window.location.search).toBe(`?server=${DB}`);
  });

  it('draws both directions with their names, and writes their rates as the figures above do', async () => {
    const { screen } = await open('');
    const card = screen.getByRole('region', { name: 'Bandwidth' });
    await expect.poll(() => card.element().querySelectorAll('path.curve').length).toBeGreaterThanOrEqual(2);
    for (const name of [/^Inbound/, /^Outbound/]) await expect.element(card.getByText(name).first()).toBeVisible();
    const legend = (card.element() as HTMLElement).innerText.replaceAll(/\s+/g, ' ');
    for (const [index, words] of ['Inbound 24.0MB/s', 'Outbound 1.75MB/s'].entries()) {
      await expect.poll(() => texts(screen)[index]).toBe(words);
      expect(legend.replaceAll(' MB', 'MB')).toContain(words);
    }
  });
});
