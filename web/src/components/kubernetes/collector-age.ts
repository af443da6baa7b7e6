import type { ClusterOverviewAnswer } from '@plimsoll/contract/wire/kubernetes';
import { USAGE_FRESH_INTERVALS } from '@plimsoll/contract/rules/kubernetes-limits';
import { REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';

type Reported = Pick<ClusterOverviewAnswer, 'age_seconds'>;

/** Returns true if a cluster collector missed as many reports as make a figure old. */
export const isCollectorSilent = ({ age_seconds: age }: Reported): boolean =>
  age !== null && age >= USAGE_FRESH_INTERVALS * REPORT_INTERVAL_SECONDS;

/** Epoch milliseconds of the last report, by an overview received at `receivedMs`; null without a report. */
export const collectorReportedAt = ({ age_seconds: age }: Reported, receivedMs: number): number | null =>
  age === null ? null : receivedMs - age * 1000;
