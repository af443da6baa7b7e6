import type { Authorized, Owner } from '../tenancy/owner.ts';
import type { ListFilter, ServerWithLatest } from '../servers/types.ts';
import type { Page } from '../page.ts';
import type { ProcessList } from './process-block.ts';
import type { ConnectionRecord, NearestList, ProcessRecord, ProcessSnapshot } from './types.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

/**
 * With a range: the newest sight of each process or connection in it, from the top 20 kept every 15 minutes. Without a
 * range: the newest list of the named server, whatever its age, or of every server that is online at `now` (ms).
 */
export interface HostLists {
  /** Lists one row per server and pid, highest usage first. */
  processes(
    owner: Owner,
    filter: ListFilter & { rank: 'cpu' | 'memory' },
    page: Page,
    now: number,
  ): Promise<{ processes: ProcessRecord[]; total: number }>;
  /** Lists connections, most important first. */
  connections(
    owner: Owner,
    filter: ListFilter,
    page: Page,
    now: number,
  ): Promise<{ connections: ConnectionRecord[]; total: number }>;
}

export interface ProcessMinutes {
  /** Packs the lists of closed hours. Returns the blocks written; null while another replica does it. Safe to repeat. */
  pack(now: number): Promise<number | null>;
  /** Lists the greediest processes of each minute in the range (ms, inclusive), oldest first. */
  lists(server: Authorized<ServerWithLatest>, range: { from: number; to: number }): Promise<ProcessList[]>;
}

export interface ProcessQuarters {
  /**
   * Packs the lists of quarters of an hour of closed windows. Returns the blocks written; null while another replica
   * does it. Safe to repeat.
   */
  pack(now: number): Promise<number | null>;
}

export interface ProcessSnapshots {
  /**
   * Returns the newest process list between `from` and `to` (ms, inclusive), highest usage first; null if there is
   * none.
   */
  newest(server: Authorized<ServerWithLatest>, range: { from: number; to: number }): Promise<ProcessSnapshot | null>;
  /** Returns the time of the oldest list after `from` and up to `to` (ms); null if there is none. */
  next(server: Authorized<ServerWithLatest>, range: { from: number; to: number }): Promise<number | null>;
  /** Lists the process lists of every quarter of an hour in the range (ms, inclusive), oldest first. */
  lists(server: Authorized<ServerWithLatest>, range: { from: number; to: number }): Promise<ProcessList[]>;
}

export interface FleetSnapshots {
  /**
   * Yields each server of the owner with its list nearest to `at`, between `from` and `to` (ms, inclusive). A list of the
   * minute of `at` comes before any other. `within`: keys of the servers in scope.
   */
  listNearest(
    owner: Owner,
    moment: { at: number; from: number; to: number; within?: readonly number[] },
  ): AsyncIterable<NearestList>;
}
