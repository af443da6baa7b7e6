import type { Authorized, Owner } from '../domain/owner.ts';
import type { Kubernetes } from './kubernetes-ports.ts';
import type {
  DroppedRange,
  Report,
  SourceHealth,
  AgentPart,
  FilesystemPart,
  DiskPart,
  InterfacePart,
  SystemPart,
} from '@plimsoll/contract/report';
import type { ServerSort } from '@plimsoll/contract/limits';
import type { Activity, HostLists, ProcessSnapshots } from './activity-ports.ts';
import type { Alerts, AlertStates, KnownAlertState } from './alert-ports.ts';
import type { Identity } from './identity-ports.ts';
import type { Gaps, MetricSeries, SampleHistory } from './series-ports.ts';

/** Times are epoch milliseconds in every port; values are in base units (bytes, seconds, per cent 0–100). */

export interface Account {
  id: string;
  email: string;
  name: string;
  avatarUrl: string | null;
  githubUsername: string | null;
  isActive: boolean;
  createdAt: number;
  lastLoginAt: number | null;
}
export interface Accounts {
  count(): Promise<number>;
  /** Fails with `email_taken`. The first account also takes over everything that belongs to the instance. */
  create(account: { email: string; name: string; passwordHash: string | null }, now: number): Promise<Account>;
  get(id: string): Promise<Account | null>;
  /** The one that owns what comes with the instance itself: its own machine, its own cluster. */
  oldest(): Promise<Account | null>;
  /** For signing in only: the hash goes nowhere else. */
  findByEmail(email: string): Promise<(Account & { passwordHash: string | null }) | null>;
  recordLogin(id: string, now: number): Promise<void>;
  /** Does nothing when the stored hash is no longer `from`: a password changed meanwhile stays. */
  replaceHash(id: string, from: string, to: string): Promise<void>;
}

export interface Session {
  id: string;
  accountId: string;
  createdAt: number;
  expiresAt: number;
}
export interface Sessions {
  create(session: { accountId: string; tokenHash: Buffer; expiresAt: number }, now: number): Promise<Session>;
  /** Null when unknown, revoked or expired. */
  find(tokenHash: Buffer, now: number): Promise<Session | null>;
  revoke(tokenHash: Buffer): Promise<void>;
}

export interface SignInCodes {
  /** A single-use code; `accountId` null means "may create the first account". */
  create(
    code: { codeHash: Buffer; accountId: string | null; bindingHash: Buffer | null; expiresAt: number },
    now: number,
  ): Promise<void>;
  /** Uses the code up in the same statement that reads it; null when unknown, used, expired or bound to another browser. */
  consume(codeHash: Buffer, bindingHash: Buffer | null, now: number): Promise<{ accountId: string | null } | null>;
  /** Looks without using up. */
  peek(codeHash: Buffer, now: number): Promise<{ accountId: string | null } | null>;
}

export interface EnrolmentTokens {
  /** `owner` null: what enrols belongs to the instance until the first account exists. */
  create(token: { owner: Owner | null; tokenHash: Buffer; expiresAt: number }, now: number): Promise<{ id: string }>;
  find(tokenHash: Buffer, now: number): Promise<{ id: string; accountId: string | null } | null>;
}

/** Who a token reports for, as last looked up: true only once `Reports.accept` has found the token in its own statement. */
export interface Reporter {
  serverId: string;
  serverKey: number;
  tokenHash: Buffer;
}
/** Who sends: its token was looked up for this request. */
export interface Agent extends Reporter {
  accountId: string | null;
}
type AgentLookup = { state: 'known'; agent: Agent } | { state: 'server_deleted' } | { state: 'unknown' };
export interface Agents {
  /** Same machine and owner → same server; its old agent tokens die. `cloned` asks for a new server id. */
  enrol(
    request: {
      enrolmentTokenId: string;
      accountId: string | null;
      machineHash: Buffer;
      hostname: string;
      tokenHash: Buffer;
      cloned: boolean;
      tags: Record<string, string>;
      reportIntervalSeconds: number;
    },
    now: number,
  ): Promise<{ serverId: string }>;
  /** Servers of the account that are not this machine. */
  countOthers(accountId: string, machineHash: Buffer): Promise<number>;
  /** First use of a rotated token kills the one before it. */
  findByToken(tokenHash: Buffer): Promise<AgentLookup>;
  /** Offers a successor; both work until the new one is used. */
  offerToken(agent: Agent, newTokenHash: Buffer, now: number): Promise<void>;
  /** What the operator set holds for every server, those known already too. */
  setReportInterval(seconds: number): Promise<void>;
  bye(agent: Agent, reason: 'uninstall' | 'restart' | 'stop', now: number): Promise<void>;
}

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
  accountId: string | null;
  /** How the alerts of the server stood before this batch. */
  alertState: KnownAlertState;
}
/** Nothing of the batch was stored. `conflict`: a seq is known with other content. */
interface RefusedResult {
  outcome: 'conflict' | 'token_unknown' | 'server_deleted';
}
export interface Reports {
  /** One durable transaction: the token is still good, ledger, samples, latest state. */
  accept(batch: AcceptedBatch): Promise<AcceptedResult>;
  /** Last known skew of a server's wall clock in seconds, null when none was recorded. */
  clockSkew(agent: Reporter): Promise<number | null>;
}

export interface ServerRecord {
  id: string;
  key: number;
  accountId: string | null;
  /** The token it enrolled with last; null when that is gone. */
  enrolmentTokenId: string | null;
  hostname: string;
  displayName: string | null;
  createdAt: number;
  lastSeenAt: number | null;
  uninstalledAt: number | null;
  system: SystemPart | null;
  memoryTotalBytes: number | null;
  storageTotalBytes: number | null;
  reportIntervalSeconds: number;
  isKubernetesNode: boolean;
  tags: Record<string, string>;
}
/** One sample of a host; null is unknown. */
export interface Sample {
  sampleAt: number;
  cpuPercent: number | null;
  ioWaitPercent: number | null;
  memoryPercent: number | null;
  swapPercent: number | null;
  memoryUsedBytes: number | null;
  diskPercent: number | null;
  diskUsedBytes: number | null;
  readOperationsPerSecond: number | null;
  writeOperationsPerSecond: number | null;
  receiveBytesPerSecond: number | null;
  transmitBytesPerSecond: number | null;
  loadOne: number | null;
  connections: {
    total: number;
    established: number;
    listen: number;
    timeWait: number;
    closeWait: number;
    synSent: number;
    synRecv: number;
  } | null;
}
/** Parts of a report that are kept as they came, of the latest only. */
export type InsideParts = Partial<Pick<Report, 'load' | 'pressure' | 'temperatures' | 'containers' | 'units'>>;

export interface LatestState {
  sample: Sample | null;
  perCorePercent: (number | null)[];
  filesystems: FilesystemPart[];
  disks: DiskPart[];
  interfaces: InterfacePart[];
  inside: InsideParts;
  sources: Record<string, SourceHealth>;
  agent: Omit<AgentPart, 'sources'> | null;
}
export interface ServerFilter {
  limit: number;
  offset: number;
  search?: string;
  platform?: string;
  status?: 'active' | 'installing' | 'uninstalled' | 'offline';
  tag?: { key: string; value: string };
  /** Only what enrolled with this token. */
  enrolmentTokenId?: string;
  sort: ServerSort;
}
export interface ServerWithLatest {
  server: ServerRecord;
  latest: LatestState;
}
export interface Servers {
  /** Every server of the owner with its latest sample, without the bulky parts (they stay empty). */
  listAll(owner: Owner): Promise<ServerWithLatest[]>;
  get(owner: Owner, id: string): Promise<Authorized<ServerWithLatest> | null>;
  /** What the sources of these servers said of themselves in the last report that told, by server id. */
  sourcesOf(owner: Owner, ids: readonly string[]): Promise<Map<string, LatestState['sources']>>;
  /** Purges the server and all its rows; its token answers `server_deleted` from then on. */
  delete(server: Authorized<ServerWithLatest>, now: number): Promise<void>;
  update(
    server: Authorized<ServerWithLatest>,
    change: { displayName: string | null; tags: Record<string, string> },
  ): Promise<void>;
  /** The agent proves the host, its new owner's token the account. False when that account has the machine already. */
  transfer(agent: Agent, accountId: string): Promise<boolean>;
}

/** What the jobs do. Each call is safe to repeat and to run on several replicas at once: one works, the others answer null. */
export interface Maintenance {
  /** Partitions for the days ahead; rows that had none move into theirs. Answers the names made. */
  makePartitions(now: number): Promise<string[] | null>;
  /** Rolls up the buckets that closed since the last run, and those that late samples changed. Answers rows written. */
  rollUp(now: number): Promise<number | null>;
  /** Removes what is older than its retention. Answers rows or partitions removed, by what they were. */
  prune(now: number): Promise<Record<string, number> | null>;
  /** Reports that were taken, never came and were not declared dropped within 26 h, over all servers. */
  countUnexplained(now: number): Promise<number>;
  /** Notes that this API runs, so that a gap can be laid at its own door; call at start and every minute. */
  startRun(now: number): Promise<string>;
  recordRun(id: string, now: number): Promise<void>;
}

/** A bucket that a rollup failed on; it is tried again at `retryAt`. Times in epoch ms. */
export interface BucketSetAside {
  /** Null: of a server without an account. */
  accountId: string | null;
  /** '5m', '1h', 'kubernetes-5m', 'fleet-5m', 'fleet-1h'. */
  level: string;
  /** Id of the server or name of the node; null: the bucket over all servers. */
  subject: string | null;
  at: number;
  attempts: number;
  failedAt: number;
  retryAt: number;
  /** SQLSTATE and text of the last failure. */
  error: string;
}
export interface SetAside {
  /** The newest 100 of one account. */
  ofOwner(owner: Owner): Promise<BucketSetAside[]>;
  /** Up to 100 of all accounts that failed at this time or later: for the operator's log alone. */
  since(time: number): Promise<BucketSetAside[]>;
  /** How many of all accounts, by level. */
  count(): Promise<Map<string, number>>;
}

export interface BroadcastListener {
  onMessage: (text: string) => void;
  /** Listening broke off and goes on: messages in between are lost. */
  onGap: () => void;
}
/** Messages to the other processes on the same database; at most 8,000 bytes, delivered or lost. */
export interface Broadcast {
  send(text: string): Promise<void>;
  /** What other processes send, never one's own. Returns what ends it. */
  listen(listener: BroadcastListener): Promise<() => Promise<void>>;
}

/** What `deps.ts` hands to the rest of the API. */
export interface Storage {
  accounts: Accounts;
  sessions: Sessions;
  signInCodes: SignInCodes;
  enrolmentTokens: EnrolmentTokens;
  agents: Agents;
  reports: Reports;
  servers: Servers;
  series: MetricSeries;
  history: SampleHistory;
  gaps: Gaps;
  maintenance: Maintenance;
  setAside: SetAside;
  lists: HostLists;
  processSnapshots: ProcessSnapshots;
  activity: Activity;
  identity: Identity;
  alerts: Alerts;
  alertStates: AlertStates;
  kubernetes: Kubernetes;
  broadcast: Broadcast;
  /** Answers within a second or fails; for /readyz. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
