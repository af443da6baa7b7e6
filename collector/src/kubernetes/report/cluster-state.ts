import type {
  ContainerEnd,
  EventObject,
  JobObject,
  NodeObject,
  PodObject,
  VolumeObject,
  WorkloadObject,
} from '@plimsoll/contract/wire/cluster-objects';
import type { NodeTerm, PlacementObject } from '@plimsoll/contract/wire/cluster-placement';
import { CLUSTER_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { DescribedState } from '../changes/described-state.ts';
import { endsBetween, type EndSeen } from '../watch/container-terminations.ts';
import { type FailedJob, type JobLink, type OwnerLink, topOwner } from '../watch/owners.ts';
import { endQueue, eventQueue, jobQueue, type Part, type Slices } from './outgoing-queue.ts';
import type { Controller, ProjectedPod } from '../watch/pods.ts';
import { type Changes, Projection } from '../watch/projection.ts';
import { isSameJson } from '../watch/same-json.ts';
import type { BoundVolume } from '../watch/persistent-volumes.ts';
import type { Store } from '../watch/reflector.ts';
import type { Timing } from '../watch/timing.ts';

/** Changes taken for a report, to be committed or rolled back together. */
export interface Draft {
  part: Part;
  commit(): void;
  rollback(): void;
}

/** A Job that failed earlier is no news, and a Job may stay for months. */
const REPORTED_FAILURE_SECONDS = 86_400;

/** The whole cluster in projection: fed by the reflectors, drained by the reports. */
export class ClusterState {
  readonly nodes = new Projection<NodeObject>();
  readonly volumes = new Projection<VolumeObject>();
  readonly workloads = new Projection<WorkloadObject>();
  readonly pods: Projection<ProjectedPod>;
  /** Controllers of ReplicaSets and Jobs, by uid. */
  readonly links = new Map<string, Controller | null>();
  /** Nodes that can mount the volume of a claim, by the claim's uid. */
  readonly #mountable = new Map<string, NodeTerm[] | null>();
  /** One object for each distinct set of constraints: pods of one template share it. */
  #placements = new Map<string, PlacementObject>();
  readonly events: Store<EventObject>;
  readonly #eventQueue = eventQueue();
  readonly #endQueue = endQueue();
  readonly #jobQueue = jobQueue();
  readonly #timing: Timing;
  readonly described: DescribedState;

  constructor(timing: Timing, described: DescribedState) {
    this.#timing = timing;
    this.described = described;
    this.pods = new Projection<ProjectedPod>((before, after) => {
      for (const end of endsBetween(before, after, timing.now() / 1000)) this.#queueEnd(end);
    });
    this.events = {
      upsert: (event) => this.#eventQueue.add(event.uid, event),
      // An event that expires is old news, not a change.
      remove: () => undefined,
      retain: () => undefined,
    };
  }

  /** A store for one of the resources whose objects only link a pod to its owner. */
  linkStore(): Store<OwnerLink> {
    const own = new Set<string>();
    const remove = ({ uid }: { uid: string }) => {
      own.delete(uid);
      this.links.delete(uid);
    };
    return {
      upsert: ({ uid, controller }) => {
        own.add(uid);
        this.links.set(uid, controller);
      },
      remove,
      retain: (uids) => {
        for (const uid of own) if (!uids.has(uid)) remove({ uid });
      },
    };
  }

  /** A store for the Jobs: they link pods to CronJobs, and those that failed lately are reported. */
  jobStore(): Store<JobLink> {
    const links = this.linkStore();
    return {
      ...links,
      upsert: (job) => {
        links.upsert(job);
        const { failed } = job;
        if (failed !== null && this.#hasFailedLately(failed)) this.#jobQueue.add(job.uid, { ...job, failed });
      },
    };
  }

  #hasFailedLately({ conditions }: FailedJob): boolean {
    const since = conditions.find(({ type }) => type === 'Failed')?.since ?? null;
    return since === null || this.#timing.now() / 1000 - since < REPORTED_FAILURE_SECONDS;
  }

  /** A store for one kind of workload: they share a projection, a listing of one kind must not delete the others. */
  workloadStore(kind: WorkloadObject['kind']): Store<WorkloadObject> {
    return {
      upsert: (object) => this.workloads.upsert(object),
      remove: (object) => this.workloads.remove(object),
      retain: (uids) => {
        for (const object of this.workloads.objects.values())
          if (object.kind === kind && !uids.has(object.uid)) this.workloads.remove(object);
      },
    };
  }

  /** A store for the pods. Pods with equal constraints share one object, which keeps a large cluster small. */
  podStore(): Store<ProjectedPod> {
    return {
      upsert: (pod) => this.pods.upsert(this.#shared(pod)),
      remove: (pod) => this.pods.remove(pod),
      retain: (uids) => this.pods.retain(uids),
    };
  }

  #shared(pod: ProjectedPod): ProjectedPod {
    const { placement } = pod;
    if (!placement) return pod;
    const known = this.#placements.get(placement.hash);
    if (known) return { ...pod, placement: known };
    this.#placements.set(placement.hash, placement);
    return pod;
  }

  /** A store for the persistent volumes: what they say of nodes is sent with their claims. */
  boundVolumeStore(): Store<BoundVolume> {
    const claimOf = new Map<string, string>();
    const remove = ({ uid }: { uid: string }) => {
      const claim = claimOf.get(uid);
      claimOf.delete(uid);
      if (claim !== undefined && this.#mountable.delete(claim)) this.volumes.touch(claim);
    };
    return {
      upsert: ({ uid, claimUid, nodeAffinity }) => {
        if (claimOf.get(uid) !== claimUid) remove({ uid });
        if (claimUid === null) return;
        claimOf.set(uid, claimUid);
        const before = this.#mountable.get(claimUid);
        this.#mountable.set(claimUid, nodeAffinity);
        if (before === undefined || !isSameJson(before, nodeAffinity)) this.volumes.touch(claimUid);
      },
      remove,
      retain: (uids) => {
        for (const uid of claimOf.keys()) if (!uids.has(uid)) remove({ uid });
      },
    };
  }

  /** Living pods by "namespace/name". Built anew each time: it is read once a minute. */
  podsByName(): Map<string, ProjectedPod> {
    const pods = new Map<string, ProjectedPod>();
    for (const pod of this.pods.objects.values()) pods.set(`${pod.namespace}/${pod.name}`, pod);
    return pods;
  }

  /** Ends that were not seen but told by another source. */
  addEnds(ends: readonly EndSeen[]): void {
    for (const end of ends) this.#queueEnd(end);
  }

  #queueEnd(end: EndSeen): void {
    this.#endQueue.add(`${end.pod_uid}/${end.container}/${end.run}`, end);
  }

  draft(all: boolean): Draft {
    const nodes = this.nodes.take(all);
    const pods = this.pods.take(all);
    const workloads = this.workloads.take(all);
    const volumes = this.volumes.take(all);
    const objects = this.described.projection.take(all);
    const events = this.#eventQueue.take(CLUSTER_LIMITS.eventsPerItem * 5);
    const ends = this.#endQueue.take(CLUSTER_LIMITS.endsPerItem * 5);
    const jobs = this.#jobQueue.take(CLUSTER_LIMITS.jobsPerItem * 5);
    const rollback = () => {
      this.nodes.rollback(nodes);
      this.pods.rollback(pods);
      this.workloads.rollback(workloads);
      this.volumes.rollback(volumes);
      this.described.projection.rollback(objects);
    };
    const commit = () => {
      this.#eventQueue.commit(events);
      this.#endQueue.commit(ends);
      this.#jobQueue.commit(jobs);
    };
    const placements = distinctPlacements(pods.changed);
    // A full listing names every set that is in use.
    if (all) this.#placements = placements;
    const part: Part = {
      nodes: nodes.changed,
      placements: [...placements.values()],
      pods: mappedLate(pods.changed, (pod) => this.#wirePod(pod)),
      workloads: workloads.changed,
      volumes: mappedLate(volumes.changed, (volume) => this.#wireVolume(volume)),
      ...(objects.changed.length > 0
        ? { objects: mappedLate(objects.changed, (one) => this.described.wire(one)) }
        : {}),
      events: [...events.values()],
      ends: [...ends.values()].map((end) => this.#wireEnd(end)),
      jobs: [...jobs.values()].map(({ failed, controller }) => this.#wireJob(failed, controller)),
      ...deletedOf({ nodes, pods, workloads, volumes, objects }),
    };
    return { part, commit, rollback };
  }

  #wirePod({ controller, placement, ...pod }: ProjectedPod): PodObject {
    return {
      ...pod,
      owner: topOwner(controller, this.links),
      ...(placement === undefined ? {} : { placement: placement && placement.hash }),
    };
  }

  #wireVolume(volume: VolumeObject): VolumeObject {
    const nodes = this.#mountable.get(volume.uid);
    return nodes === undefined ? volume : { ...volume, node_affinity: nodes };
  }

  #wireJob(job: FailedJob, controller: Controller | null): JobObject {
    return { ...job, owner: topOwner(controller, this.links) };
  }

  #wireEnd({ controller, ...end }: EndSeen): ContainerEnd {
    return { ...end, owner: topOwner(controller, this.links) };
  }
}

function distinctPlacements(pods: readonly ProjectedPod[]): Map<string, PlacementObject> {
  const distinct = new Map<string, PlacementObject>();
  for (const { placement } of pods) if (placement) distinct.set(placement.hash, placement);
  return distinct;
}

/** A copy of each pod of a large cluster at once would hold up everything else for a third of a second. */
const mappedLate = <T, U>(list: readonly T[], change: (one: T) => U): Slices<U> => ({
  length: list.length,
  slice: (from, to) => list.slice(from, to).map(change),
});

type Kinds = 'nodes' | 'pods' | 'workloads' | 'volumes' | 'objects';
function deletedOf(changes: Record<Kinds, Changes<unknown>>): Pick<Part, 'deleted'> {
  const deleted = {
    nodes: changes.nodes.deleted,
    pods: changes.pods.deleted,
    workloads: changes.workloads.deleted,
    volumes: changes.volumes.deleted,
    objects: changes.objects.deleted,
  };
  return Object.values(deleted).some((uids) => uids.length > 0) ? { deleted } : {};
}
