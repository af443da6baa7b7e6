import type { SourceHealth } from '@plimsoll/contract/wire/report';

export const POD_LOGS_OFF =
  'The collector of this cluster does not read logs. Set clusterCollector.podLogs=true in the chart.';
const NO_REPORT = 'This server has not reported its sources yet.';
const JOURNAL_OFF = 'The journal of this server is not read. Run its installer again with --with-journal.';

interface Heard {
  /** Health of the sources in the newest report; undefined: there is none. */
  sources: Readonly<Record<string, SourceHealth>> | undefined;
  /** Epoch ms. */
  lastSeenAt: number | null;
}

/**
 * Returns why a host has no lines since `from` (ms); null: its journal is read. A collector has the source only where root
 * opened it. Of a silent host nothing is known.
 */
export function hostReason({ sources, lastSeenAt }: Heard, from: number): string | null {
  if (sources === undefined || lastSeenAt === null) return NO_REPORT;
  if (lastSeenAt < from) return `This server has sent no report since ${new Date(lastSeenAt).toISOString()}.`;
  const journal = sources['journal'];
  if (journal === undefined) return JOURNAL_OFF;
  return journal.ok ? null : `The collector cannot read the journal: ${journal.error ?? 'unknown reason'}`;
}
