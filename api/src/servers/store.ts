import type { Authorized, Owner } from '../accounts/owner.ts';
import type {
  Agent,
  AgentLookup,
  ExternalMachine,
  ExternalServerLookup,
  Installation,
  LatestState,
  LatestParts,
  ScopeFacts,
  ServerSelection,
  ServerWithLatest,
} from './types.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface EnrolmentTokens {
  /** Creates a token. `owner` null: the enrolled servers belong to the instance until the first account exists. */
  create(token: { owner: Owner | null; tokenHash: Buffer; expiresAt: number }, now: number): Promise<{ id: string }>;
  find(tokenHash: Buffer, now: number): Promise<{ id: string; accountId: string | null } | null>;
}

export interface Agents {
  /**
   * Returns the same server for the same machine and owner, and revokes its old agent tokens. `cloned` requests a new
   * server id.
   */
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
  /** Returns the agent of a token. The first use of a rotated token revokes the previous one. */
  findByToken(tokenHash: Buffer): Promise<AgentLookup>;
  /** Offers a successor; both work until the new one is used. */
  offerToken(agent: Agent, newTokenHash: Buffer, now: number): Promise<void>;
  /** Sets the report interval of every server, including existing ones. */
  setReportInterval(seconds: number): Promise<void>;
  /** Returns the server of a machine whose figures another agent sends. */
  findExternal(machine: ExternalMachine): Promise<ExternalServerLookup>;
  /** Creates that server. */
  addExternal(machine: ExternalMachine, now: number): Promise<void>;
  signOff(agent: Agent, reason: 'uninstall' | 'restart' | 'stop', now: number): Promise<void>;
}

export interface Servers {
  /**
   * Returns every server of the owner with its latest sample, without the bulky parts (they stay empty). Only for a call
   * that answers for the whole fleet: its list with counts and strip, and the export. Any other reads `list`.
   */
  listAll(owner: Owner): Promise<ServerWithLatest[]>;
  /** Returns one page in the same order and form, with the number of servers that match. */
  list(owner: Owner, filter: ServerSelection): Promise<{ servers: ServerWithLatest[]; total: number }>;
  get(owner: Owner, id: string): Promise<Authorized<ServerWithLatest> | null>;
  /** Returns what a scope looks at in every server of the owner. */
  scopeFacts(owner: Owner): Promise<ScopeFacts[]>;
  /** Returns when every server of the owner was enrolled and uninstalled. */
  installations(owner: Owner): Promise<Installation[]>;
  /** Returns the source states of these servers from the last report that contains them, by server id. */
  sourcesOf(owner: Owner, ids: readonly string[]): Promise<Map<string, LatestState['sources']>>;
  /** Returns filesystems and interfaces of the newest report of every server of the owner, by server key. */
  partsOf(owner: Owner): Promise<Map<number, LatestParts>>;
  /** Purges the server and all its rows; its token answers `server_deleted` from then on. */
  delete(server: Authorized<ServerWithLatest>, now: number): Promise<void>;
  update(
    server: Authorized<ServerWithLatest>,
    change: { displayName: string | null; tags: Record<string, string> },
  ): Promise<void>;
  /**
   * Transfers a server: the agent proves the host, the new owner's token the account. Returns false if that account
   * already has the machine.
   */
  transfer(agent: Agent, accountId: string): Promise<boolean>;
}
