import type { Owner } from '../tenancy/owner.ts';
import type { EndedRun, LineFilter, LineRecord } from './types.ts';

export interface LogLines {
  /** Lists host lines and last words, newest first. */
  list(owner: Owner, filter: LineFilter, limit: number): Promise<LineRecord[]>;
  /** Null: the owner has no such cluster. */
  hasPodLogs(owner: Owner, clusterId: string): Promise<boolean | null>;
}

export interface LastWords {
  /** Newest runs that ended lately in clusters that allow pod logs, at most so many of an organisation a minute. */
  listWanted(now: number): Promise<EndedRun[]>;
  /** Stores that the last words of a run are requested. False: they were before. */
  addPending(run: EndedRun, now: number): Promise<boolean>;
  /** Answers that arrived for pending ones, as the log's tail. */
  listAnswered(now: number): Promise<{ run: EndedRun; lines: string[] }[]>;
  keep(run: EndedRun, lines: readonly string[], now: number): Promise<void>;
  /** Ends those that nobody answered in time. Returns their number. */
  giveUp(now: number): Promise<number>;
}
