import type { ListFilter } from '../servers/types.ts';
import type { EventSeverity, EventType } from '@plimsoll/contract/rules/limits';
import type { EventPart } from '@plimsoll/contract/wire/report';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface ActivityFilter extends ListFilter {
  eventType?: EventType;
  serviceName?: string;
  severity?: EventSeverity;
  /** Leaves starts and stops of processes out; they are counted. */
  withoutProcessRuns?: boolean;
  /** Puts crashes, updates and config changes since then first; left out: all by time. */
  leadingSince?: number;
}

export interface ActivityRecord extends Pick<
  EventPart,
  'event_type' | 'service_name' | 'process_name' | 'message' | 'severity'
> {
  id: string;
  serverId: string;
  hostname: string;
  at: number;
}
