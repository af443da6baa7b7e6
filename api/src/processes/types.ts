import type { Seen } from '../servers/types.ts';
import type { ConnectionPart } from '@plimsoll/contract/wire/connection-part';
import type { ProcessPart } from '@plimsoll/contract/wire/report';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export type ProcessRecord = Seen & ProcessPart & { serverCpuCores: number | null };

/** A list of one moment, highest usage first. */
export interface ProcessSnapshot {
  sampleAt: number;
  /** A minute has ten by CPU and ten by memory; the others have the top 20, and the newest has the whole list. */
  list: 'minute' | 'quarter_hour' | 'alert' | 'newest';
  processes: ProcessPart[];
}

/** A server and its list nearest to a moment. */
export interface NearestList {
  server: { key: number; id: string; hostname: string; cpuCores: number | null };
  /** It was installed at the moment: a missing list is a gap. */
  existed: boolean;
  /** Null: none is near enough. */
  snapshot: ProcessSnapshot | null;
}

export type ConnectionRecord = Seen & ConnectionPart;
