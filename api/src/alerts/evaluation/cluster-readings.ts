import { percentOf } from '@plimsoll/contract/rules/percent-of';
import { type Reading, workloadSubject } from '@plimsoll/contract/rules/alert-metric';
import { capacityReadings } from '../../capacity/alert-readings.ts';
import { nameAddresses } from '../../kubernetes/rival.ts';
import type { ObjectMetric } from '../rules/rules.ts';
import { endText, memoryText } from './end-text.ts';
import type { ClusterObjects, UnwellPod } from '../cluster-objects.ts';
import type { Place } from '../types.ts';

export interface ClusterReading extends Reading {
  /** The subject as a person reads it: "shop/web". */
  label: string;
  place: Place;
  /** Age of each pod of the value; a pod counts once its age reaches the time of the rule. */
  agesMs?: readonly number[];
}

/** Returns what the objects of a cluster say about each metric. Only what is not well is read, except volumes. */
export const clusterReadings = (objects: ClusterObjects): Record<ObjectMetric, readonly ClusterReading[]> => ({
  node_not_ready: objects.nodes
    // A cordoned node is under maintenance.
    .filter(({ ready, isCordoned }) => ready !== true && !isCordoned)
    .map(({ name, reason }) => ofNode(name, `Node ${name} is not ready${reason === null ? '' : `: ${reason}`}`)),
  node_pressure: objects.nodes
    .filter(({ problems }) => problems.length > 0)
    .map(({ name, problems }) => ofNode(name, `Node ${name} reports ${problems.join(', ')}`)),
  pod_restarts: byWorkload(objects.ends, ({ restarts }) => restarts > 0).map(({ members, ...head }) => {
    const value = Math.max(...members.map(({ restarts }) => restarts));
    const all = members.reduce((sum, { restarts }) => sum + restarts, 0);
    const pods = counted(members.length, 'pod');
    return {
      ...head,
      value,
      detail: `${counted(all, 'restart')} of ${pods} in 1 h, at most ${String(value)} of one pod`,
    };
  }),
  pod_crash_loop: crashLoops(objects),
  pod_oom_kill: byWorkload(objects.ends, ({ oomKills }) => oomKills > 0).map(({ members, ...head }) => {
    const value = members.reduce((sum, { oomKills }) => sum + oomKills, 0);
    const limits = members.flatMap(({ oomLimitBytes }) => oomLimitBytes ?? []);
    const limit = limits.length === 0 ? '' : ` at ${memoryText(Math.min(...limits))}`;
    return {
      ...head,
      value,
      detail: `${counted(value, 'OOM kill')}${limit} in ${counted(members.length, 'pod')} in 1 h`,
    };
  }),
  pod_pending: byWorkload(objects.pods, ({ isPending, isPulling }) => isPending && !isPulling).map(
    ({ members, ...head }) => {
      const why = reasonsOf(members);
      return {
        ...head,
        value: members.length,
        agesMs: members.map(({ ageMs }) => ageMs),
        detail: `${share(objects, head, members.length)} pending${why}`,
      };
    },
  ),
  pod_image_pull: byWorkload(objects.pods, ({ isPulling }) => isPulling).map(({ members, ...head }) => ({
    ...head,
    value: members.length,
    detail: `${share(objects, head, members.length)} cannot pull an image${reasonsOf(members)}`,
  })),
  job_failed: byWorkload(objects.failedJobs, () => true).map(({ members, ...head }) => {
    const [first] = members;
    const why = first?.reason == null ? '' : `: ${first.reason}`;
    const names = members.length === 1 ? `Job ${first?.podName ?? ''} failed` : `${String(members.length)} jobs failed`;
    return { ...head, value: members.length, detail: `${names}${why}` };
  }),
  volume_usage: objects.volumes.map(({ namespace, claim, usedBytes, capacityBytes }) => ({
    subject: `${namespace}/${claim}`,
    label: `${namespace}/${claim}`,
    value: percentOf(usedBytes, capacityBytes),
    place: { namespace, workloadKind: null, name: claim, nodes: [] },
  })),
  replicas_missing: objects.workloads
    .filter(({ desired, ready }) => desired > 0 && ready < desired)
    .map(({ namespace, kind, name, desired, ready, nodes }) => ({
      subject: workloadSubject({ namespace, kind, name }),
      label: `${namespace}/${name}`,
      value: percentOf(desired - ready, desired),
      detail: `${String(desired - ready)} of ${counted(desired, 'replica')} missing`,
      place: { namespace, workloadKind: kind, name, nodes },
    })),
  ...capacityReadings(objects.capacity),
  another_collector:
    objects.rival === null
      ? []
      : [
          {
            subject: 'collector',
            label: 'collector',
            value: 1,
            detail: `The collector at ${nameAddresses(objects.rival.addresses)} is refused: the one at ${nameAddresses(objects.rival.here)} reports for this cluster`,
            place: { namespace: null, workloadKind: null, name: null, nodes: [] },
          },
        ],
});

const counted = (count: number, one: string): string => `${String(count)} ${count === 1 ? one : `${one}s`}`;
const ofNode = (name: string, detail: string): ClusterReading => ({
  subject: name,
  label: name,
  value: 1,
  detail,
  place: { namespace: null, workloadKind: null, name, nodes: [name] },
});

/**
 * A container that crashes runs for some seconds between two waits, and a report may fall into them. Repeated failures
 * count as well, so that the alert does not start its wait anew.
 */
const FAILURES_OF_A_LOOP = 2;
function crashLoops(objects: ClusterObjects): ClusterReading[] {
  const looping = new Set(objects.pods.filter(({ isLooping }) => isLooping).map(({ uid }) => uid));
  const failing = objects.ends.filter(({ uid, failures }) => !looping.has(uid) && failures >= FAILURES_OF_A_LOOP);
  const pods: (Member & Partial<Pick<UnwellPod, 'lastEnd'>>)[] = [
    ...objects.pods.filter(({ isLooping }) => isLooping),
    ...failing,
  ];
  return byWorkload(pods, () => true).map(({ members, ...head }) => ({
    ...head,
    value: members.length,
    detail: `${share(objects, head, members.length)} in CrashLoopBackOff${lastEndOf(members)}`,
  }));
}

/** Returns the reasons of pods after a colon, each once; empty without one. */
function reasonsOf(pods: readonly Pick<UnwellPod, 'reason'>[]): string {
  const reasons = [...new Set(pods.flatMap(({ reason }) => reason ?? []))];
  return reasons.length === 0 ? '' : `: ${reasons.join(', ')}`;
}

/** Returns the end that most of the pods had, after a comma. Pods differ in times and addresses, so one text stands for all. */
function lastEndOf(pods: readonly Partial<Pick<UnwellPod, 'lastEnd'>>[]): string {
  const texts = pods.flatMap(({ lastEnd }) => (lastEnd ? (endText(lastEnd) ?? []) : []));
  const groups = [...Map.groupBy(texts, (text) => text).values()].toSorted((a, b) => b.length - a.length);
  const [text] = groups[0] ?? [];
  return text === undefined ? '' : `, ${text}`;
}

/** Returns "3 of 5 pods", or the count alone where the workload has no replica count. */
function share(objects: ClusterObjects, { place }: Pick<ClusterReading, 'place'>, count: number): string {
  const workload = objects.workloads.find(
    ({ namespace, kind, name }) => namespace === place.namespace && kind === place.workloadKind && name === place.name,
  );
  if (workload === undefined || workload.desired < count) return counted(count, 'pod');
  return `${String(count)} of ${counted(workload.desired, 'pod')}`;
}

type Member = Pick<UnwellPod, 'namespace' | 'ownerKind' | 'ownerName' | 'podName' | 'nodeName'>;
type Group<M> = Pick<ClusterReading, 'subject' | 'label' | 'place'> & { members: M[] };

/** The node that owns a static pod is no workload: it would hide which of its pods the alert is about. */
const workloadOf = ({ ownerKind, ownerName, podName }: Member): { kind: string; name: string } =>
  ownerKind === null || ownerName === null || ownerKind === 'Node'
    ? { kind: 'Pod', name: podName }
    : { kind: ownerKind, name: ownerName };

/** Groups pods by their workload; a pod without one stands for itself. */
function byWorkload<M extends Member>(pods: readonly M[], isMember: (pod: M) => boolean): Group<M>[] {
  const groups = Map.groupBy(pods.filter(isMember), (pod) =>
    workloadSubject({ namespace: pod.namespace, ...workloadOf(pod) }),
  );
  return [...groups].flatMap(([subject, members]) => {
    const [first] = members;
    if (first === undefined) return [];
    const { namespace } = first;
    const { kind, name } = workloadOf(first);
    const nodes = [...new Set(members.flatMap(({ nodeName }) => nodeName ?? []))].toSorted();
    const place = { namespace, workloadKind: kind, name, nodes };
    return [{ subject, label: `${namespace}/${name}`, place, members }];
  });
}
