import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import { isTooSmall, nextDue } from './answers.ts';
import type { CapacityFindings } from './findings.ts';
import type { PlanDraft } from './stored-plan.ts';
import type { LossRow, Plan } from './types.ts';
import { counted } from './words.ts';

/** Rows that alerts read; a cluster that cannot lose any of its nodes needs no more. */
const MOST_NODES = 500;
const MOST_WORKLOADS = 500;

/** Returns a plan as it is stored. Its text is made in the thread, because of a large cluster that takes long. */
export const draftOf = (plan: Plan, now: number): PlanDraft => ({
  text: JSON.stringify(plan),
  findings: makeFindings(plan, now),
  nodes: plan.nodes,
  resources: plan.resources,
  pools: plan.pools,
});

/** Returns the small part of a plan that alerts and the dashboard read. */
export function makeFindings(plan: Plan, now: number): CapacityFindings {
  const share = (resource: 'cpu' | 'memory'): number | null => {
    const row = plan.resources.find((one) => one.resource === resource);
    return row === undefined ? null : percentOf(row.requested, row.allocatable);
  };
  const due = nextDue(plan.trends);
  return {
    at: now,
    unknown: plan.unknown,
    nodeLoss: plan.loss
      .slice(0, MOST_NODES)
      .map((row) => ({ node: row.node, pending: row.pending, words: row.pending === null ? null : lossWords(row) })),
    requested: { cpuPercent: share('cpu'), memoryPercent: share('memory') },
    fullForecast: due === null ? null : { resource: due.resource, days: Math.max(0, ((due.at ?? now) - now) / DAY_MS) },
    isForecastKnown: plan.trends.some(({ growthPerDay }) => growthPerDay !== null),
    tooSmall: plan.sizing
      .filter(isTooSmall)
      .slice(0, MOST_WORKLOADS)
      .map(({ namespace, kind, name, container, evidence }) => ({
        namespace,
        kind,
        name,
        container,
        evidence: evidence.join(', '),
      })),
  };
}

/** "Without node-4, 6 pods stay pending: shop/api ×4, shop/db ×2 (memory)". */
function lossWords({ node, pending, who }: Pick<LossRow, 'node' | 'pending' | 'who'>): string {
  const names = who.map(({ namespace, name, pods }) => `${namespace}/${name} ×${String(pods)}`).join(', ');
  const why = [...new Set(who.map((one) => one.why))].slice(0, 2).join(', ');
  const verb = pending === 1 ? 'stays' : 'stay';
  const rest = names === '' ? '' : `: ${names} (${why})`;
  return `Without ${node}, ${counted(pending ?? 0, 'pod')} ${verb} pending${rest}`;
}
