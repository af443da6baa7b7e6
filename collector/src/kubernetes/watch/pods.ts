import type { V1Container, V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import type { ContainerObject, PodObject } from '@plimsoll/contract/wire/cluster-objects';
import { CLUSTER_LIMITS, POD_PHASES, type PodPhase } from '@plimsoll/contract/rules/kubernetes-limits';
import { amountsOf, clip, labelsOf, required, seconds } from './fields.ts';
import { effectiveLimits, effectiveRequests } from './pod-resources.ts';
import { worstReason } from './pod-reason.ts';
import type { Resource } from './reflector.ts';

/** Direct owner of an object; the top of the chain is looked up when a report is made. */
export interface Controller {
  kind: string;
  name: string;
  uid: string;
}
export type ProjectedPod = Omit<PodObject, 'owner'> & { controller: Controller | null };

export const pods: Resource<ProjectedPod> = {
  name: 'pods',
  path: '/api/v1/pods',
  needs: 'list,watch pods',
  project: (object) => projectPod(object as V1Pod),
};

function projectPod(pod: V1Pod): ProjectedPod {
  const { metadata, spec, status } = pod;
  const containers = containersOf(pod);
  return {
    uid: required(metadata?.uid, 'metadata.uid'),
    namespace: required(metadata?.namespace, 'metadata.namespace'),
    name: required(metadata?.name, 'metadata.name'),
    node_name: clip(spec?.nodeName),
    phase: phaseOf(status?.phase),
    reason: worstReason(pod),
    created_at: seconds(metadata?.creationTimestamp) ?? 0,
    deleting: metadata?.deletionTimestamp !== undefined,
    ready: status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false,
    pod_ip: clip(status?.podIP, 64),
    host_ip: clip(status?.hostIP, 64),
    qos_class: clip(status?.qosClass, 32),
    restart_count: containers.filter(countsAsRestarting).reduce((sum, one) => sum + one.restart_count, 0),
    requests: effectiveRequests(spec),
    limits: effectiveLimits(spec),
    controller: controllerOf(metadata?.ownerReferences),
    labels: labelsOf(metadata?.labels, CLUSTER_LIMITS.labelsPerObject),
    containers,
    claims: (spec?.volumes ?? [])
      .flatMap(({ persistentVolumeClaim: claim }) => (claim ? [claim.claimName] : []))
      .slice(0, 100),
  };
}

export function controllerOf(
  references: { kind: string; name: string; uid: string; controller?: boolean }[] = [],
): Controller | null {
  const reference = references.find(({ controller }) => controller) ?? references[0];
  return reference ? { kind: reference.kind, name: reference.name, uid: reference.uid } : null;
}

function containersOf({ spec, status }: V1Pod): ContainerObject[] {
  const known = new Map<string, V1ContainerStatus>();
  for (const one of [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    known.set(one.name, one);
  return [
    ...(spec?.containers ?? []).map((one) => containerOf(one, known.get(one.name), false)),
    ...(spec?.initContainers ?? []).map((one) => containerOf(one, known.get(one.name), one.restartPolicy !== 'Always')),
  ].slice(0, CLUSTER_LIMITS.containersPerPod);
}

function containerOf(spec: V1Container, status: V1ContainerStatus | undefined, init: boolean): ContainerObject {
  const { running, terminated, waiting } = status?.state ?? {};
  const last = status?.lastState?.terminated;
  return {
    name: spec.name,
    image: clip(spec.image) ?? '',
    init,
    status: running ? 'running' : terminated ? 'terminated' : 'waiting',
    reason: clip(terminated?.reason ?? waiting?.reason),
    ready: status?.ready ?? false,
    restart_count: status?.restartCount ?? 0,
    started_at: seconds(running?.startedAt ?? terminated?.startedAt),
    exit: terminated ? terminationOf(terminated) : null,
    last_termination: last ? terminationOf(last) : null,
    requests: amountsOf(spec.resources?.requests),
    limits: amountsOf(spec.resources?.limits),
  };
}

const terminationOf = (end: { reason?: string; message?: string; exitCode: number; finishedAt?: unknown }) => ({
  reason: clip(end.reason),
  message: clip(end.message),
  exit_code: end.exitCode,
  finished_at: seconds(end.finishedAt),
});

/** kubectl counts an init container's restarts until it succeeds: also while a failed run waits for the next one. */
const countsAsRestarting = (one: ContainerObject): boolean => !one.init || one.exit?.exit_code !== 0;

const phaseOf = (phase: string | undefined): PodPhase => POD_PHASES.find((known) => known === phase) ?? 'Unknown';
