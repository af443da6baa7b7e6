import type { AcceptedBatch, AcceptedResult } from './types.ts';
import type { Reporter } from '../servers/types.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface Reports {
  /** One durable transaction: the token is still good, ledger, samples, latest state. */
  accept(batch: AcceptedBatch): Promise<AcceptedResult>;
  /** Last known skew of a server's wall clock in seconds, null when none was recorded. */
  clockSkew(agent: Reporter): Promise<number | null>;
}
