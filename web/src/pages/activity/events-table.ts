import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import type { ExportTable } from '../../components/export/export-file.ts';

/** Returns one row per event. */
export const eventsTable = (events: readonly ActivityEvent[]): ExportTable => ({
  columns: ['time', 'host', 'type', 'severity', 'service', 'process', 'message'],
  rows: events.map((event) => [
    new Date(event.timestamp * 1000).toISOString(),
    event.hostname,
    event.event_type,
    event.severity,
    event.service_name,
    event.process_name,
    event.message,
  ]),
});
