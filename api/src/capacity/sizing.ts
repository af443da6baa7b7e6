import { type AdviceRules, DEFAULT_ADVICE } from './advice.ts';
import { type Autoscaler, movedTargets } from './autoscalers.ts';
import { barsOf, countOf, decodeHistogram, type Histogram, LEAST, mergeInto, quantile } from './histogram.ts';
import type { ContainerDay, ContainerSpec, OomCount, Sized, SizingRow, Verdict } from './types.ts';

/** The advice on requests and limits. docs/capacity.md says how well it does. */

/** Minutes of usage before there is advice: a day with a few gaps. */
const LEAST_MINUTES = 1152;

const MB = 2 ** 20;
const BARS = 16;
/** A request is too large only where the advice frees a quarter of it, and so much. */
const WORTH = { share: 0.25, cpuCores: 0.05, memoryBytes: 64 * MB } as const;
/** CPU over the request is fine while the node has some left; this much over it all day is not. */
const CPU_OVER = 1.2;
/** Usage so near to the limit that the next peak ends the container. */
const AT_LIMIT = 0.95;

export interface Observed {
  usage: readonly ContainerDay[];
  specs: readonly ContainerSpec[];
  ooms: readonly OomCount[];
  autoscalers: readonly Autoscaler[];
}
interface Usage {
  days: ContainerDay[];
  spec: ContainerSpec | undefined;
  oom: OomCount | undefined;
  autoscalers: readonly Autoscaler[];
  /** The other containers of its pods. */
  beside: readonly ContainerSpec[];
}

/** Returns the size of each container beside its usage, those with the largest effect first. */
export function sizeContainers(
  { usage, specs, ooms, autoscalers }: Observed,
  rules: AdviceRules = DEFAULT_ADVICE,
): SizingRow[] {
  const keyOf = ({ namespace, kind, workload, container }: Omit<ContainerDay, 'cpu' | 'memory' | 'day'>): string =>
    JSON.stringify([namespace, kind, workload, container]);
  const specOf = new Map(specs.map((one) => [keyOf(one), one]));
  const oomOf = new Map(ooms.map((one) => [keyOf(one), one]));
  const workloadOf = ({ namespace, kind, workload }: Pick<ContainerDay, 'namespace' | 'kind' | 'workload'>): string =>
    JSON.stringify([namespace, kind, workload]);
  const scalersOf = Map.groupBy(autoscalers, workloadOf);
  const specsOf = Map.groupBy(specs, workloadOf);
  const groups = Map.groupBy(usage, keyOf);
  return [...groups]
    .flatMap(([key, days]) => {
      const spec = specOf.get(key);
      if (spec === undefined) return [];
      const own = scalersOf.get(workloadOf(spec)) ?? [];
      const beside = (specsOf.get(workloadOf(spec)) ?? []).filter((one) => one !== spec);
      return [sizeOne({ days, spec, oom: oomOf.get(key), autoscalers: own, beside }, rules)];
    })
    .toSorted((a, b) => weightOf(b) - weightOf(a) || a.name.localeCompare(b.name));
}

/** A kill counts more than any saving; of savings one core counts as 4 GB. */
function weightOf({ cpuVerdict, memoryVerdict, oomKills, frees }: SizingRow): number {
  const isSmall = cpuVerdict === 'too_small' || memoryVerdict === 'too_small';
  const effect = Math.abs(frees.memoryBytes ?? 0) + Math.abs(frees.cpuCores ?? 0) * 4 * 2 ** 30;
  return (isSmall ? 1e18 : 0) + oomKills * 1e15 + effect;
}

function sizeOne({ days, spec, oom, autoscalers, beside }: Usage, rules: AdviceRules): SizingRow {
  const cpuDays = days.map((one) => decodeHistogram(Buffer.from(one.cpu, 'base64')));
  const memoryDays = days.map((one) => decodeHistogram(Buffer.from(one.memory, 'base64')));
  const [cpu, memory] = [together(cpuDays), together(memoryDays)];
  const pods = spec?.pods ?? 0;
  const isKnown = isLongEnough(days, countOf(memory), pods);
  const busiest = (share: number): number =>
    Math.max(0, ...cpuDays.map((day) => quantile(day, share, LEAST.cpuCores) ?? 0));
  const cpuAdvice = isKnown && countOf(cpu) > 0 ? roundUp(busiest(rules.cpuPercentile / 100), 0.01) : null;
  const most = quantile(memory, 1, LEAST.memoryBytes);
  const bytesAdvice = isKnown && most !== null ? memoryAdvice(most, oom?.limit ?? null, rules) : null;
  const sized = {
    cpu: {
      ...sizedOf(cpu, LEAST.cpuCores),
      request: spec?.cpuRequest ?? null,
      limit: spec?.cpuLimit ?? null,
      p95: countOf(cpu) === 0 ? null : busiest(0.95),
      advice: cpuAdvice,
      limitAdvice: cpuLimitAdvice(spec?.cpuLimit ?? null, cpuAdvice, rules),
    },
    memory: {
      ...sizedOf(memory, LEAST.memoryBytes),
      request: spec?.memoryRequest ?? null,
      limit: spec?.memoryLimit ?? null,
      p95: quantile(memory, 0.95, LEAST.memoryBytes),
      advice: bytesAdvice,
      limitAdvice: bytesAdvice,
    },
  };
  const oomKills = oom?.kills ?? 0;
  const cpuVerdict = judgeCpu(sized.cpu);
  const memoryVerdict = judgeMemory(sized.memory, oomKills);
  const head = days[0];
  return {
    namespace: head?.namespace ?? '',
    kind: head?.kind ?? '',
    name: head?.workload ?? '',
    container: head?.container ?? '',
    pods,
    days: days.length,
    ...sized,
    cpuVerdict,
    memoryVerdict,
    oomKills,
    evidence: evidenceOf(sized, { cpuVerdict, memoryVerdict, oomKills, pods }, rules),
    autoscalers: movedTargets(autoscalers, head?.container ?? '', sized, {
      cpu: togetherOf(beside, 'cpuRequest'),
      memory: togetherOf(beside, 'memoryRequest'),
    }),
    frees: {
      cpuCores: cpuVerdict === 'too_large' ? savedBy(sized.cpu, pods) : null,
      memoryBytes: memoryVerdict === 'too_large' ? savedBy(sized.memory, pods) : null,
    },
    reason: isKnown ? null : 'Its usage is known for less than 24 hours.',
  };
}

/** Null: one of the containers has no request. */
const togetherOf = (specs: readonly ContainerSpec[], request: 'cpuRequest' | 'memoryRequest'): number | null =>
  specs.reduce<number | null>((sum, one) => {
    const amount = one[request];
    return sum === null || amount === null ? null : sum + amount;
  }, 0);

/**
 * Returns true for usage of 24 hours. Readings of all pods are in one histogram, so they are shared among the pods of now.
 * More pods may run now than did then, but of three days the one in the middle is whole.
 */
function isLongEnough(days: readonly ContainerDay[], readings: number, pods: number): boolean {
  const isWholeDay = new Set(days.map(({ day }) => day)).size >= 3;
  return readings / (isWholeDay ? 1 : Math.max(1, pods)) >= LEAST_MINUTES;
}

function together(days: readonly Histogram[]): Histogram {
  const sum: Histogram = new Map();
  for (const day of days) mergeInto(sum, day);
  return sum;
}

const sizedOf = (histogram: Histogram, least: number): Pick<Sized, 'max' | 'histogram'> => ({
  max: quantile(histogram, 1, least),
  histogram: barsOf(histogram, least, BARS),
});

/** Steps of binary fractions are not exact, so a hair over a step is the step. */
const roundUp = (value: number, step: number): number =>
  Math.max(step, Math.round(Math.ceil(value / step - 1e-9) * step * 1e6) / 1e6);

/** Small containers are rounded to 8 MB, others to 64. An OOM kill says that its limit was too little. */
function memoryAdvice(max: number, oomLimit: number | null, { memorySurplusPercent }: AdviceRules): number {
  const wanted = Math.max(max, oomLimit ?? 0) * (1 + memorySurplusPercent / 100);
  return roundUp(wanted, wanted > 256 * MB ? 64 * MB : 8 * MB);
}

/** A limit below the request would be refused. */
const cpuLimitAdvice = (limit: number | null, request: number | null, { cpuLimit }: AdviceRules): number | null =>
  cpuLimit === 'none' || limit === null || request === null ? null : Math.max(limit, request);

const savedBy = ({ request, advice }: Sized, pods: number): number | null =>
  request === null || advice === null ? null : (request - advice) * pods;

function isWasteful({ request, advice }: Sized, worth: number): boolean {
  if (request === null || advice === null) return false;
  return request - advice > worth && request - advice > request * WORTH.share;
}

/** No collector reports throttling. A container that uses all of its limit for an hour a day is throttled. */
const isCpuAtLimit = ({ p95, limit }: Sized): boolean => limit !== null && p95 !== null && p95 >= limit * AT_LIMIT;

function judgeCpu(cpu: Sized): Verdict {
  if (cpu.advice === null || cpu.request === null) return 'unknown';
  if (cpu.p95 !== null && cpu.p95 > cpu.request * CPU_OVER) return 'too_small';
  if (isCpuAtLimit(cpu)) return 'too_small';
  return isWasteful(cpu, WORTH.cpuCores) ? 'too_large' : 'fits';
}

function judgeMemory(memory: Sized, oomKills: number): Verdict {
  if (oomKills > 0) return 'too_small';
  if (memory.advice === null || memory.request === null) return 'unknown';
  if (memory.p95 !== null && memory.p95 > memory.request) return 'too_small';
  if (memory.limit !== null && memory.max !== null && memory.max >= memory.limit * AT_LIMIT) return 'too_small';
  return isWasteful(memory, WORTH.memoryBytes) ? 'too_large' : 'fits';
}

function evidenceOf(
  { cpu, memory }: { cpu: Sized; memory: Sized },
  { cpuVerdict, memoryVerdict, oomKills, pods }: Pick<SizingRow, 'cpuVerdict' | 'memoryVerdict' | 'oomKills' | 'pods'>,
  { days }: AdviceRules,
): string[] {
  const evidence: string[] = [];
  if (oomKills > 0)
    evidence.push(`${String(oomKills)} OOM ${oomKills === 1 ? 'kill' : 'kills'} in ${String(days)} days`);
  else if (memoryVerdict === 'too_small')
    evidence.push(
      memory.p95 !== null && memory.request !== null && memory.p95 > memory.request
        ? 'memory over its request'
        : 'memory at its limit',
    );
  if (cpuVerdict === 'too_small')
    evidence.push(
      isCpuAtLimit(cpu)
        ? 'CPU at its limit on the busiest day, so it may need more than the advice'
        : 'CPU over its request on the busiest day',
    );
  const times = pods === 1 ? '' : ` × ${String(pods)} pods`;
  const freed = (sized: Sized): number => (sized.request ?? 0) - (sized.advice ?? 0);
  if (memoryVerdict === 'too_large') evidence.push(`frees ${String(Math.round(freed(memory) / MB))} MB${times}`);
  if (cpuVerdict === 'too_large') evidence.push(`frees ${String(Math.round(freed(cpu) * 1000))} millicores${times}`);
  if (cpu.request === null || memory.request === null)
    evidence.push(
      `no ${[cpu.request === null ? 'CPU' : null, memory.request === null ? 'memory' : null].filter(Boolean).join(' and ')} request is set`,
    );
  return evidence;
}
