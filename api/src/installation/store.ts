import type { Owner } from '../tenancy/owner.ts';
import type { AgentCount, ChannelHealth, DatabaseFigures, IngestFigures, Replica, RollupProgress } from './types.ts';

/** Figures of the whole installation over all accounts. Only routes of the operator may return them. */
export interface Installation {
  /** Counts the reports that arrived in the last `windowMs`, and who reports now. */
  ingest(now: number, windowMs: number): Promise<IngestFigures>;
  rollups(): Promise<RollupProgress[]>;
  database(now: number): Promise<DatabaseFigures>;
  /** Stores the size of the database, once an hour. Safe to repeat. */
  recordSize(now: number): Promise<void>;
  /** Returns the processes seen since `time`, the latest first. */
  replicas(time: number): Promise<Replica[]>;
  /** Returns channels of all accounts; names only those of `owner`. */
  channels(owner: Owner): Promise<{ channels: ChannelHealth[]; total: number }>;
  /** Counts agents by kind and version. An uninstalled one does not count. */
  agents(): Promise<AgentCount[]>;
}
