import { ownValue } from '@plimsoll/contract/rules/printable-text';
import type { CauseEntity } from '@plimsoll/contract/wire/causes';
import type { CheckSeen, ObjectRef, PodSeen } from './evidence.ts';

/** Makes the entities of the graph, and names them. */

const KINDS: Readonly<Record<string, CauseEntity['kind']>> = {
  Pod: 'pod',
  Node: 'node',
  Namespace: 'namespace',
  Service: 'service',
  PersistentVolumeClaim: 'volume_claim',
  Deployment: 'workload',
  StatefulSet: 'workload',
  DaemonSet: 'workload',
  CronJob: 'workload',
  Job: 'workload',
  ReplicaSet: 'workload',
  Cluster: 'cluster',
};
const text = encodeURIComponent;

export const isWorkloadKind = (kind: string): boolean => ownValue(KINDS, kind) === 'workload';

type Identity = Omit<CauseEntity, 'href'>;
const identityOf = ({ clusterId, namespace, kind, name }: ObjectRef): Identity => ({
  kind: ownValue(KINDS, kind) ?? 'object',
  name,
  object_kind: kind,
  namespace,
  cluster_id: clusterId,
  server_id: null,
});
export function objectEntity(ref: ObjectRef): CauseEntity {
  const identity = identityOf(ref);
  return { ...identity, href: hrefOf(identity.kind, ref) };
}

function hrefOf(entityKind: CauseEntity['kind'], { clusterId, namespace, kind, name }: ObjectRef): string | null {
  const cluster = `cluster=${text(clusterId)}`;
  if (entityKind === 'pod') return `/kubernetes/pods?pod=${text(`${clusterId}/${namespace ?? ''}/${name}`)}`;
  if (entityKind === 'workload')
    return `/kubernetes/workloads/${[clusterId, namespace ?? '', kind, name].map(text).join('/')}`;
  if (entityKind === 'node') return `/kubernetes/nodes?${cluster}`;
  if (entityKind === 'namespace') return `/kubernetes/pods?${cluster}&namespace=${text(name)}`;
  return `/changes?${cluster}&q=${text(name)}`;
}

export const serverEntity = (serverId: string, hostname: string): CauseEntity => ({
  kind: 'server',
  name: hostname,
  object_kind: null,
  namespace: null,
  cluster_id: null,
  server_id: serverId,
  href: `/servers/${text(serverId)}`,
});

/** A host that programs call and that is not watched. */
export const peerEntity = (name: string): CauseEntity => ({
  ...serverEntity('', name),
  kind: 'peer',
  server_id: null,
  href: null,
});

/** "GET https://shop.example.com/health", "A shop.example.com", "[2001:db8::1]:5432". */
const TARGET = /^(?:[A-Z]+ )?(?:https?:\/\/)?(?:[^\s/@]*@)?(\[[^\]\s]+\]|[^\s/:]+)(?::\d+)?(?:[/?#]\S*)?$/;
/** The host that a check asks; of a heartbeat its name. */
export const askedPeer = ({ target, name }: CheckSeen): CauseEntity => peerEntity(TARGET.exec(target)?.[1] ?? name);

/** A part of a server: a process, a unit, a file system, an interface. */
export const partEntity = (
  kind: 'process' | 'unit' | 'filesystem' | 'disk' | 'interface',
  serverId: string,
  name: string,
): CauseEntity => ({ ...serverEntity(serverId, name), kind });

export const workloadRefOf = (pod: PodSeen): ObjectRef => ({
  clusterId: pod.clusterId,
  namespace: pod.namespace,
  kind: pod.ownerKind ?? 'Pod',
  name: pod.ownerName ?? pod.name,
});

/** Names an entity uniquely. Text of strangers may hold any separator, so the parts are quoted. */
export const keyOf = (entity: Identity): string =>
  JSON.stringify([
    entity.kind,
    entity.object_kind,
    entity.cluster_id,
    entity.namespace,
    entity.kind === 'server' ? null : entity.name,
    entity.server_id,
  ]);
/** The pairs of objects in a namespace need it millions of times. */
const keys = new WeakMap<ObjectRef, string>();
export function refKey(ref: ObjectRef): string {
  const known = keys.get(ref);
  if (known !== undefined) return known;
  const key = keyOf(identityOf(ref));
  keys.set(ref, key);
  return key;
}

/** "Deployment shop/orders", "web-1". */
export const nameOf = ({ kind, object_kind: objectKind, namespace, name }: CauseEntity): string => {
  if (objectKind === null) return kind === 'server' || kind === 'peer' ? name : `${kind} ${name}`;
  return `${objectKind} ${namespace === null ? '' : `${namespace}/`}${name}`;
};
