import type { V1Job, V1ObjectMeta } from '@kubernetes/client-node';
import type { JobObject, OwnerRef } from '@plimsoll/contract/wire/cluster-objects';
import { clip, required, seconds } from './fields.ts';
import { type Controller, controllerOf } from './pods.ts';
import type { Resource } from './reflector.ts';

/** Links the direct owner of a pod to the workload that people use: ReplicaSet → Deployment, Job → CronJob. */
export interface OwnerLink {
  uid: string;
  controller: Controller | null;
}

const link = (object: unknown): OwnerLink => {
  const { metadata } = object as { metadata?: V1ObjectMeta };
  return { uid: required(metadata?.uid, 'metadata.uid'), controller: controllerOf(metadata?.ownerReferences) };
};

export const replicaSets: Resource<OwnerLink> = {
  name: 'replicasets',
  path: '/apis/apps/v1/replicasets',
  needs: 'list,watch replicasets.apps',
  metadataOnly: true,
  project: link,
};
/** A Job that failed, without its owner: the link to it may come later. */
export type FailedJob = Omit<JobObject, 'owner'>;
export interface JobLink extends OwnerLink {
  /** Null while the Job runs, and after it succeeded. */
  failed: FailedJob | null;
}

/** The Job controller sets the condition after the last retry; with a grace period, `FailureTarget` comes before it. */
export const jobs: Resource<JobLink> = {
  name: 'jobs',
  path: '/apis/batch/v1/jobs',
  needs: 'list,watch jobs.batch',
  project: (object) => {
    const { metadata, status } = object as V1Job;
    const conditions = (status?.conditions ?? []).slice(0, 20);
    const hasFailed = conditions.some(({ type, status: value }) => type === 'Failed' && value === 'True');
    return { ...link(object), failed: hasFailed ? failedJob(metadata, conditions) : null };
  },
};

const failedJob = (
  metadata: V1ObjectMeta | undefined,
  conditions: NonNullable<NonNullable<V1Job['status']>['conditions']>,
): FailedJob => ({
  uid: required(metadata?.uid, 'metadata.uid'),
  namespace: required(metadata?.namespace, 'metadata.namespace'),
  name: required(metadata?.name, 'metadata.name'),
  conditions: conditions.map(({ type, status, reason, message, lastTransitionTime }) => ({
    type: clip(type, 253) ?? 'Unknown',
    status: clip(status, 16) ?? 'Unknown',
    reason: clip(reason),
    message: clip(message),
    since: seconds(lastTransitionTime),
  })),
});

/** Chains are two long in practice; the bound is against objects that own each other. */
const LONGEST_CHAIN = 5;

/** Returns the highest known owner; null for a pod without owner. */
export function topOwner(
  controller: Controller | null,
  links: ReadonlyMap<string, Controller | null>,
): OwnerRef | null {
  let top = controller;
  for (let step = 0; top && step < LONGEST_CHAIN; step += 1) {
    const above = links.get(top.uid);
    if (!above) break;
    top = above;
  }
  return top && { kind: top.kind, name: top.name };
}
