import type { DroppedRange, Report } from '@plimsoll/contract/wire/report';
import type { Reporter } from '../servers/types.ts';
import type { KnownAlertState } from '../alerts/types.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

/** One report that passed the gate: sane, masked, redacted, with the time the server gives it. */
export interface AcceptedItem {
  seq: number;
  /** Sample time on the server's clock. */
  sampleAt: number;
  /** Seconds since boot when it was taken. */
  up: number;
  bootId: string;
  /** Over the item as received, to tell a replay from a second writer on the same stream. */
  contentHash: Buffer;
  report: Report;
}

export interface AcceptedBatch {
  agent: Reporter;
  streamId: string;
  bootId: string;
  receivedAt: number;
  items: AcceptedItem[];
  dropped: DroppedRange[];
  /** Refused for good: they settle their seq without a row. */
  rejected: { seq: number; code: string }[];
  /** Difference of the agent's wall clock to ours in seconds, for items of an earlier boot. */
  clockSkewSeconds: number | null;
  /** Mount points that do not count in the disk figure; absent: none. */
  hiddenMounts?: ReadonlySet<string> | undefined;
}

export type AcceptedResult = StoredResult | RefusedResult;

export interface StoredResult {
  outcome: 'stored';
  /** Rows new in this call; the rest were replays. */
  storedSeqs: number[];
  /** Every settled seq ≤ this one of the stream, and settled ones above it. */
  ackUpto: number;
  ackAlso: number[];
  /** The owner at that moment. */
  organisationId: OrganisationId | null;
  /** The server's reports were refused before this batch. */
  wasRefused: boolean;
  /** Alert states of the server before this batch. */
  alertState: KnownAlertState;
}

/** Reason of a refused report, for a person. */
export interface Refusal {
  code: string;
  /** "field: problem". */
  detail: string;
}

/** Nothing of the batch was stored. `conflict`: a seq is known with other content. */
interface RefusedResult {
  outcome: 'conflict' | 'token_unknown' | 'server_deleted';
}
