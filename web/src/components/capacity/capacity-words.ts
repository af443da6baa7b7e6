import type {
  CapacityCluster,
  CapacityLoss,
  CapacitySizing,
  CapacityTrend,
  Survival,
} from '@plimsoll/contract/wire/capacity';
import type { AdviceSettings } from '@plimsoll/contract/wire/capacity-settings';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { bytesQuantity, numberText, plural } from '../../format/figures.ts';

/** Texts of amounts and of the sentences on top of the Capacity page. */

/** Below it two places would round a request of some millicores to another one, or to nought. */
const FEW_CORES = 0.1;
const MILLICORE = 0.001;

const corePlaces = (cores: number): number => {
  if (cores >= 100) return 0;
  return cores >= 10 || Number.isInteger(cores) ? 1 : 2;
};

/** "0.25", "12.5", "94", "0.005": no more places than a request has; "<0.001" below the smallest one. */
export function coresFigure(cores: number | null): string | null {
  if (cores === null) return null;
  if (cores > 0 && cores < MILLICORE) return '<0.001';
  if (cores > 0 && cores < FEW_CORES) return numberText(cores, 3)?.replace(/0+$/, '') ?? null;
  return numberText(cores, corePlaces(cores))?.replace(/\.0$/, '') ?? null;
}
export const coresWords = (cores: number | null): string | null =>
  cores === null ? null : `${coresFigure(cores) ?? ''} ${cores === 1 ? 'core' : 'cores'}`;

export function bytesWords(bytes: number | null): string | null {
  if (bytes === null) return null;
  const { value, unit } = bytesQuantity(bytes);
  return `${value} ${unit}`;
}

export const sizeWords = (size: { cpu_cores: number; memory_bytes: number }): string =>
  [
    size.cpu_cores > 0 ? coresWords(size.cpu_cores) : 'no CPU',
    size.memory_bytes > 0 ? bytesWords(size.memory_bytes) : 'no memory',
  ].join(' · ');

export type Tone = 'ok' | 'near' | 'over';
/** A cluster with room for few more pods is near its end. */
const FEW_PODS = 10;
export const fitTone = (more: number | null): Tone =>
  more === null || more > FEW_PODS ? 'ok' : more === 0 ? 'over' : 'near';

/** "api 3, indexer 2", and how many more there are. */
export function whoWords({ who, pending }: CapacityLoss): string {
  if (who.length === 0) return pending === 0 ? 'nobody' : '';
  const named = who.reduce((sum, { pods }) => sum + pods, 0);
  const rest = (pending ?? named) - named;
  return [
    ...who.map(({ name, pods }) => `${name} ${numberText(pods) ?? ''}`),
    ...(rest > 0 ? [`${numberText(rest) ?? ''} more`] : []),
  ].join(', ');
}

/** Names a cluster for a sentence. */
export const clusterWords = ({
  cluster_name: name,
  cluster_id: id,
}: Pick<Survival, 'cluster_name' | 'cluster_id'>): string => name ?? id.slice(0, 8);

export const podsWait = (count: number): string => `${plural(count, 'pod')} ${count === 1 ? 'stays' : 'stay'} pending`;

/** The resource whose requests are nearest to what the nodes can give. */
export function nearestResource({ resources }: Pick<CapacityCluster, 'resources'>): string | null {
  const NAMES = { cpu: 'CPU', memory: 'Memory', disk: 'Disk', pods: 'Pod' } as const;
  const shares = resources.flatMap(({ resource, requested, allocatable }) =>
    requested === null || allocatable === null || allocatable === 0
      ? []
      : [{ resource, share: requested / allocatable }],
  );
  const [nearest] = shares.toSorted((a, b) => b.share - a.share);
  return nearest === undefined ? null : `${NAMES[nearest.resource]} requests are the nearest to their line.`;
}

export const trendName = ({ resource }: Pick<CapacityTrend, 'resource'>): string =>
  resource === 'cpu' ? 'CPU' : 'memory';

/** "HPA web scales at 70 % of the CPU request: its target moves from 0.7 to 0.28 cores." */
export function autoscalerWords({
  name,
  resource,
  utilization_percent: percent,
  now,
  after,
}: CapacitySizing['autoscalers'][number]): string {
  const shown = `HPA ${escapeInvisible(name)}`;
  if (resource === null) return `${shown} has metrics that could not be read. Check whether it scales by utilization.`;
  const words = resource === 'cpu' ? coresWords : bytesWords;
  return `${shown} scales at ${numberText(percent) ?? ''} % of the ${resource === 'cpu' ? 'CPU' : 'memory'} request: its target moves from ${words(now) ?? ''} to ${words(after) ?? ''}.`;
}

/** The settings that the advice used. */
export const adviceWords = (advice: AdviceSettings): string =>
  `Advice for memory: the highest value of ${plural(advice.days, 'day')} + ${String(advice.memory_surplus_percent)} %, never below an OOM kill. For CPU: the p${String(advice.cpu_percentile)} of the busiest day, ${advice.cpu_limit === 'none' ? 'without a limit' : 'with the limit as today'}.`;

/** "1,240 EUR", "0.42 EUR": no cents where they say nothing. */
export const moneyWords = (amount: number | null, currency: string): string | null =>
  amount === null ? null : `${numberText(amount, Math.abs(amount) < 100 ? 2 : 0) ?? ''} ${currency}`;
