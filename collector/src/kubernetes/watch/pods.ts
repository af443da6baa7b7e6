import type { V1Container, V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import type { ContainerObject, PodObject } from '@plimsoll/contract/wire/cluster-objects';
import type { PlacementObject } from '@plimsoll/contract/wire/cluster-placement';
import { CLUSTER_LIMITS, FIGURE_LIMITS, POD_PHASES, type PodPhase } from '@plimsoll/contract/rules/kubernetes-limits';
import { clip, labelsOf, required, seconds, wholeNumber } from './fields.ts';
import { Figures } from './figures.ts';
import { effectiveLimits, effectiveRequests } from './pod-resources.ts';
import { worstReason } from './pod-reason.ts';
import { PlacementError, placementOf } from './placement.ts';
import type { Resource } from './reflector.ts';
import { resizeOf, runningAmounts } from './resize.ts';

/** Direct owner of an object; the top of the chain is looked up when a report is made. */
export interface Controller {
  kind: string;
  name: string;
  uid: string;
}
export type ProjectedPod = Omit<PodObject, 'owner' | 'placement'> & {
  controller: Controller | null;
  /** Absent: it has no constraints on its nodes. Null: it has some that cannot be sent. */
  placement?: PlacementObject | null;
};

export const pods: Resource<ProjectedPod> = {
  name: 'pods',
  path: '/api/v1/pods',
  needs: 'list,watch pods',
  project: (object) => projectPod(object as V1Pod),
};

function projectPod(pod: V1Pod): ProjectedPod {
  const { metadata, spec, status } = pod;
  const figures = new Figures();
  const resize = resizeOf(pod);
  const containers = containersOf(pod, { figures, isResized: resize !== null });
  return {
    uid: required(metadata?.uid, 'metadata.uid'),
    namespace: required(metadata?.namespace, 'metadata.namespace'),
    name: required(metadata?.name, 'metadata.name'),
    node_name: clip(spec?.nodeName),
    phase: phaseOf(status?.phase),
    reason: worstReason(pod),
    created_at: seconds(metadata?.creationTimestamp) ?? 0,
    deleting: (metadata?.deletionTimestamp ?? null) !== null,
    ready: status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false,
    pod_ip: clip(status?.podIP, 64),
    host_ip: clip(status?.hostIP, 64),
    qos_class: clip(status?.qosClass, 32),
    restart_count: Math.min(restartsOf(pod), FIGURE_LIMITS.int32),
    requests: figures.sums(effectiveRequests(pod), 'requests'),
    limits: figures.sums(effectiveLimits(pod), 'limits'),
    controller: controllerOf(metadata?.ownerReferences),
    labels: labelsOf(metadata?.labels, CLUSTER_LIMITS.labelsPerObject),
    containers,
    claims: claimsOf(pod),
    ...(resize === null ? {} : { resize }),
    ...placementPart(pod, figures),
    ...figures.unknown,
  };
}

/** Kubernetes names the claim of an ephemeral volume after the pod and the volume. */
const claimsOf = ({ metadata, spec }: V1Pod): string[] =>
  (spec?.volumes ?? [])
    .flatMap(({ name, persistentVolumeClaim: claim, ephemeral }) =>
      claim ? [claim.claimName] : ephemeral ? [`${metadata?.name ?? ''}-${name}`.slice(0, 253)] : [],
    )
    .slice(0, 100);

function placementPart(pod: V1Pod, figures: Figures): Pick<ProjectedPod, 'placement'> {
  try {
    const placement = placementOf(pod);
    return placement === null ? {} : { placement };
  } catch (error) {
    figures.note(`placement: ${error instanceof PlacementError ? error.message : 'is of a form that is not known'}`);
    return { placement: null };
  }
}

export function controllerOf(
  references: { kind: string; name: string; uid: string; controller?: boolean }[] | null | undefined,
): Controller | null {
  const reference = references?.find(({ controller }) => controller) ?? references?.[0];
  return reference ? { kind: reference.kind, name: reference.name, uid: reference.uid } : null;
}

interface Reading {
  figures: Figures;
  isResized: boolean;
}
function containersOf({ spec, status }: V1Pod, reading: Reading): ContainerObject[] {
  const known = new Map<string, V1ContainerStatus>();
  for (const one of [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    known.set(one.name, one);
  return keepTroubled([
    ...(spec?.containers ?? []).map((one) => containerOf(one, known.get(one.name), { ...reading, init: false })),
    ...(spec?.initContainers ?? []).map((one) =>
      containerOf(one, known.get(one.name), { ...reading, init: one.restartPolicy !== 'Always' }),
    ),
  ]);
}

/** Cuts a long list of containers to the limit. Those in trouble stay, and the order stays. */
function keepTroubled(containers: ContainerObject[]): ContainerObject[] {
  const most = CLUSTER_LIMITS.containersPerPod;
  if (containers.length <= most) return containers;
  const trouble = ({ status, exit, restart_count: restarts, ready, init }: ContainerObject): number => {
    if (status === 'waiting' || (exit !== null && exit.exit_code !== 0)) return 2;
    return restarts > 0 || (!ready && !init) ? 1 : 0;
  };
  const kept = new Set(containers.toSorted((a, b) => trouble(b) - trouble(a)).slice(0, most));
  return containers.filter((one) => kept.has(one));
}

function containerOf(
  spec: V1Container,
  status: V1ContainerStatus | undefined,
  { figures, isResized, init }: Reading & { init: boolean },
): ContainerObject {
  const { running, terminated, waiting } = status?.state ?? {};
  const last = status?.lastState?.terminated;
  const wanted = {
    name: spec.name,
    requests: figures.amounts(spec.resources?.requests, `${spec.name}.requests`),
    limits: figures.amounts(spec.resources?.limits, `${spec.name}.limits`),
  };
  return {
    ...wanted,
    image: clip(spec.image) ?? '',
    init,
    status: running ? 'running' : terminated ? 'terminated' : 'waiting',
    reason: clip(terminated?.reason ?? waiting?.reason),
    ready: status?.ready ?? false,
    restart_count: wholeNumber(status?.restartCount) ?? 0,
    started_at: seconds(running?.startedAt ?? terminated?.startedAt),
    exit: terminated ? terminationOf(terminated) : null,
    last_termination: last ? terminationOf(last) : null,
    ...(isResized ? runningAmounts(wanted, status?.resources, figures) : {}),
  };
}

const terminationOf = (end: { reason?: string; message?: string; exitCode: number; finishedAt?: unknown }) => ({
  reason: clip(end.reason),
  message: clip(lastLines(end.message)),
  exit_code: Number.isInteger(end.exitCode) ? end.exitCode : null,
  finished_at: seconds(end.finishedAt),
});

/** A report holds 512 bytes of a text. */
const LAST_CHARACTERS = 500;
/** Returns the end of a log from the start of a line on: a cut within a line could separate a secret from its name. */
function lastLines(message: string | undefined): string | undefined {
  const lineEnd = message?.indexOf('\n', message.length - LAST_CHARACTERS) ?? -1;
  return message === undefined || message.length <= LAST_CHARACTERS || lineEnd === -1
    ? message
    : message.slice(lineEnd + 1);
}

/**
 * Returns the restarts that `kubectl get pods` shows (printPod): of the init containers while the pod starts, up to the one
 * that is at work; then of the containers and the sidecars.
 */
function restartsOf({ spec, status }: V1Pod): number {
  const isSidecar = new Set(
    spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const count = (list: readonly V1ContainerStatus[]): number =>
    list.reduce((sum, { restartCount }) => sum + (wholeNumber(restartCount) ?? 0), 0);
  const init = status?.initContainerStatuses ?? [];
  const isDone = ({ name, state, started }: V1ContainerStatus): boolean =>
    state?.terminated?.exitCode === 0 || (isSidecar.has(name) && started === true);
  const atWork = init.findIndex((one) => !isDone(one));
  const isInitialized = status?.conditions?.some(({ type, status: is }) => type === 'Initialized' && is === 'True');
  if (atWork !== -1 && isInitialized !== true) return count(init.slice(0, atWork + 1));
  return count([...init.filter(({ name }) => isSidecar.has(name)), ...(status?.containerStatuses ?? [])]);
}

const phaseOf = (phase: string | undefined): PodPhase => POD_PHASES.find((known) => known === phase) ?? 'Unknown';
