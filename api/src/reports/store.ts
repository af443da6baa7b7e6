import type { AcceptedBatch, AcceptedResult, Refusal } from './types.ts';
import type { Reporter } from '../servers/types.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface Reports {
  /** Checks the token and writes ledger, samples, latest state and the kubelet's part in one durable transaction. */
  accept(batch: AcceptedBatch): Promise<AcceptedResult>;
  /** Returns the last skew of a server's wall clock in seconds, null if none was recorded. */
  clockSkew(agent: Reporter): Promise<number | null>;
}

/** Servers whose reports are refused. */
export interface Refusals {
  /** Keeps the time of the first refusal. Returns the owner if the server's reports were not refused before. */
  record(agent: Reporter, refusal: Refusal, now: number): Promise<{ organisationId: OrganisationId | null } | null>;
  /** Ends the refusal of a server, because a report of it is stored. */
  end(serverKey: number): Promise<void>;
}
