import type { ClusterOverviewAnswer } from '@plimsoll/contract/wire/kubernetes';
import { COLLECTOR_SILENT_SECONDS } from '@plimsoll/contract/rules/kubernetes-limits';

type Collector = Pick<ClusterOverviewAnswer['collectors'][number], 'age_seconds' | 'cluster_id' | 'cluster_name'>;
/** `age_seconds` is that of the collector that reported longest ago. */
export interface Reported extends Pick<ClusterOverviewAnswer, 'age_seconds'> {
  collectors?: readonly Collector[];
}

const isSilent = ({ age_seconds: age }: Pick<Reported, 'age_seconds'>): boolean =>
  age !== null && age >= COLLECTOR_SILENT_SECONDS;

/** Returns the names of the clusters whose collectors missed two reports. */
export const silentClusters = ({ collectors = [] }: Reported): string[] =>
  collectors.filter(isSilent).map(({ cluster_id: id, cluster_name: name }) => name ?? id.slice(0, 8));

/** Returns true if no collector in view reports. With several clusters a silent one leaves the figures of the others. */
export function isCollectorSilent(reported: Reported): boolean {
  const { collectors = [] } = reported;
  return collectors.length > 1 ? collectors.every(isSilent) : isSilent(reported);
}

/**
 * Returns the time of the oldest report that counts, in epoch milliseconds, by an overview received at `receivedMs`: that
 * of the clusters that report, while one does. Null without a report.
 */
export function collectorReportedAt(reported: Reported, receivedMs: number): number | null {
  const { age_seconds: oldest, collectors = [] } = reported;
  if (oldest === null) return null;
  const reporting = collectors.filter((one) => !isSilent(one)).map(({ age_seconds: age }) => age);
  return receivedMs - (reporting.length === 0 ? oldest : Math.max(...reporting)) * 1000;
}
