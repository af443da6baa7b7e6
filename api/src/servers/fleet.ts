import { compareNames } from '@plimsoll/contract/rules/compare-names';
import { byHeadroom, headroomBand } from '@plimsoll/contract/rules/headroom';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import { matchesServer, searchWords, type SearchedServer } from '@plimsoll/contract/rules/servers/server-filter';
import type { ServerStatus } from '@plimsoll/contract/rules/limits';
import type { Headroom, LoadLines } from '@plimsoll/contract/wire/servers';
import { operationsOf } from '../series/stored-figures.ts';
import type { ServerFilter, ServerRecord, ServerWithLatest } from './types.ts';
import { DEFAULT_LINES, serverHeadroom } from '../alerts/load-lines.ts';
import { diskForecasts, type ForecastRules, type MountForecast } from './disk-forecasts.ts';
import { serverStatus } from './server-status.ts';

/** A server as lists show it. */
export interface FleetServer extends ServerWithLatest {
  status: ServerStatus;
  lines: LoadLines;
  headroom: Headroom | null;
  /** The filesystem that fills first at the front. */
  forecasts: MountForecast[];
}

const DEFAULT: ForecastRules = { lines: DEFAULT_LINES, thresholds: [] };

export function toFleetServer(entry: ServerWithLatest, now: number, rules: ForecastRules = DEFAULT): FleetServer {
  const { lines } = rules;
  return {
    ...entry,
    status: serverStatus(entry.server, now),
    lines,
    headroom: serverHeadroom(entry.latest, lines),
    forecasts: diskForecasts(entry.server.diskTrends, rules, now),
  };
}

export const nameOf = (server: ServerRecord): string => server.displayName ?? server.hostname;

const searched = ({ hostname, displayName, tags, system }: ServerRecord): SearchedServer => ({
  names: [displayName, hostname],
  system: [system?.os_name ?? system?.os_type ?? system?.platform, system?.os_version, system?.architecture],
  region: system?.region,
  tags,
});

function matches(entry: FleetServer, filter: Omit<ServerFilter, 'limit' | 'offset' | 'sort'>): boolean {
  const { server, status } = entry;
  if (filter.status !== undefined && status !== filter.status) return false;
  if (filter.enrolmentTokenId !== undefined && server.enrolmentTokenId !== filter.enrolmentTokenId) return false;
  const platform = filter.platform?.toLowerCase();
  if (
    platform !== undefined &&
    ![server.system?.platform, server.system?.os_type].some((p) => p?.toLowerCase() === platform)
  )
    return false;
  if (filter.tag !== undefined && !hasTag(server.tags, filter.tag)) return false;
  return matchesServer(searched(server), searchWords(filter.search ?? ''));
}

/** An empty value matches the key alone. */
const hasTag = (tags: Record<string, string>, tag: { key: string; value: string }): boolean =>
  Object.hasOwn(tags, tag.key) && (tag.value === '' || tags[tag.key] === tag.value);

/** A server without new figures is worse than any load. Only fresh figures are ranked by headroom. */
const HEADROOM_GROUP: Record<ServerStatus, number> = {
  offline: 0,
  refused: 1,
  active: 2,
  installing: 3,
  uninstalled: 4,
};

const isOnline = ({ status }: FleetServer): boolean => status === 'active';

const byName = (a: FleetServer, b: FleetServer): number =>
  compareNames(nameOf(a.server), nameOf(b.server)) || (a.server.id < b.server.id ? -1 : 1);

const ORDERS: Record<ServerFilter['sort'], (a: FleetServer, b: FleetServer) => number> = {
  headroom: (a, b) =>
    HEADROOM_GROUP[a.status] - HEADROOM_GROUP[b.status] || (isOnline(a) ? byHeadroom(a, b) : 0) || byName(a, b),
  name: byName,
  last_seen: (a, b) => (b.server.lastSeenAt ?? 0) - (a.server.lastSeenAt ?? 0) || byName(a, b),
};

export function selectFleet(
  fleet: readonly FleetServer[],
  filter: Omit<ServerFilter, 'limit' | 'offset'>,
): FleetServer[] {
  return fleet.filter((entry) => matches(entry, filter)).toSorted(ORDERS[filter.sort]);
}

/** Mean of the values that exist; null when none does. */
export function meanOf(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((v): v is number => v != null && Number.isFinite(v));
  return known.length === 0 ? null : known.reduce((sum, v) => sum + v, 0) / known.length;
}
const knownIn = (values: readonly (number | null | undefined)[]): number =>
  values.filter((v) => v != null && Number.isFinite(v)).length;
function sumOf(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((v): v is number => v != null && Number.isFinite(v));
  return known.length === 0 ? null : known.reduce((sum, v) => sum + v, 0);
}
export interface FleetSummary {
  counts: Record<ServerStatus, number> & { total: number; kubernetesNodes: number };
  uptimePercent: number | null;
  cpuCores: number;
  memoryBytes: number;
  storageBytes: number;
  averages: {
    operationsPerSecond: number | null;
    ioWaitPercent: number | null;
    cpuPercent: number | null;
    memoryPercent: number | null;
    diskPercent: number | null;
  };
  usedMemoryBytes: number | null;
  usedStorageBytes: number | null;
  busyCores: number | null;
  /** Online servers that each average or sum is of. */
  serversWith: Record<keyof FleetSummary['averages'] | 'usedMemory' | 'usedStorage', number>;
  bands: { over: number; near: number; ok: number };
  peakOperations: { value: number; server: ServerRecord } | null;
  newestReportAt: number | null;
  nextToFill: { server: ServerRecord; mount: string; reachesAt: number } | null;
}

/** Averages and use are of what is online: the last figures of a dead host say nothing about now. */
export function summarise(fleet: readonly FleetServer[]): FleetSummary {
  const count = (status: ServerStatus): number => fleet.filter((s) => s.status === status).length;
  const present = fleet.filter((s) => s.status !== 'uninstalled').map((s) => s.server);
  const online = fleet.filter(isOnline);
  const samples = online.map((s) => s.latest.sample);
  const bands = { over: 0, near: 0, ok: 0 };
  for (const { headroom } of online) if (headroom) bands[headroomBand(headroom)] += 1;
  const figures = {
    operationsPerSecond: samples.map(operationsOf),
    ioWaitPercent: samples.map((s) => s?.ioWaitPercent),
    cpuPercent: samples.map((s) => s?.cpuPercent),
    memoryPercent: samples.map((s) => s?.memoryPercent),
    diskPercent: samples.map((s) => s?.diskPercent),
  };
  const usedMemory = samples.map((s) => s?.memoryUsedBytes);
  const usedStorage = samples.map((s) => s?.diskUsedBytes);
  return {
    counts: {
      total: fleet.length,
      active: online.length,
      offline: count('offline'),
      refused: count('refused'),
      installing: count('installing'),
      uninstalled: count('uninstalled'),
      kubernetesNodes: fleet.filter((s) => s.server.isKubernetesNode).length,
    },
    uptimePercent: percentOf(online.length, fleet.length),
    cpuCores: sumOf(present.map((s) => s.system?.cpu_cores)) ?? 0,
    memoryBytes: sumOf(present.map((s) => s.memoryTotalBytes)) ?? 0,
    storageBytes: sumOf(present.map((s) => s.storageTotalBytes)) ?? 0,
    averages: {
      operationsPerSecond: meanOf(figures.operationsPerSecond),
      ioWaitPercent: meanOf(figures.ioWaitPercent),
      cpuPercent: meanOf(figures.cpuPercent),
      memoryPercent: meanOf(figures.memoryPercent),
      diskPercent: meanOf(figures.diskPercent),
    },
    usedMemoryBytes: sumOf(usedMemory),
    usedStorageBytes: sumOf(usedStorage),
    busyCores: sumOf(online.map(busyCoresOf)),
    serversWith: {
      operationsPerSecond: knownIn(figures.operationsPerSecond),
      ioWaitPercent: knownIn(figures.ioWaitPercent),
      cpuPercent: knownIn(figures.cpuPercent),
      memoryPercent: knownIn(figures.memoryPercent),
      diskPercent: knownIn(figures.diskPercent),
      usedMemory: knownIn(usedMemory),
      usedStorage: knownIn(usedStorage),
    },
    bands,
    peakOperations: peakOf(online),
    nextToFill: nextToFillOf(online),
    newestReportAt: fleet.reduce<number | null>((newest, { server }) => later(newest, server.lastSeenAt), null),
  };
}

/** Returns the filesystem of the fleet that reaches its line first. */
function nextToFillOf(online: readonly FleetServer[]): FleetSummary['nextToFill'] {
  let next: FleetSummary['nextToFill'] = null;
  for (const { server, forecasts } of online)
    for (const { mount, forecast } of forecasts)
      if (forecast.kind === 'reaches' && (next === null || forecast.reachesAt < next.reachesAt))
        next = { server, mount, reachesAt: forecast.reachesAt };
  return next;
}

const busyCoresOf = ({ server, latest }: FleetServer): number | null => {
  const percent = latest.sample?.cpuPercent;
  return percent == null || server.system == null ? null : (percent / 100) * server.system.cpu_cores;
};

function peakOf(online: readonly FleetServer[]): FleetSummary['peakOperations'] {
  let peak: FleetSummary['peakOperations'] = null;
  for (const { server, latest } of online) {
    const value = operationsOf(latest.sample);
    if (value !== null && (peak === null || value > peak.value)) peak = { value, server };
  }
  return peak;
}

const later = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.max(a, b));
