import type { SourceHealth } from '@plimsoll/contract/wire/report';

export const POD_LOGS_OFF =
  'The collector of this cluster does not read logs. Set clusterCollector.podLogs=true in the chart.';
const NO_REPORT = 'This server has not reported its sources yet.';
const JOURNAL_OFF = 'The journal of this server is not read. Run its installer again with --with-journal.';

/** Returns why a host has no lines; null: its journal is read. A collector has the source only where root opened it. */
export function hostReason(sources: Readonly<Record<string, SourceHealth>> | undefined): string | null {
  if (sources === undefined) return NO_REPORT;
  const journal = sources['journal'];
  if (journal === undefined) return JOURNAL_OFF;
  return journal.ok ? null : `The collector cannot read the journal: ${journal.error ?? 'unknown reason'}`;
}
