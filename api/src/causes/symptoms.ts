import type { CauseEntity } from '@plimsoll/contract/wire/causes';
import { keyOf, objectEntity, serverEntity } from './entities.ts';
import type { AlertSeen, Evidence, PodSeen } from './evidence.ts';
import { checkKey } from './graph.ts';
import type { ObjectIndex, Workload } from './index-objects.ts';
import { POD_TROUBLE, type Aspect } from './aspects.ts';

/** One thing that went wrong: an alert in question, or a workload beside it that is not well. */
export interface Symptom {
  key: string;
  entity: CauseEntity | null;
  /** Kinds of trouble it may stand for: missing replicas may not start, crash, or not be ready. */
  aspects: readonly Aspect[];
  at: number;
  text: string;
  href: string | null;
  weight: number;
}

/** A state that nobody set a line for, and an alert of another incident, say less than an alert of this one. */
const STATE_WEIGHT = 0.5;
/** A state that began this long before the first alert is another matter. */
export const WINDOW_SECONDS = 3600;

/** By the beginning of the metric's name; the first that fits counts. */
const ASPECTS_OF: readonly (readonly [metric: RegExp, aspects: readonly Aspect[]])[] = [
  // Work to be done: nothing failed.
  [/^(?:updates_pending|security_updates|reboot_required)/, []],
  [/^(?:pod_crash_loop|pod_restarts|container_restarts)/, ['crash', 'memory_kill', 'start']],
  [/^(?:pod_oom_kill|oom_kill)/, ['memory_kill', 'memory']],
  [/^(?:pod_pending|node_loss)/, ['missing', 'start']],
  [/^pod_image_pull/, ['start']],
  [/^pod$/, POD_TROUBLE],
  // A stretch of a chart that a person chose.
  [/^range$/, ['cpu', 'load', 'memory', 'swap', 'io', 'disk', 'traffic', 'connections', 'silent', 'unit', 'clock']],
  [/^replicas_missing/, POD_TROUBLE],
  [/^job_failed/, ['crash', 'memory_kill', 'missing', 'start']],
  [/^workload_too_small/, ['cpu', 'memory', 'memory_kill']],
  [/^(?:volume|disk|inode|pool_usage|filesystem)/, ['disk']],
  [/^node_/, ['node', 'memory', 'disk', 'silent']],
  [/^cluster_requested/, ['missing']],
  [/^cpu/, ['cpu']],
  [/^load/, ['cpu', 'load']],
  [/^memory/, ['memory']],
  [/^swap/, ['swap', 'memory']],
  [/^io_?wait/, ['io']],
  [/^(?:net|band|tcp)/, ['traffic', 'connections']],
  [/^conn/, ['connections', 'traffic']],
  [/^(?:offline|cluster_silent)/, ['silent']],
  [/^(?:systemd|service|unit|process|container_unhealthy)/, ['unit', 'crash', 'memory_kill']],
  [/^(?:check_slow)/, ['failing', 'cpu', 'io', 'load', 'traffic']],
  [/^(?:check|certificate|heartbeat)/, ['failing', 'silent', 'unit', 'disk']],
  [/^(?:collector_late|clock|time)/, ['clock', 'silent', 'load']],
];
const aspectsOf = (metric: string): readonly Aspect[] =>
  ASPECTS_OF.find(([pattern]) => pattern.test(metric))?.[1] ?? ['other'];

export function symptomsOf(evidence: Evidence, index: ObjectIndex): Symptom[] {
  const alerts = evidence.alerts.map((alert) => ofAlert(alert, evidence));
  const known = new Set(alerts.map(({ key }) => key));
  const first = Math.min(...alerts.map(({ at }) => at));
  const places = new Set(
    evidence.alerts.flatMap(({ object }) =>
      object === null ? [] : [`${object.clusterId}\n${object.namespace ?? ''}`],
    ),
  );
  const states = [...index.workloads.values()].flatMap((workload) => {
    const isNear = places.has(`${workload.ref.clusterId}\n${workload.ref.namespace ?? ''}`);
    if (!isNear || known.has(workload.key)) return [];
    const state = troubleOf(workload);
    return state === null || state.at < first - WINDOW_SECONDS
      ? []
      : [{ ...state, key: workload.key, entity: workload.entity, href: workload.entity.href, weight: STATE_WEIGHT }];
  });
  return [...alerts, ...states].toSorted((a, b) => a.at - b.at || (a.key + a.text < b.key + b.text ? -1 : 1));
}

function ofAlert(alert: AlertSeen, { checks }: Evidence): Symptom {
  const check = checks.find(({ id }) => id === alert.subject);
  const entity =
    alert.object !== null
      ? objectEntity(alert.object)
      : alert.serverId !== null
        ? serverEntity(alert.serverId, alert.hostname ?? alert.serverId)
        : null;
  return {
    key: check !== undefined ? checkKey(check.id) : entity === null ? checkKey(alert.subject) : keyOf(entity),
    entity,
    aspects: aspectsOf(alert.metric),
    at: alert.at,
    text: alert.title,
    href: `/alerts?alert=${encodeURIComponent(alert.id)}`,
    weight: alert.isBeside === true ? STATE_WEIGHT : 1,
  };
}

/** A pod that is not as it should be, and since when. */
export function isUnwell(pod: PodSeen): boolean {
  return (
    !pod.deleting && !pod.ready && pod.phase !== 'Succeeded' && pod.ownerKind !== 'Job' && pod.ownerKind !== 'CronJob'
  );
}
function sinceOf(pod: PodSeen): number {
  const ends = pod.containers.flatMap(({ end }) => (end?.at == null ? [] : [end.at]));
  const restarts = pod.restarts.map(({ at }) => at);
  return Math.min(...restarts, ...(ends.length > 0 ? ends : [pod.createdAt]));
}

function troubleOf(workload: Workload): Pick<Symptom, 'aspects' | 'at' | 'text'> | null {
  const unwell = workload.pods.filter(isUnwell);
  if (unwell.length === 0) return null;
  return {
    aspects: POD_TROUBLE,
    at: Math.min(...unwell.map(sinceOf)),
    text: `${String(unwell.length)} of ${String(workload.pods.length)} pods are not ready`,
  };
}
