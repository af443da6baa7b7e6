import type {
  AgentPart,
  DiskPart,
  FilesystemPart,
  InterfacePart,
  Report,
  SourceHealth,
  SystemPart,
} from '@plimsoll/contract/wire/report';
import type { FilesystemTrend, Sample } from '../series/types.ts';
import type { ServerSort, ServerStatus } from '@plimsoll/contract/rules/limits';
import type { Creator } from '../tenancy/creator.ts';
import type { OrganisationId } from '../tenancy/ids.ts';
import type { Identity } from './same-machine.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

/** A token that enrols servers, without its secret. */
export interface EnrolmentToken {
  id: string;
  createdAt: number;
  expiresAt: number;
  /** Servers that enrolled with it. */
  servers: number;
  createdBy: Creator;
}

/**
 * Reporter of a token at its last lookup. It is valid only after `Reports.accept` found the token in its own statement.
 */
export interface Reporter {
  serverId: string;
  serverKey: number;
  tokenHash: Buffer;
}

/** Sender whose token was checked for this request. */
export interface Agent extends Reporter {
  organisationId: OrganisationId | null;
}

export type AgentLookup = { state: 'known'; agent: Agent } | { state: 'server_deleted' } | { state: 'unknown' };

export interface EnrolledServer {
  serverId: string;
  organisationId: OrganisationId | null;
  kind: Identity['kind'];
  /** Names of the other installed servers with this machine id. */
  sharesWith: string[];
}

/** Signs that more than one machine is this server. */
export interface DoubtfulIdentity {
  /** The other installed servers with this machine id. */
  sharesWith: { id: string; name: string }[];
  /** Time of the last report with a revoked token of this server; null: there was none in the last day. */
  formerTokenAt: number | null;
}

/** A machine whose figures another agent sends: it has no agent token that anyone holds. */
export interface ExternalMachine {
  organisationId: OrganisationId;
  machineHash: Buffer;
  hostname: string;
  reportIntervalSeconds: number;
  /** Identifies its reports. */
  streamId: string;
}
export interface ExternalServer extends Reporter {
  /** The highest seq of its stream that is settled; 0: none. */
  lastSeq: number;
}
export type ExternalServerLookup =
  | { state: 'known'; server: ExternalServer }
  | { state: 'server_deleted' }
  /** Unknown, and the account has `servers` already. */
  | { state: 'unknown'; servers: number };

/** Since when the reports of a server are refused, and why. */
interface ServerRefusal {
  since: number;
  lastAt: number;
  code: string;
  /** "field: problem". */
  detail: string;
}

export interface ServerRecord {
  id: string;
  key: number;
  organisationId: OrganisationId | null;
  /** The token it enrolled with last; null when that is gone. */
  enrolmentTokenId: string | null;
  hostname: string;
  displayName: string | null;
  createdAt: number;
  lastSeenAt: number | null;
  uninstalledAt: number | null;
  /** Null: its last report was stored, or none came. */
  refusal: ServerRefusal | null;
  system: SystemPart | null;
  memoryTotalBytes: number | null;
  storageTotalBytes: number | null;
  reportIntervalSeconds: number;
  isKubernetesNode: boolean;
  tags: Record<string, string>;
  /** Growth of each filesystem; empty until there is a history. */
  diskTrends: FilesystemTrend[];
}

/** Parts of a report about the hardware. */
type HardwareName = 'gpus' | 'drives' | 'fans' | 'power' | 'raid' | 'pools' | 'updates';

/** Parts of a report about the limits of the kernel. */
type LimitName = 'conntrack' | 'open_files' | 'ephemeral_ports' | 'clock_synchronized';

/** Parts of a report that are kept as they came, of the latest only. */
export type HostDetails = Partial<
  Pick<Report, 'load' | 'pressure' | 'temperatures' | 'containers' | 'units' | HardwareName | LimitName>
> & {
  swap_total_bytes?: number | undefined;
};

/** Parts of the newest report of a server that a list of servers leaves out. */
export type LatestParts = Pick<LatestState, 'filesystems' | 'interfaces'>;

export interface LatestState {
  sample: Sample | null;
  perCorePercent: (number | null)[];
  filesystems: FilesystemPart[];
  disks: DiskPart[];
  interfaces: InterfacePart[];
  inside: HostDetails;
  sources: Record<string, SourceHealth>;
  agent: Omit<AgentPart, 'sources'> | null;
}

/** The facts of a server that a scope compares, and those that its status is computed from. */
export interface ScopeFacts {
  key: number;
  id: string;
  tags: Record<string, string>;
  region: string | null;
  /** Id and name of each cluster that the server is a node of. */
  clusters: string[];
  lastSeenAt: number | null;
  uninstalledAt: number | null;
  refusal: Pick<ServerRefusal, 'lastAt'> | null;
  reportIntervalSeconds: number;
}

/** From when to when a server should report. */
export interface Installation {
  key: number;
  id: string;
  /** Its display name, else its hostname. */
  name: string;
  createdAt: number;
  /** Null: still installed. */
  uninstalledAt: number | null;
}

export interface ServerFilter {
  limit: number;
  offset: number;
  search?: string;
  platform?: string;
  status?: ServerStatus;
  tag?: { key: string; value: string };
  /** Only what enrolled with this token. */
  enrolmentTokenId?: string;
  sort: ServerSort;
}

/** Servers chosen by what SQL can compare. */
export interface ServerSelection {
  ids?: readonly string[];
  /** Keys of the servers in the scope; left out: every server. */
  within?: readonly number[];
  /** Servers whose latest sample is within; `to` is not included, and a bound left out is open. */
  sampled?: { from?: number; to?: number };
  limit: number;
  offset: number;
}

export interface ServerWithLatest {
  server: ServerRecord;
  latest: LatestState;
}

/**
 * `from` and `to` are sample times, `to` not included. Without them: the newest list of each server, whatever its age.
 */
export interface ListFilter {
  serverId?: string;
  /** Keys of the servers in the scope; left out: every server. */
  within?: readonly number[];
  from?: number;
  to?: number;
}

/** Reported parts of a host with place and time. */
export interface Seen {
  serverId: string;
  hostname: string;
  sampleAt: number;
}
