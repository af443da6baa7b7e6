import { CUSTOM_GROUP, CUSTOM_PLURALS, type CustomKind } from '@plimsoll/contract/rules/custom-resources';
import type { ManagedObjectView } from '@plimsoll/contract/wire/managed-object';
import { CodedError } from '../errors.ts';
import type { ManagedObject } from './types.ts';

export const shapeObject = (kind: CustomKind, object: ManagedObject | null): ManagedObjectView | null =>
  object && {
    cluster_id: object.clusterId,
    cluster_name: object.clusterName,
    kind,
    namespace: object.namespace,
    name: object.name,
  };

/** Throws `object_managed` if a custom resource made the row: the next reconciliation would undo a change. */
export function refuseManaged(kind: CustomKind, object: ManagedObject | null): void {
  if (object === null) return;
  const { namespace, name, clusterName, clusterId } = object;
  throw new CodedError('object_managed', `The ${kind} ${namespace}/${name} of a Kubernetes cluster manages this`, {
    remedy: `Run kubectl edit ${CUSTOM_PLURALS[kind]}.${CUSTOM_GROUP} ${name} -n ${namespace} in cluster ${clusterName ?? clusterId}.`,
  });
}
