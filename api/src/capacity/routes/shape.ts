import type {
  CapacityCluster,
  CapacityFit,
  CapacityLoss,
  CapacityPool,
  CapacitySizing,
  CapacityTrend,
  SizedResource,
  Survival,
} from '@plimsoll/contract/wire/capacity';
import { LOAD_LINES } from '@plimsoll/contract/rules/limits';
import { iso, isoOrNull, rounded } from '../../http/units.ts';
import { isTooLarge, isTooSmall, staleReason, survivalOf } from '../answers.ts';
import type { StoredFindings, StoredPlan } from '../stored-plan.ts';
import type { Price } from '../advice.ts';
import type { UsageDay } from '../usage-by-day.ts';
import type { FitRow, LossRow, Plan, PoolRow, Sized, SizingRow, Trend } from '../types.ts';
import { shapeAdvice, shapeCost } from './shape-money.ts';

/** From the stored plan to the wire. */

const HEAD_MS = 1000;
export const shapeHead = (
  { clusterId, clusterName, computedAt }: Omit<StoredPlan, 'plan' | 'lastSeenAt'>,
  nodes: number,
  now: number,
) => ({
  cluster_id: clusterId,
  cluster_name: clusterName,
  nodes,
  computed_at: isoOrNull(computedAt),
  age_seconds: computedAt === null ? null : Math.max(0, Math.round((now - computedAt) / HEAD_MS)),
});

export const shapeSurvival = (stored: StoredFindings, now: number): Survival => ({
  ...shapeHead(stored, stored.nodes, now),
  ...survivalOf(stored, now),
});

const LINES = {
  cpu: LOAD_LINES.cpu.warning,
  memory: LOAD_LINES.memory.warning,
  disk: LOAD_LINES.disk.warning,
  pods: LOAD_LINES.cpu.warning,
} as const;

export function shapeCluster(
  stored: StoredPlan,
  now: number,
  { price, ...most }: { fits: number; loss: number; price: Price | null },
): CapacityCluster {
  const { plan } = stored;
  const reason = staleReason(stored, now) ?? plan?.unknown ?? null;
  const known = reason === null ? plan : null;
  const sizing = known?.sizing ?? [];
  return {
    ...shapeHead(stored, plan?.nodes ?? 0, now),
    reason,
    notes: known?.notes ?? [],
    pods: plan?.pods ?? 0,
    waiting: plan?.waiting ?? 0,
    // Requests of pods are known without their constraints.
    resources: (staleReason(stored, now) === null ? (plan?.resources ?? []) : []).map((row) => ({
      ...row,
      line_percent: LINES[row.resource],
    })),
    fits: (known?.fits ?? []).slice(0, most.fits).map(shapeFit),
    fits_total: known?.fits.length ?? 0,
    loss: (known?.loss ?? []).slice(0, most.loss).map(shapeLoss),
    loss_total: known?.loss.length ?? 0,
    trends: (known?.trends ?? []).map(shapeTrend),
    sizing: {
      too_large: sizing.filter(isTooLarge).length,
      too_small: sizing.filter(isTooSmall).length,
      frees: freesOf(sizing.filter(isTooLarge)),
      reason: sizingReason(known),
    },
    // A plan that was stored by an older version lacks these.
    advice: shapeAdvice(plan?.advice),
    pools: (known?.pools ?? []).map(shapePool),
    autoscaler: known?.autoscaler ?? null,
    cost: shapeCost(known, price),
  };
}

const shapePool = ({ resources, trends, ...row }: PoolRow): CapacityPool => ({
  ...row,
  resources: resources.map((one) => ({ ...one, line_percent: LINES[one.resource] })),
  trends: trends.map(shapeTrend),
});

/** Returns why there is no advice on sizes; null: there is. */
export function sizingReason(plan: Pick<Plan, 'sizing'> | null): string | null {
  if (plan === null) return 'There is no plan.';
  if (plan.sizing.length === 0) return 'No node agent has reported the usage of containers yet.';
  return plan.sizing.every(({ reason }) => reason !== null) ? (plan.sizing[0]?.reason ?? null) : null;
}

function freesOf(rows: readonly SizingRow[]) {
  const sum = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
  };
  return {
    cpu_cores: rounded(sum(rows.map(({ frees }) => frees.cpuCores))),
    memory_bytes: sum(rows.map(({ frees }) => frees.memoryBytes)),
  };
}

const shapeFit = ({ cpuCores, memoryBytes, isCut, firstLimit, ...row }: FitRow): CapacityFit => ({
  ...row,
  cpu_cores: cpuCores,
  memory_bytes: memoryBytes,
  is_cut: isCut,
  first_limit: firstLimit,
});

export const shapeLoss = ({ cpuPercentAfter, memoryPercentAfter, ...row }: LossRow): CapacityLoss => ({
  ...row,
  cpu_percent_after: rounded(cpuPercentAfter, 1),
  memory_percent_after: rounded(memoryPercentAfter, 1),
});

const day = (at: number | null): string | null => (at === null ? null : iso(at).slice(0, 10));
const shapeTrend = ({ at, earliest, latest, growthPerDay, ...row }: Trend): CapacityTrend => ({
  ...row,
  date: day(at),
  earliest: day(earliest),
  latest: day(latest),
  growth_per_day: growthPerDay,
});

const shapeSized = ({ limitAdvice, ...sized }: Sized): SizedResource => ({
  ...sized,
  limit_advice: limitAdvice ?? null,
  histogram: sized.histogram.map(([upTo, percent]) => ({ up_to: upTo, percent })),
});
export const shapeSizing = (
  { cpu, memory, cpuVerdict, memoryVerdict, oomKills, frees, autoscalers, ...row }: SizingRow,
  days: readonly UsageDay[] = [],
): CapacitySizing => ({
  ...row,
  cpu_cores: shapeSized(cpu),
  memory_bytes: shapeSized(memory),
  cpu_verdict: cpuVerdict,
  memory_verdict: memoryVerdict,
  oom_kills: oomKills,
  frees: { cpu_cores: rounded(frees.cpuCores), memory_bytes: frees.memoryBytes },
  autoscalers: (autoscalers ?? []).map(({ utilizationPercent, ...one }) => ({
    ...one,
    utilization_percent: utilizationPercent,
  })),
  by_day: days.map(({ day: of, cpu: cores, memory: bytes }) => ({ day: of, cpu_cores: cores, memory_bytes: bytes })),
});
