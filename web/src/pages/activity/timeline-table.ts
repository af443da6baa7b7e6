import type { TimelineEntry } from '@plimsoll/contract/wire/timeline';
import type { ExportTable } from '../../components/export/export-file.ts';

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Returns one row per entry. */
export const timelineTable = (entries: readonly TimelineEntry[]): ExportTable => ({
  columns: ['time', 'first', 'count', 'kind', 'type', 'severity', 'hosts', 'namespace', 'object', 'message'],
  rows: entries.map((entry) => [
    iso(entry.timestamp),
    iso(entry.first_at),
    entry.count,
    entry.kind,
    entry.type,
    entry.severity,
    entry.servers.map(({ hostname }) => hostname).join(' '),
    entry.object?.namespace ?? '',
    entry.object === null ? '' : `${entry.object.kind}/${entry.object.name}`,
    entry.message,
  ]),
});
