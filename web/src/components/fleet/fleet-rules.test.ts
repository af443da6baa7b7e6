import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import type { ChangeEvent } from '@plimsoll/contract/wire/events';
import { headroomOf } from '@plimsoll/contract/rules/headroom';
import { SERVER_STATUSES } from '@plimsoll/contract/rules/limits';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleServer } from '../../testing/sample-server.ts';
import { mergeAlerts } from '../../pages/alerts/alert-list.ts';
import { joinChanges } from '../../api/live/change-topics.ts';
import { fleetBars, nearestServers } from './fleet-bars.ts';
import { matchItems } from '../../pages/layout/palette-match.ts';
import { markRead, unreadAlerts } from '../../state/read-alerts.ts';
import { sparkPaths } from './spark-path.ts';
import { COLUMN_SORTS, parseView, viewServers, withoutFilters } from '../../pages/servers/servers-view.ts';

const { lines } = sampleServer();
const percent = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
const server = fc
  .record({
    id: fc.uuid(),
    hostname: fc.stringMatching(/^[a-z]{1,5}-\d{1,3}$/),
    status: fc.constantFrom(...SERVER_STATUSES),
    region: fc.constantFrom(null, 'hel1', 'eu-central-1'),
    cpu: percent,
    memory: percent,
    disk: percent,
  })
  .map(({ cpu, memory, disk, ...given }) =>
    sampleServer({
      ...given,
      headroom: given.status === 'installing' ? null : headroomOf(lines, { cpu, memory, disk }),
    }),
  );
const fleet = fc.uniqueArray(server, { selector: ({ id }) => id, maxLength: 300 });
const entries = fleet.map((servers) =>
  servers.map(({ id, hostname, status, headroom, region, tags }) => ({
    server_id: id,
    hostname,
    status,
    headroom,
    region,
    tags,
  })),
);

describe('any fleet as a strip', () => {
  it('has one bar for every installed server', () => {
    fc.assert(
      fc.property(entries, (servers) => {
        const bars = fleetBars(servers);
        const installed = servers.filter(({ status }) => status !== 'uninstalled').length;
        expect(bars).toHaveLength(installed);
        expect(bars.every(({ height }) => height > 0 && height <= 1)).toBe(true);
      }),
    );
  });

  it('never hides that somebody is over: the worst is the first bar', () => {
    fc.assert(
      fc.property(entries, (servers) => {
        const points = servers.flatMap(({ status, headroom }) =>
          status === 'active' && headroom ? [headroom.points] : [],
        );
        const worst = Math.min(...points, Number.POSITIVE_INFINITY);
        const [first] = nearestServers(servers, 1);
        expect(first?.headroom?.points ?? Number.POSITIVE_INFINITY).toBe(worst);
        expect(fleetBars(servers).some(({ band }) => band === 'over')).toBe(worst <= 0);
      }),
    );
  });

  it('puts the silent before the live and the new behind both', () => {
    fc.assert(
      fc.property(entries, (servers) => {
        const kinds = fleetBars(servers).map(({ kind }) => ['late', 'live', 'new'].indexOf(kind));
        expect(kinds).toEqual(kinds.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('any fleet as a table', () => {
  const value = (each: number | null) => ({ value: each, reason: null });
  const latest = (servers: readonly { id: string; headroom: { value: number } | null }[]) =>
    new Map(
      servers.map(({ id, headroom }) => {
        const figure = value(headroom?.value ?? null);
        const metrics = {
          cpu_usage: figure,
          memory_usage: figure,
          disk_usage: figure,
          io_wait: figure,
          load_1m: figure,
          inbound_bytes_per_sec: figure,
          outbound_bytes_per_sec: figure,
        };
        return [id, { server_id: id, metrics } as LatestMetricsItem];
      }),
    );
  const view = fc
    .record({
      sort: fc.constantFrom('', ...COLUMN_SORTS),
      order: fc.constantFrom('', 'desc'),
      status: fc.constantFrom('', ...SERVER_STATUSES),
      load: fc.constantFrom('', 'over', 'near'),
      search: fc.constantFrom('', 'a', '-1', 'debian'),
    })
    .map((given) => parseView(new URLSearchParams(given)));

  it('shows each server at most once, and none that the filters leave out', () => {
    fc.assert(
      fc.property(fleet, view, (servers, given) => {
        const shown = viewServers(servers, given, latest(servers));
        expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
        expect(shown.every((each) => given.status === '' || each.status === given.status)).toBe(true);
        expect(shown.every((each) => given.load === '' || each.status === 'active')).toBe(true);
        expect(viewServers(servers, withoutFilters(given), latest(servers))).toHaveLength(servers.length);
      }),
    );
  });

  it('turns round exactly, and puts offline and refused servers before the ranked and the unranked last', () => {
    fc.assert(
      fc.property(fleet, view, (servers, given) => {
        const up = viewServers(servers, { ...given, descending: false }, latest(servers));
        expect(viewServers(servers, { ...given, descending: true }, latest(servers))).toEqual(up.toReversed());
        const ranked = viewServers(servers, parseView(new URLSearchParams()), latest(servers)).map(
          ({ status }) => status,
        );
        const groups = ranked.map((status) =>
          ['offline', 'refused', 'active', 'installing', 'uninstalled'].indexOf(status),
        );
        expect(groups).toEqual(groups.toSorted((a, b) => a - b));
      }),
    );
  });

  it('ranks no server by a figure its row does not show', () => {
    fc.assert(
      fc.property(fleet, fc.constantFrom('cpu', 'memory', 'disk', 'io_wait'), (servers, sort) => {
        const shown = viewServers(servers, parseView(new URLSearchParams({ sort })), latest(servers));
        const known = shown.map(({ status, headroom }) => status !== 'uninstalled' && headroom !== null);
        expect(known).toEqual(known.toSorted((a, b) => Number(b) - Number(a)));
      }),
    );
  });
});

describe('any alerts', () => {
  const alert = fc.record({
    alert_id: fc.uuid(),
    server_id: fc.constantFrom('a', 'b'),
    level: fc.constantFrom('critical' as const, 'error' as const, 'warning' as const, 'info' as const),
    status: fc.constantFrom('active' as const, 'resolved' as const, 'unknown' as const),
    timestamp: fc.integer({ min: 0, max: 1e6 }),
  });
  const alerts = fc.array(alert, { maxLength: 40 }).map((each) => each as Alert[]);

  it('put together name each once and lose none that is active on the server', () => {
    fc.assert(
      fc.property(alerts, alerts, fc.constantFrom('', 'a', 'b'), (inRange, active, id) => {
        const merged = mergeAlerts(inRange, active, id);
        const ids = new Set(merged.map(({ alert_id: each }) => each));
        expect(ids.size).toBe(merged.length);
        expect(active.every((each) => (id !== '' && each.server_id !== id) || ids.has(each.alert_id))).toBe(true);
      }),
    );
  });

  it('are all read once they were opened, and stay so', () => {
    fc.assert(
      fc.property(alerts, fc.array(fc.uuid()), (given, before) => {
        const after = markRead(given, before);
        expect(unreadAlerts(given, after)).toEqual([]);
        expect(markRead(given, after)).toBe(after);
        expect(after.slice(0, before.length)).toEqual(before);
      }),
    );
  });
});

it('any small chart stays inside its box', () => {
  const point = fc.option(fc.double({ min: -20, max: 500, noNaN: true }), { nil: null });
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 99 }), (values, line) => {
      const points = values.map((value, at) => ({ at, value }));
      const { curve, over } = sparkPaths(points, line, { width: 100, height: 32 });
      const corners = [...`${curve}${over}`.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [
        Number(x),
        Number(y),
      ]);
      expect(corners.every(([x = -1, y = -1]) => x >= 0 && x <= 100 && y >= 0 && y <= 32)).toBe(true);
    }),
  );
});

it('changes join to all that they touch, in any order', () => {
  const change = fc.record({
    topics: fc.uniqueArray(fc.constantFrom('servers' as const, 'metrics' as const, 'alerts' as const), {
      minLength: 1,
    }),
    server_ids: fc.option(fc.uniqueArray(fc.constantFrom('a', 'b', 'c')), { nil: null }),
  });
  fc.assert(
    fc.property(change, change, (a, b) => {
      const sorted = ({ topics, server_ids: ids }: ChangeEvent) => [topics.toSorted(), ids?.toSorted() ?? null];
      expect(sorted(joinChanges(a, b))).toEqual(sorted(joinChanges(b, a)));
      expect(a.topics.every((topic) => joinChanges(a, b).topics.includes(topic))).toBe(true);
    }),
  );
});

it('what the palette finds begins with, holds or spells what was typed, in this order', () => {
  const items = fc.array(fc.stringMatching(/^[a-z]{1,4}[- ][a-z]{1,4}$/), { maxLength: 30 });
  fc.assert(
    fc.property(items, fc.stringMatching(/^[a-z]{1,2}$/), (names, query) => {
      const found = matchItems(
        names.map((name, index) => ({ id: String(index), kind: 'Page', name })),
        ` ${query.toUpperCase()} `,
        10,
      ).map(({ name }) => name);
      const holding = (list: readonly string[]) => list.filter((name) => name.includes(query)).length;
      expect(holding(found)).toBe(Math.min(10, holding(names)));
      const letters = new RegExp(query.replaceAll('', '.*'));
      expect(found.filter((name) => !letters.test(name))).toEqual([]);
      const ranks = found.map((name) => (name.startsWith(query) ? 0 : name.includes(query) ? 1 : 2));
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    }),
  );
});
