import type { AcceptedBatch, AcceptedResult } from './types.ts';
import type { Reporter } from '../servers/types.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface Reports {
  /** Checks the token and writes ledger, samples, latest state and the kubelet's part in one durable transaction. */
  accept(batch: AcceptedBatch): Promise<AcceptedResult>;
  /** Returns the last skew of a server's wall clock in seconds, null if none was recorded. */
  clockSkew(agent: Reporter): Promise<number | null>;
}
