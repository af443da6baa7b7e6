import type { Authorized, Owner } from '../accounts/owner.ts';
import type { ListFilter, ServerWithLatest } from '../servers/types.ts';
import type { Page } from '../page.ts';
import type { ConnectionRecord, ProcessRecord } from './types.ts';
import type { ProcessPart } from '@plimsoll/contract/wire/report';

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

export interface ProcessSnapshots {
  /**
   * Returns the newest process list between `from` and `to` (ms, inclusive), highest usage first; null if there is
   * none.
   */
  newest(
    server: Authorized<ServerWithLatest>,
    range: { from: number; to: number },
  ): Promise<{ sampleAt: number; processes: ProcessPart[] } | null>;
}
