import type { CheckResultPart } from '@plimsoll/contract/wire/check-probes';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import type { HostSectionPart } from '@plimsoll/contract/wire/described-object';
import type { Transaction } from '../database/store.ts';
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

/** Parts of a report that other nouns store, in its transaction, so that no reader sees one without the other. */
export interface KubeletParts {
  /** Stores those of one server's reports; `at` in epoch seconds. Leaves a server alone that is no node. */
  write(transaction: Transaction, serverId: string, parts: readonly { at: number; part: NodePart }[]): Promise<void>;
}
export interface DescribedSections {
  /** Compares the sections of one server's reports with their stored states; `at` in epoch milliseconds. */
  write(
    transaction: Transaction,
    serverKey: number,
    reports: readonly { at: number; sections: readonly HostSectionPart[] }[],
    now: number,
  ): Promise<void>;
}
export interface ReportedResults {
  /** Stores the results of checks; `at` in epoch milliseconds. Drops those of checks that the server does not run. */
  write(
    transaction: Transaction,
    from: { serverKey: number; organisationId: OrganisationId | null },
    reports: readonly { at: number; results: readonly CheckResultPart[] }[],
  ): Promise<void>;
}
