import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { DiskForecast } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { sampleServer } from '../../testing/sample-server.ts';
import { parseView, regionsOf, viewSearch, viewServers, withView } from './servers-view.ts';

const none = new Map<string, LatestMetricsItem>();
const parse = (text: string) => parseView(new URLSearchParams(text));
const head = (points: number) => ({ resource: 'cpu' as const, points, value: 80 - points, line: 80, subject: null });
const fleet = [
  sampleServer({ id: '1', hostname: 'build-hel', region: 'hel1', headroom: head(-11), tags: { team: 'ci' } }),
  sampleServer({ id: '2', hostname: 'db-fra', region: 'eu-central-1', headroom: head(12) }),
  sampleServer({ id: '3', hostname: 'web-fra', region: 'eu-central-1', headroom: head(40), os_name: 'Ubuntu' }),
  sampleServer({ id: '4', hostname: 'gone', region: null, status: 'offline', headroom: head(-20) }),
];
const shown = (text: string) => viewServers(fleet, parse(text), none).map((server) => server.hostname);

describe('viewServers', () => {
  it('shows all, offline first, then least headroom', () => {
    expect(shown('')).toEqual(['gone', 'build-hel', 'db-fra', 'web-fra']);
    expect(shown('order=desc').at(-1)).toBe('gone');
  });

  it('filters by words in name, system, region and tags', () => {
    expect(shown('search=fra')).toEqual(['db-fra', 'web-fra']);
    expect(shown('search=UBUNTU+fra')).toEqual(['web-fra']);
    expect(shown('search=team%3Dci')).toEqual(['build-hel']);
    expect(shown('search=nothing')).toEqual([]);
  });

  it('filters by status, region and load', () => {
    expect(shown('status=offline')).toEqual(['gone']);
    expect(shown('region=hel1')).toEqual(['build-hel']);
    expect(shown('load=over')).toEqual(['build-hel']);
    expect(shown('load=near')).toEqual(['build-hel', 'db-fra']);
  });

  it('sorts by a figure, highest first and the unknown last', () => {
    const item = (server_id: string, value: number | null) =>
      [server_id, { server_id, metrics: { cpu_usage: { value, reason: null } } } as LatestMetricsItem] as const;
    const latest = new Map([item('1', 10), item('2', 90), item('3', null)]);
    const order = viewServers(fleet, parse('sort=cpu'), latest).map((server) => server.id);
    expect(order.slice(0, 2)).toEqual(['2', '1']);
  });

  it('sorts by what fills next, the soonest first and the unknown last', () => {
    const forecast = (reaches_at: string | null) => ({ disk_forecast: { mount: '/', reaches_at } as DiskForecast });
    const servers = [
      sampleServer({ id: 'none', ...forecast(null) }),
      sampleServer({ id: 'late', ...forecast('2026-12-01T00:00:00Z') }),
      sampleServer({ id: 'dead', status: 'offline', ...forecast('2026-11-23T00:00:00Z') }),
      sampleServer({ id: 'soon', ...forecast('2026-11-24T00:00:00Z') }),
    ];
    const order = viewServers(servers, parse('sort=fills'), none).map(({ id }) => id);
    expect(order.slice(0, 2)).toEqual(['soon', 'late']);
  });

  it('ranks no server by an uptime that is of the past', () => {
    const up = (id: string, uptime: number | null, status: 'active' | 'offline' = 'active') =>
      sampleServer({ id, hostname: id, uptime_seconds: uptime, status });
    const servers = [up('day', 86_400), up('dead', 9e6, 'offline'), up('hour', 3600), up('none', null)];
    const idsOf = (text: string) => viewServers(servers, parse(text), none).map(({ id }) => id);
    expect(idsOf('sort=uptime')).toEqual(['day', 'hour', 'dead', 'none']);
    expect(idsOf('sort=uptime&order=desc')).toEqual(['none', 'dead', 'hour', 'day']);
  });

  it('lists the regions in use', () => expect(regionsOf(fleet)).toEqual(['eu-central-1', 'hel1']));
});

describe('the address', () => {
  it('reads back what was written', () => {
    const view = parse('view=table&search=a+b&status=offline&region=hel1&load=near&sort=disk&order=desc');
    expect(parseView(viewSearch(view))).toEqual(view);
  });

  it('says nothing for the plain view and ignores rubbish', () => {
    expect(viewSearch(parse('')).toString()).toBe('');
    expect(parse('view=x&status=x&sort=x&load=x&order=x')).toEqual(parse(''));
  });
});

describe('another view of the page', () => {
  const before = new URLSearchParams(
    `view=table&search=a&compare=x&show=charts&hours=6&from=1&to=2&at=2026-11-20T03:12Z`,
  );

  it('keeps the comparison and its range, and none of the filters of before', () => {
    const next = withView(before, parse('status=offline'));
    expect(Object.fromEntries(next)).toEqual({
      status: 'offline',
      compare: 'x',
      show: 'charts',
      hours: '6',
      from: '1',
      to: '2',
    });
  });
});
