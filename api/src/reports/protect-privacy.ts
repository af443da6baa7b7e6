import type { ClusterEnvelope, ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import { CLUSTER_HEAD_RULES, CLUSTER_RULES, redactTree, REPORT_RULES } from '@plimsoll/contract/redaction/report';
import type { DroppedRange, Report } from '@plimsoll/contract/wire/report';
import type { Redactor } from './redactor.ts';

/** Redacts what a collector sends once more, because an old or foreign collector may not have done it. */
export const protectReport = (report: Report, redactor: Redactor): Report => redactTree(report, REPORT_RULES, redactor);
export const protectClusterItem = (item: ClusterItem, redactor: Redactor): ClusterItem =>
  redactTree(item, CLUSTER_RULES, redactor);
export const protectClusterHead = (
  head: Omit<ClusterEnvelope, 'reports'>,
  redactor: Redactor,
): Omit<ClusterEnvelope, 'reports'> => redactTree(head, CLUSTER_HEAD_RULES, redactor);
export const protectDropped = (ranges: DroppedRange[], redactor: Redactor): DroppedRange[] =>
  redactTree(ranges, {}, redactor);
