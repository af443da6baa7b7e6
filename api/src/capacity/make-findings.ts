import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { CapacityFindings } from './findings.ts';
import type { LossRow, Plan } from './types.ts';
import { counted } from './words.ts';

/** Rows that alerts read; a cluster that cannot lose any of its nodes needs no more. */
const MOST_NODES = 500;

/** Returns the small part of a plan that alerts and the dashboard read. */
export function makeFindings(plan: Plan, now: number): CapacityFindings {
  const share = (resource: 'cpu' | 'memory'): number | null => {
    const row = plan.resources.find((one) => one.resource === resource);
    return row === undefined ? null : percentOf(row.requested, row.allocatable);
  };
  return {
    at: now,
    unknown: plan.unknown,
    nodeLoss: plan.loss
      .slice(0, MOST_NODES)
      .map((row) => ({ node: row.node, pending: row.pending, words: row.pending === null ? null : lossWords(row) })),
    requested: { cpuPercent: share('cpu'), memoryPercent: share('memory') },
    fullForecast: null,
    isForecastKnown: false,
    tooSmall: [],
  };
}

/** "Without node-4, 6 pods stay pending: shop/api ×4, shop/db ×2 (memory)". */
export function lossWords({ node, pending, who }: Pick<LossRow, 'node' | 'pending' | 'who'>): string {
  const names = who.map(({ namespace, name, pods }) => `${namespace}/${name} ×${String(pods)}`).join(', ');
  const why = [...new Set(who.map((one) => one.why))].slice(0, 2).join(', ');
  const verb = pending === 1 ? 'stays' : 'stay';
  const rest = names === '' ? '' : `: ${names} (${why})`;
  return `Without ${node}, ${counted(pending ?? 0, 'pod')} ${verb} pending${rest}`;
}
