import type { V1Container, V1PodSpec } from '@kubernetes/client-node';
import { type Amounts, amountsOf } from './fields.ts';

/**
 * What the scheduler reckons with: the larger of the long-running containers together and the largest init container,
 * plus the overhead of the runtime class. Sidecars (init containers that restart always) run along.
 */
export function effectiveRequests(spec: V1PodSpec | undefined): Amounts {
  const { along, before } = split(spec);
  const overhead = amountsOf(spec?.overhead);
  const sum = along.map((one) => amountsOf(one.resources?.requests));
  const init = before.map((one) => amountsOf(one.resources?.requests));
  const pick = (key: keyof Amounts): number | null => {
    const together = sumOf(sum.map((one) => one[key]));
    const largest = init.reduce<number | null>(
      (most, one) => (one[key] === null ? most : Math.max(most ?? 0, one[key])),
      null,
    );
    if (together === null && largest === null) return null;
    return Math.max(together ?? 0, largest ?? 0) + (overhead[key] ?? 0);
  };
  return { cpu_cores: pick('cpu_cores'), memory_bytes: pick('memory_bytes') };
}

/** Null as soon as one long-running container has none: then the pod is bounded by its node only. */
export function effectiveLimits(spec: V1PodSpec | undefined): Amounts {
  const limits = split(spec).along.map((one) => amountsOf(one.resources?.limits));
  const pick = (key: keyof Amounts): number | null =>
    limits.some((one) => one[key] === null) ? null : sumOf(limits.map((one) => one[key]));
  return { cpu_cores: pick('cpu_cores'), memory_bytes: pick('memory_bytes') };
}

function split(spec: V1PodSpec | undefined): { along: V1Container[]; before: V1Container[] } {
  const init = spec?.initContainers ?? [];
  return {
    along: [...(spec?.containers ?? []), ...init.filter((one) => one.restartPolicy === 'Always')],
    before: init.filter((one) => one.restartPolicy !== 'Always'),
  };
}

const sumOf = (values: (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);
