import type { AGENT_KINDS } from '@plimsoll/contract/wire/installation-health';
import type { ChannelType, DeliveryOutcome } from '@plimsoll/contract/rules/notify';

/** Times are epoch milliseconds; values are in base units (bytes, seconds). Null: unknown. */

export interface IngestFigures {
  reports: number;
  lagP50Seconds: number | null;
  lagHighestSeconds: number | null;
  lastReportAt: number | null;
  serversReporting: number;
  serversSilent: number;
  serversInstalling: number;
  clustersReporting: number;
  clustersSilent: number;
}

export interface RollupProgress {
  bucketSeconds: number;
  completeTo: number | null;
}

export interface DatabaseSize {
  at: number;
  bytes: number;
}

export interface DatabaseFigures {
  version: string;
  sizeBytes: number;
  largestTables: { name: string; bytes: number }[];
  /** Sizes of the last week, oldest first. */
  history: DatabaseSize[];
  /** Null: the role of this connection must not read it. */
  folder: string | null;
}

/** The ends of the last runs of a job. */
export interface JobRuns {
  name: string;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  lastErrorCode: string | null;
}

export interface Replica {
  startedAt: number;
  lastSeenAt: number;
  version: string | null;
  /** Null: a version that did not store them. */
  jobs: JobRuns[] | null;
}

export interface ChannelHealth {
  type: ChannelType;
  /** Null: the channel belongs to another organisation. */
  name: string | null;
  waiting: number;
  lastOutcome: DeliveryOutcome | null;
  lastDeliveryAt: number | null;
}

export interface AgentCount {
  kind: (typeof AGENT_KINDS)[number];
  version: string | null;
  agents: number;
}
