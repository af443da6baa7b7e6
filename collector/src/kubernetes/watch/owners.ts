import type { V1ObjectMeta } from '@kubernetes/client-node';
import type { OwnerRef } from '@plimsoll/contract/wire/cluster-objects';
import { required } from './fields.ts';
import { type Controller, controllerOf } from './pods.ts';
import type { Resource } from './reflector.ts';

/** Links between the object a pod belongs to and the one a person knows: ReplicaSet → Deployment, Job → CronJob. */
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
export const jobs: Resource<OwnerLink> = {
  name: 'jobs',
  path: '/apis/batch/v1/jobs',
  needs: 'list,watch jobs.batch',
  metadataOnly: true,
  project: link,
};

/** Chains are two long in practice; the bound is against objects that own each other. */
const LONGEST_CHAIN = 5;

/** The top of the chain as far as it is known; null for a pod nobody owns. */
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
