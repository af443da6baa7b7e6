import type { EventSeverity, EventType } from '@plimsoll/contract/limits';
import type { ConnectionPart, EventPart, ProcessPart } from '@plimsoll/contract/report';
import type { Authorized, Owner } from '../domain/owner.ts';
import type { ServerWithLatest } from './ports.ts';

export interface Page {
  limit: number;
  offset: number;
}
/** `from` and `to` are sample times, `to` not included. Without them: the newest list of each server, whatever its age. */
export interface ListFilter {
  serverId?: string;
  from?: number;
  to?: number;
}
/** What a host said, with where and when. */
export interface Seen {
  serverId: string;
  hostname: string;
  sampleAt: number;
}
export type ProcessRecord = Seen & ProcessPart;
export type ConnectionRecord = Seen & ConnectionPart;

/** With a range: the newest sight of each process or connection in it, from the top 20 kept every 15 minutes. */
export interface HostLists {
  /** One row a server and pid, the greediest first. */
  processes(
    owner: Owner,
    filter: ListFilter & { rank: 'cpu' | 'memory' },
    page: Page,
  ): Promise<{ processes: ProcessRecord[]; total: number }>;
  /** The most important first. */
  connections(
    owner: Owner,
    filter: ListFilter,
    page: Page,
  ): Promise<{ connections: ConnectionRecord[]; total: number }>;
}

export interface ProcessSnapshots {
  /** The newest list of processes sampled from `from` to `to` (ms), both included, the greediest first; null: none. */
  newest(
    server: Authorized<ServerWithLatest>,
    range: { from: number; to: number },
  ): Promise<{ sampleAt: number; processes: ProcessPart[] } | null>;
}

interface ActivityFilter extends ListFilter {
  eventType?: EventType;
  serviceName?: string;
  severity?: EventSeverity;
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
export interface Activity {
  /** Newest first. */
  list(owner: Owner, filter: ActivityFilter, page: Page): Promise<{ events: ActivityRecord[]; total: number }>;
}
