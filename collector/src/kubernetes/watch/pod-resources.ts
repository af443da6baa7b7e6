import type { V1Container, V1Pod } from '@kubernetes/client-node';
import { type Amounts, toldAmounts } from './figures.ts';

/**
 * What the scheduler reckons with, as PodRequests of k8s.io/component-helpers/resource computes it: the larger of the
 * long-running containers together and of each init container beside the sidecars that started before it; requests of the
 * whole pod (spec.resources) take its place; then the overhead of the runtime class. NaN: one part of the sum is set and
 * not known.
 */
export function effectiveRequests(pod: V1Pod): Amounts {
  const together = combined(pod.spec, amountsReader(pod, 'requests'));
  return plus(overridden(together, pod.spec?.resources?.requests), toldAmounts(pod.spec?.overhead));
}

/**
 * The same of limits, as PodLimits computes it. Null as soon as one long-running container has none and the pod has none of
 * its own: then the pod is bounded by its node only.
 */
export function effectiveLimits(pod: V1Pod): Amounts {
  const { spec } = pod;
  const limitsOf = amountsReader(pod, 'limits');
  const together = combined(spec, limitsOf);
  const running = longRunning(spec).map(limitsOf);
  const bounded = each((key) => (running.some((one) => one[key] === null) ? null : together[key]));
  const limits = overridden(bounded, spec?.resources?.limits);
  const overhead = toldAmounts(spec?.overhead);
  // A limit of zero means none, and overhead does not change that.
  return each((key) => (limits[key] === null || limits[key] === 0 ? limits[key] : limits[key] + (overhead[key] ?? 0)));
}

const isSidecar = ({ restartPolicy }: V1Container): boolean => restartPolicy === 'Always';
const longRunning = (spec: V1Pod['spec']): V1Container[] => [
  ...(spec?.containers ?? []),
  ...(spec?.initContainers ?? []).filter(isSidecar),
];

const each = (pick: (key: keyof Amounts) => number | null): Amounts => ({
  cpu_cores: pick('cpu_cores'),
  memory_bytes: pick('memory_bytes'),
});
const plus = (a: Amounts, b: Amounts): Amounts =>
  each((key) => (a[key] === null && b[key] === null ? null : (a[key] ?? 0) + (b[key] ?? 0)));
const larger = (a: Amounts, b: Amounts): Amounts =>
  each((key) => (a[key] === null && b[key] === null ? null : Math.max(a[key] ?? 0, b[key] ?? 0)));
const NOTHING: Amounts = { cpu_cores: null, memory_bytes: null };

/** Containers of a pod together, or the init container that needs more beside the sidecars before it. */
function combined(spec: V1Pod['spec'], amountsOf: (container: V1Container) => Amounts): Amounts {
  let sidecars = NOTHING;
  let starting = NOTHING;
  for (const container of spec?.initContainers ?? []) {
    const own = amountsOf(container);
    const beside = plus(sidecars, own);
    if (isSidecar(container)) sidecars = beside;
    starting = larger(starting, beside);
  }
  const running = (spec?.containers ?? []).map(amountsOf).reduce(plus, NOTHING);
  return larger(plus(running, sidecars), starting);
}

type Quantities = Record<string, string> | undefined;
function overridden(amounts: Amounts, ofPod: Quantities): Amounts {
  const own = toldAmounts(ofPod);
  return each((key) => own[key] ?? amounts[key]);
}

/**
 * Returns how to read the requests or limits of a container. While a pod is resized, the largest of what is wanted,
 * allocated and running counts; once the kubelet refused, what is wanted does not. Init containers are never resized.
 */
function amountsReader({ spec, status }: V1Pod, kind: 'requests' | 'limits'): (container: V1Container) => Amounts {
  const resizable = new Set(longRunning(spec));
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const statusOf = new Map(statuses.map((one) => [one.name, one]));
  const pending = status?.conditions?.find(({ type }) => type === 'PodResizePending');
  // Kubernetes 1.27 to 1.32 has no such condition.
  const isRefused = (pending?.reason ?? status?.resize) === 'Infeasible';
  return (container) => {
    const wanted = toldAmounts(container.resources?.[kind]);
    const known = resizable.has(container) ? statusOf.get(container.name) : undefined;
    if (!known?.resources) return wanted;
    const running = toldAmounts(known.resources[kind]);
    const held = kind === 'requests' ? larger(running, toldAmounts(known.allocatedResources)) : running;
    return isRefused ? held : larger(wanted, held);
  };
}
