import type { V1Node, V1NodeCondition } from '@kubernetes/client-node';
import type { NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import { CLUSTER_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { isBadCondition } from '@plimsoll/contract/rules/node-conditions';
import { clip, labelsOf, required, seconds } from './fields.ts';
import { Figures } from './figures.ts';
import type { Resource } from './reflector.ts';

const ROLE_LABEL = 'node-role.kubernetes.io/';
const OLD_ROLE_LABEL = 'kubernetes.io/role';

export const nodes: Resource<NodeObject> = {
  name: 'nodes',
  path: '/api/v1/nodes',
  needs: 'list,watch nodes',
  project: (object) => projectNode(object as V1Node),
};

function projectNode({ metadata, spec, status }: V1Node): NodeObject {
  const labels = labelsOf(metadata?.labels, CLUSTER_LIMITS.labelsPerNode);
  const figures = new Figures();
  const info = status?.nodeInfo;
  const conditions = status?.conditions ?? [];
  return {
    uid: required(metadata?.uid, 'metadata.uid'),
    name: required(metadata?.name, 'metadata.name'),
    created_at: seconds(metadata?.creationTimestamp) ?? 0,
    ready: readyOf(conditions),
    conditions: conditionsOf(conditions),
    unschedulable: spec?.unschedulable === true,
    roles: rolesOf(metadata?.labels ?? {}),
    taints: (spec?.taints ?? [])
      .slice(0, 50)
      .map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`),
    labels,
    capacity: sizeOf(status?.capacity, 'capacity', figures),
    allocatable: {
      ...sizeOf(status?.allocatable, 'allocatable', figures),
      ...extendedOf(status?.allocatable, figures),
    },
    internal_ip: clip(status?.addresses?.find(({ type }) => type === 'InternalIP')?.address, 64),
    os_type: clip(info?.operatingSystem),
    architecture: clip(info?.architecture),
    os_image: clip(info?.osImage),
    kernel: clip(info?.kernelVersion),
    kubelet_version: clip(info?.kubeletVersion),
    container_runtime: clip(info?.containerRuntimeVersion),
    boot_id: clip(info?.bootID, 64),
    ...figures.unknown,
  };
}

const MOST_CONDITIONS = 50;
/** Cuts a long list to the limit. Ready and those that report a problem stay, and the order stays. */
function conditionsOf(conditions: V1NodeCondition[]): NodeObject['conditions'] {
  const all = conditions.map((condition) => ({
    // Anything may write a condition, and the API server does not check its type.
    type: (clip(condition.type, 253) ?? 'Unknown').replaceAll(/[^ -~]/g, '?'),
    status: clip(condition.status, 16) ?? 'Unknown',
    reason: clip(condition.reason),
    message: clip(condition.message),
    since: seconds(condition.lastTransitionTime),
  }));
  if (all.length <= MOST_CONDITIONS) return all;
  const matters = (one: NodeObject['conditions'][number]): number =>
    Number(one.type === 'Ready' || isBadCondition(one));
  const kept = new Set(all.toSorted((a, b) => matters(b) - matters(a)).slice(0, MOST_CONDITIONS));
  return all.filter((one) => kept.has(one));
}

/** Unknown: the control plane lost sight of the node. */
function readyOf(conditions: V1NodeCondition[]): boolean | null {
  const status = conditions.find(({ type }) => type === 'Ready')?.status;
  return status === 'True' ? true : status === 'False' ? false : null;
}

/** Both forms that kubectl reads (findNodeRoles): AKS and virtual-kubelet set the older one. */
function rolesOf(labels: Record<string, string>): string[] {
  const names = Object.keys(labels).flatMap((label) =>
    label.startsWith(ROLE_LABEL) ? [label.slice(ROLE_LABEL.length)] : [],
  );
  const roles = [...names, labels[OLD_ROLE_LABEL] ?? ''].filter((role) => role !== '');
  return [...new Set(roles)].slice(0, 20);
}

const sizeOf = (list: Record<string, string> | undefined, field: string, figures: Figures) => ({
  ...figures.amounts(list, field),
  ephemeral_bytes: figures.bytes(list?.['ephemeral-storage'], `${field}.ephemeral_bytes`),
  pods: figures.count(list?.pods, `${field}.pods`),
});

const PLAIN_RESOURCES = ['cpu', 'memory', 'ephemeral-storage', 'pods'];
/** Devices and other resources that a plugin of the node offers. */
function extendedOf(
  list: Record<string, string> | undefined,
  figures: Figures,
): Pick<NodeObject['allocatable'], 'extended'> {
  const names = Object.keys(list ?? {}).filter((name) => !PLAIN_RESOURCES.includes(name) && name.length <= 317);
  const known = names.flatMap((name): [string, number][] => {
    const amount = figures.bytes(list?.[name], `allocatable.extended.${name}`);
    return amount === null || amount === 0 ? [] : [[name, amount]];
  });
  if (known.length > CLUSTER_LIMITS.extendedResources)
    figures.note('allocatable.extended: some resources are left out');
  return known.length > 0 ? { extended: Object.fromEntries(known.slice(0, CLUSTER_LIMITS.extendedResources)) } : {};
}
