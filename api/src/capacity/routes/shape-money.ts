import type { CapacityCost } from '@plimsoll/contract/wire/capacity';
import type { AdviceSettings, ClusterPrice } from '@plimsoll/contract/wire/capacity-settings';
import { rounded } from '../../http/units.ts';
import { type AdviceRules, DEFAULT_ADVICE, type Price } from '../advice.ts';
import { isTooLarge } from '../answers.ts';
import { idleOf, monthlyPrice } from '../shares.ts';
import type { Plan } from '../types.ts';

/** `advice` undefined: the plan was stored before there were settings. */
export const shapeAdvice = (advice: AdviceRules | undefined): AdviceSettings => {
  const { cpuPercentile, memorySurplusPercent, days, cpuLimit } = advice ?? DEFAULT_ADVICE;
  return {
    cpu_percentile: cpuPercentile,
    memory_surplus_percent: memorySurplusPercent,
    days,
    cpu_limit: cpuLimit,
  };
};

export const shapePrice = ({ currency, coreHour, gbHour }: Price): ClusterPrice => ({
  currency,
  core_hour: coreHour,
  gb_hour: gbHour,
});

const MOST_ROWS = 50;

/** Returns what a cluster costs in a month of 730 hours. Null: nobody entered a price, or the plan has no shares yet. */
export function shapeCost(plan: Partial<Plan> | null, price: Price | null): CapacityCost | null {
  const { shares, resources, sizing = [] } = plan ?? {};
  if (price === null || shares === undefined || resources === undefined) return null;
  const of = (resource: string): number | null =>
    resources.find((one) => one.resource === resource)?.allocatable ?? null;
  const whole = { cpuCores: of('cpu'), memoryBytes: of('memory') };
  const idle = idleOf(whole, shares);
  const month = (amount: { cpuCores: number | null; memoryBytes: number | null }): number =>
    rounded(monthlyPrice(amount, price), 2) ?? 0;
  return {
    ...shapePrice(price),
    month: idle === null ? null : month(whole),
    idle_month: idle === null ? null : month(idle),
    held_month: month(shares),
    saving_month: rounded(
      sizing.filter(isTooLarge).reduce((sum, { frees }) => sum + monthlyPrice(frees, price), 0),
      2,
    ),
    unknown_pods: shares.unknownPods,
    workloads: shares.rows.slice(0, MOST_ROWS).map(({ cpuCores, memoryBytes, ...row }) => ({
      ...row,
      cpu_cores: cpuCores,
      memory_bytes: memoryBytes,
      month: month({ cpuCores, memoryBytes }),
    })),
    workloads_total: shares.workloads,
  };
}
