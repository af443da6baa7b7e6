import {
  COLLECTOR_SILENT_SECONDS,
  type CollectorState,
  type ReaderState,
} from '@plimsoll/contract/rules/kubernetes-limits';
import { namespaceOf, remedyOf, type Remedy } from './remedies.ts';
import type { ClusterState } from './types.ts';

/** A replica that stands by says so once a minute. */
const STANDBY_FRESH_MS = 180_000;

export interface CollectorStatus extends Remedy {
  state: CollectorState;
  ageSeconds: number;
  nodeAgentsAgeSeconds: number | null;
  detail: string | null;
}

/** Seconds from one moment to another (epoch ms); a clock that is behind gives 0. */
export const secondsSince = (at: number, now: number): number => Math.max(0, (now - at) / 1000);

/** Judges the collector of a cluster by its last report, and a silent one by what its replicas and node agents sent since. */
export function collectorStatus(cluster: ClusterState, now: number): CollectorStatus {
  const { lastSeenAt, nodeAgentsSeenAt, standby, readers } = cluster;
  const ageSeconds = secondsSince(lastSeenAt, now);
  const nodeAgentsAgeSeconds = nodeAgentsSeenAt === null ? null : secondsSince(nodeAgentsSeenAt, now);
  const ages = { ageSeconds, nodeAgentsAgeSeconds };
  if (ageSeconds < COLLECTOR_SILENT_SECONDS)
    return { state: 'reporting', ...ages, detail: null, remedy: null, command: null };
  if (standby !== null && standby.at > lastSeenAt && now - standby.at < STANDBY_FRESH_MS)
    return { state: 'no_leader', ...ages, detail: standby.lease.detail, ...remedyOf(standby.lease) };
  const isReachable = nodeAgentsAgeSeconds !== null && nodeAgentsAgeSeconds < COLLECTOR_SILENT_SECONDS;
  return {
    state: 'silent',
    ...ages,
    detail: isReachable
      ? 'Node agents of this cluster still report: the cluster runs, its collector is stopped or has no leader.'
      : 'No collector of this cluster reports: the cluster is down, or it does not reach this API.',
    remedy: 'Look at the pods of the cluster collector.',
    command: `kubectl -n ${namespaceOf(readers[0])} get deployment,pods,lease -l app.kubernetes.io/component=cluster-collector`,
  };
}

const WORKING: readonly ReaderState[] = ['ok', 'off', 'starting'];
/** A reader that is off or not read yet misses nothing. */
export const fails = ({ state }: { state: ReaderState }): boolean => !WORKING.includes(state);
