import { LOAD_LINES } from '@plimsoll/contract/rules/limits';
import { COLLECTOR_SILENT_SECONDS, type ClusterShare } from '@plimsoll/contract/rules/kubernetes-limits';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import { secondsSince } from './collector-status.ts';

/** Contents and load of a cluster, as stored. Cores and bytes; null is unknown. */
export interface ClusterLoad {
  id: string;
  name: string | null;
  version: string | null;
  lastSeenAt: number;
  nodes: number;
  readyNodes: number;
  pods: number;
  brokenPods: number;
  /** Sums over the nodes; null without one. */
  allocatable: { cpuCores: number | null; memoryBytes: number | null };
  /** Sums over pods that are on a node and not finished. */
  requested: { cpuCores: number | null; memoryBytes: number | null };
  /** Per cent of the capacity of the nodes that report. */
  used: { cpuPercent: number | null; memoryPercent: number | null };
  alerts: { total: number; critical: number };
}

interface ClusterShares {
  cpuPercent: number | null;
  memoryPercent: number | null;
}
export interface RankedCluster extends Omit<ClusterLoad, 'requested' | 'used' | 'allocatable'> {
  ageSeconds: number;
  isSilent: boolean;
  /** Minor version, "1.34"; null: not known. */
  minor: string | null;
  versionsBehind: number | null;
  requested: ClusterShares;
  used: ClusterShares;
  headroom: { resource: 'cpu' | 'memory'; points: number; value: number; line: number } | null;
}

interface Version {
  major: number;
  minor: number;
}
/** Returns major and minor of "1.34.1" or "v1.34.2-gke.100"; null for any other text. */
export function versionOf(text: string | null): Version | null {
  const [, major, minor] = /^v?(\d{1,4})\.(\d{1,4})(?:[.+-]|$)/.exec(text ?? '') ?? [];
  return major === undefined || minor === undefined ? null : { major: Number(major), minor: Number(minor) };
}
const compareVersions = (a: Version, b: Version): number => a.major - b.major || a.minor - b.minor;
const minorText = ({ major, minor }: Version): string => `${String(major)}.${String(minor)}`;

/** Returns the newest of the versions; null: none is known. */
export const newestOf = (clusters: readonly Pick<ClusterLoad, 'version'>[]): Version | null =>
  clusters
    .flatMap(({ version }) => versionOf(version) ?? [])
    .toSorted(compareVersions)
    .at(-1) ?? null;

/** Versions of different majors are not a number of minor versions apart. */
const behind = (own: Version | null, newest: Version | null): number | null =>
  own === null || newest?.major !== own.major ? null : newest.minor - own.minor;

function headroomOf({ cpuPercent, memoryPercent }: ClusterShares): RankedCluster['headroom'] {
  const near = (['cpu', 'memory'] as const).flatMap((resource) => {
    const value = resource === 'cpu' ? cpuPercent : memoryPercent;
    const line = LOAD_LINES[resource].warning;
    return value === null ? [] : [{ resource, value, line, points: line - value }];
  });
  return near.toSorted((a, b) => a.points - b.points)[0] ?? null;
}

const isOver = ({ headroom }: Pick<RankedCluster, 'headroom'>): boolean => headroom !== null && headroom.points <= 0;
const pointsOf = ({ headroom }: RankedCluster): number => headroom?.points ?? Number.MAX_SAFE_INTEGER;
const shownName = ({ name, id }: RankedCluster): string => name ?? id;

/**
 * Compares clusters, worst first: over the line, then by nodes that are not ready, broken pods and headroom. A silent one
 * comes last, whatever its last figures were.
 */
function byState(a: RankedCluster, b: RankedCluster): number {
  return (
    Number(a.isSilent) - Number(b.isSilent) ||
    (a.isSilent ? a.ageSeconds - b.ageSeconds : 0) ||
    Number(isOver(b)) - Number(isOver(a)) ||
    (isOver(a) ? pointsOf(a) - pointsOf(b) : 0) ||
    b.nodes - b.readyNodes - (a.nodes - a.readyNodes) ||
    b.brokenPods - a.brokenPods ||
    pointsOf(a) - pointsOf(b) ||
    (shownName(a) < shownName(b) ? -1 : 1)
  );
}

/** Returns the clusters worst first. `share`: what their headroom is of. */
export function rankClusters(loads: readonly ClusterLoad[], share: ClusterShare, now: number): RankedCluster[] {
  const newest = newestOf(loads);
  return loads
    .map(({ allocatable, requested, used, ...load }) => {
      const ageSeconds = secondsSince(load.lastSeenAt, now);
      const own = versionOf(load.version);
      const shares = {
        requested: {
          cpuPercent: percentOf(requested.cpuCores, allocatable.cpuCores),
          memoryPercent: percentOf(requested.memoryBytes, allocatable.memoryBytes),
        },
        used,
      };
      return {
        ...load,
        ...shares,
        ageSeconds,
        isSilent: ageSeconds >= COLLECTOR_SILENT_SECONDS,
        minor: own && minorText(own),
        versionsBehind: behind(own, newest),
        headroom: headroomOf(shares[share]),
      };
    })
    .toSorted(byState);
}

const sum = (clusters: readonly RankedCluster[], of: (one: RankedCluster) => number): number =>
  clusters.reduce((total, one) => total + of(one), 0);
const MOST_NAMES = 3;

/** Returns the sums of the tiles. Figures of silent clusters are not of now and count in none but the first two. */
export function summariseClusters(ranked: readonly RankedCluster[]) {
  const reporting = ranked.filter(({ isSilent }) => !isSilent);
  const over = reporting.filter(isOver);
  const lagging = reporting.map(({ versionsBehind }) => versionsBehind ?? 0).filter((count) => count > 0);
  const versions = ranked.flatMap(({ version }) => versionOf(version) ?? []).toSorted((a, b) => compareVersions(b, a));
  const newest = newestOf(ranked);
  return {
    clusters: ranked.length,
    silent: ranked.length - reporting.length,
    over: over.length,
    overNames: over.slice(0, MOST_NAMES).map(shownName),
    nodes: sum(reporting, ({ nodes }) => nodes),
    readyNodes: sum(reporting, ({ readyNodes }) => readyNodes),
    pods: sum(reporting, ({ pods }) => pods),
    brokenPods: sum(reporting, ({ brokenPods }) => brokenPods),
    behind: lagging.length,
    mostBehind: Math.max(0, ...lagging),
    newestVersion: newest && minorText(newest),
    versions: [...new Set(versions.map(minorText))],
  };
}

export interface ClusterSelection {
  search?: string | undefined;
  state?: 'over' | 'broken' | 'silent' | undefined;
  /** Minor version. */
  version?: string | undefined;
}

/** Returns the clusters that match every filter given, in their order. */
export const selectClusters = (
  ranked: readonly RankedCluster[],
  { search = '', state, version }: ClusterSelection,
): RankedCluster[] =>
  ranked.filter(
    (one) =>
      (shownName(one).toLowerCase().includes(search.trim().toLowerCase()) || one.id === search.trim()) &&
      (version === undefined || one.minor === version) &&
      (state === undefined ||
        (state === 'silent'
          ? one.isSilent
          : !one.isSilent && (state === 'over' ? isOver(one) : one.brokenPods > 0 || one.readyNodes < one.nodes))),
  );
