import type { AutoscalerTarget, StoredAutoscaler } from './types.ts';

/** Which horizontal pod autoscalers a changed request moves. They compare the use of a pod with its request. */

interface Metric {
  type?: unknown;
  resource?: { name?: unknown; target?: { averageUtilization?: unknown } };
  containerResource?: { name?: unknown; container?: unknown; target?: { averageUtilization?: unknown } };
}
export interface Autoscaler {
  namespace: string;
  name: string;
  kind: string;
  workload: string;
  /** Null: its metrics could not be read. `container` null: all containers of a pod. */
  targets: { resource: 'cpu' | 'memory'; container: string | null; utilizationPercent: number }[] | null;
}

/** Parses the described state of an autoscaler; null where it names no target. */
export function readAutoscaler({ namespace, name, target, metrics }: StoredAutoscaler): Autoscaler | null {
  const [, kind, workload] = /^([^/]+)\/(.+)$/.exec(target ?? '') ?? [];
  if (kind === undefined || workload === undefined) return null;
  return { namespace, name, kind, workload, targets: metrics === null ? [] : readMetrics(metrics) };
}

/** A long text was cut on its way, so that it is no JSON any more. */
function readMetrics(text: string): Autoscaler['targets'] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(parsed)) return null;
  return parsed.flatMap((metric: Metric | null) => {
    const source = metric?.containerResource ?? metric?.resource;
    const resource = source?.name === 'cpu' || source?.name === 'memory' ? source.name : null;
    const percent = source?.target?.averageUtilization;
    if (resource === null || typeof percent !== 'number' || !(percent > 0)) return [];
    const container = metric?.containerResource?.container;
    return [
      { resource, container: typeof container === 'string' ? container : null, utilizationPercent: percent } as const,
    ];
  });
}

/**
 * Returns how the advised requests of a container move the autoscalers of its workload. `beside`: requests of the other
 * containers of a pod; null: one has none, and then no autoscaler compares the use of the whole pod.
 */
export function movedTargets(
  autoscalers: readonly Autoscaler[],
  container: string,
  sized: Record<'cpu' | 'memory', { request: number | null; advice: number | null }>,
  beside: Record<'cpu' | 'memory', number | null>,
): AutoscalerTarget[] {
  return autoscalers.flatMap(({ name, targets }): AutoscalerTarget[] => {
    if (targets === null) return [{ name, resource: null, utilizationPercent: null, now: null, after: null }];
    return targets.flatMap((one) => {
      const { request, advice } = sized[one.resource];
      if (one.container !== null && one.container !== container) return [];
      if (request === null || advice === null || request === advice) return [];
      const rest = one.container === null ? beside[one.resource] : 0;
      if (rest === null) return [];
      const of = (amount: number): number => ((amount + rest) * one.utilizationPercent) / 100;
      const { resource, utilizationPercent } = one;
      return [{ name, resource, utilizationPercent, now: of(request), after: of(advice) }];
    });
  });
}
