import { headroomBand } from '@plimsoll/contract/rules/headroom';
import { SERVER_STATUSES } from '@plimsoll/contract/rules/limits';
import { matchesServer, searchWords, type SearchedServer } from '@plimsoll/contract/rules/servers/server-filter';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import { byForecast } from '../../format/forecast-words.ts';
import { byName, sortServers } from '../../format/server-sort.ts';

/** The Servers page's state, all of it in the address. */
export interface ServersView {
  view: 'cards' | 'table';
  search: string;
  status: string;
  region: string;
  /** '' any, 'over' over its line, 'near' within 20 points or over. */
  load: string;
  sort: ColumnSort;
  descending: boolean;
}

export const COLUMN_SORTS = [
  'headroom',
  'name',
  'last_seen',
  'cpu',
  'memory',
  'disk',
  'fills',
  'io_wait',
  'load',
  'inbound',
  'outbound',
  'region',
  'uptime',
] as const;
export type ColumnSort = (typeof COLUMN_SORTS)[number];
const LOADS = ['', 'over', 'near'] as const;

const oneOf = <T extends string>(value: string | null, known: readonly T[], fallback: T): T =>
  known.find((each) => each === value) ?? fallback;

export function parseView(search: URLSearchParams): ServersView {
  return {
    view: oneOf(search.get('view'), ['cards', 'table'], 'cards'),
    search: search.get('search') ?? '',
    status: oneOf<string>(search.get('status'), SERVER_STATUSES, ''),
    region: search.get('region') ?? '',
    load: oneOf(search.get('load'), LOADS, ''),
    sort: oneOf(search.get('sort'), COLUMN_SORTS, 'headroom'),
    descending: search.get('order') === 'desc',
  };
}

/** The same view of the whole fleet. */
export const withoutFilters = (view: ServersView): ServersView => ({
  ...view,
  search: '',
  status: '',
  region: '',
  load: '',
});

/** Parameters of the page beside its view: the comparison and its range. */
const BESIDE = ['compare', 'show', 'hours', 'from', 'to'] as const;

/** Returns the address' parameters with another view. */
export function withView(before: URLSearchParams, view: ServersView): URLSearchParams {
  const next = viewSearch(view);
  for (const name of BESIDE) {
    const value = before.get(name);
    if (value !== null) next.set(name, value);
  }
  return next;
}

/** Returns the differences from the plain view, as parameters. */
export function viewSearch(view: ServersView): URLSearchParams {
  const search = new URLSearchParams();
  if (view.view !== 'cards') search.set('view', view.view);
  for (const name of ['search', 'status', 'region', 'load'] as const)
    if (view[name] !== '') search.set(name, view[name]);
  if (view.sort !== 'headroom') search.set('sort', view.sort);
  if (view.descending) search.set('order', 'desc');
  return search;
}

const searched = ({ display_name, hostname, region, tags, ...system }: Server): SearchedServer => ({
  names: [display_name, hostname],
  system: [system.os_name ?? system.os_type ?? system.platform, system.os_version, system.architecture],
  region,
  tags,
});

function matchesLoad(server: Server, load: string): boolean {
  if (load === '') return true;
  if (server.status !== 'active' || server.headroom === null) return false;
  const band = headroomBand(server.headroom);
  return load === 'over' ? band === 'over' : band !== 'ok';
}

const FIGURE = {
  cpu: 'cpu_usage',
  memory: 'memory_usage',
  disk: 'disk_usage',
  io_wait: 'io_wait',
  load: 'load_1m',
  inbound: 'inbound_bytes_per_sec',
  outbound: 'outbound_bytes_per_sec',
} as const;

function sorted(
  servers: readonly Server[],
  sort: ColumnSort,
  latest: ReadonlyMap<string, LatestMetricsItem>,
): Server[] {
  if (sort === 'headroom' || sort === 'name' || sort === 'last_seen') return sortServers(servers, sort);
  if (sort === 'fills') {
    const forecast = ({ status, disk_forecast }: Server) => (status === 'active' ? disk_forecast : null);
    return servers.toSorted((a, b) => byForecast(forecast(a), forecast(b)) || byName(a, b));
  }
  if (sort === 'region') {
    return servers.toSorted((a, b) => (a.region ?? '\uffff').localeCompare(b.region ?? '\uffff') || byName(a, b));
  }
  if (sort === 'uptime') {
    const uptime = ({ status, uptime_seconds: up }: Server) => (status === 'active' ? (up ?? -1) : -1);
    return servers.toSorted((a, b) => uptime(b) - uptime(a) || byName(a, b));
  }
  // A figure that the row hides must not rank it.
  const shown = ({ id, status }: Server) => (status === 'uninstalled' ? undefined : latest.get(id));
  const value = (server: Server) => shown(server)?.metrics[FIGURE[sort]].value ?? Number.NEGATIVE_INFINITY;
  return servers.toSorted((a, b) => value(b) - value(a) || byName(a, b));
}

/** The servers a view shows, in its order. Most loaded first is the plain order of every figure. */
export function viewServers(
  servers: readonly Server[],
  view: ServersView,
  latest: ReadonlyMap<string, LatestMetricsItem>,
): Server[] {
  const words = searchWords(view.search);
  const kept = servers.filter(
    (server) =>
      (view.status === '' || server.status === view.status) &&
      (view.region === '' || server.region === view.region) &&
      matchesLoad(server, view.load) &&
      matchesServer(searched(server), words),
  );
  const ordered = sorted(kept, view.sort, latest);
  return view.descending ? ordered.toReversed() : ordered;
}

/** Regions in use, in order. */
export const regionsOf = (servers: readonly Server[]): string[] =>
  [...new Set(servers.flatMap(({ region }) => (region === null ? [] : [region])))].toSorted((a, b) =>
    a.localeCompare(b),
  );
