import type { ClusterOverviewAnswer } from '@plimsoll/contract/wire/kubernetes';
import { COLLECTOR_SILENT_SECONDS } from '@plimsoll/contract/rules/kubernetes-limits';

type Reported = Pick<ClusterOverviewAnswer, 'age_seconds'>;

/** Returns true if a cluster collector missed two reports. */
export const isCollectorSilent = ({ age_seconds: age }: Reported): boolean =>
  age !== null && age >= COLLECTOR_SILENT_SECONDS;

/** Epoch milliseconds of the last report, by an overview received at `receivedMs`; null without a report. */
export const collectorReportedAt = ({ age_seconds: age }: Reported, receivedMs: number): number | null =>
  age === null ? null : receivedMs - age * 1000;
