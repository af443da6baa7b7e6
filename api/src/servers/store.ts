import type { Authorized, Owner } from '../tenancy/owner.ts';
import type {
  Agent,
  AgentLookup,
  DoubtfulIdentity,
  EnrolledServer,
  EnrolmentToken,
  ExternalMachine,
  ExternalServerLookup,
  Installation,
  LatestState,
  LatestParts,
  ScopeFacts,
  ServerSelection,
  ServerWithLatest,
} from './types.ts';
import type { Creator } from '../tenancy/creator.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface EnrolmentTokens {
  /** Creates a token. `owner` null: the enrolled servers belong to the instance until the first account exists. */
  create(
    token: { owner: Owner | null; tokenHash: Buffer; expiresAt: number; createdBy: Creator },
    now: number,
  ): Promise<{ id: string }>;
  /** Lists tokens that work, newest first. */
  list(owner: Owner, now: number): Promise<EnrolmentToken[]>;
  /** Returns false if the owner has no such token. */
  revoke(owner: Owner, id: string): Promise<boolean>;
  find(tokenHash: Buffer, now: number): Promise<{ id: string; organisationId: OrganisationId | null } | null>;
}

export interface Agents {
  /**
   * Stores an enrolling machine as the server that `identify` decides, and revokes the old agent tokens of that server.
   * Two enrolments with one machine id wait for each other.
   */
  enrol(
    request: {
      enrolmentTokenId: string;
      organisationId: OrganisationId | null;
      machineHash: Buffer;
      hostname: string;
      tokenHash: Buffer;
      cloned: boolean;
      /** Number of the boot; null or absent: the collector sends none. */
      boot?: number | null;
      tags: Record<string, string>;
      reportIntervalSeconds: number;
    },
    now: number,
  ): Promise<EnrolledServer>;
  /** Counts the installed servers of the account besides this one. */
  countOthers(organisationId: OrganisationId, serverId: string): Promise<number>;
  /** Returns the agent of a token. The first use of a rotated token revokes the previous one. */
  findByToken(tokenHash: Buffer): Promise<AgentLookup>;
  /** Records that a collector reported with a revoked token. Returns the server that it reported for, or null. */
  noteFormerToken(
    tokenHash: Buffer,
    now: number,
  ): Promise<{ serverId: string; organisationId: OrganisationId | null } | null>;
  /** Returns the names of the other installed servers with the same machine id, by the key of each server that has one. */
  sharedMachineIds(): Promise<Map<number, string[]>>;
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
  /** Returns what makes the identity of a server doubtful. */
  getIdentity(server: Authorized<ServerWithLatest>, now: number): Promise<DoubtfulIdentity>;
  /** Returns filesystems and interfaces of the newest report of every server of the owner, by server key. */
  partsOf(owner: Owner): Promise<Map<number, LatestParts>>;
  /** Purges the server and all its rows; its token answers `server_deleted` from then on. */
  delete(server: Authorized<ServerWithLatest>, now: number): Promise<void>;
  /** Purges a server that goes with its organisation or its cluster. */
  purge(serverKey: number, now: number): Promise<void>;
  update(
    server: Authorized<ServerWithLatest>,
    change: { displayName: string | null; tags: Record<string, string> },
  ): Promise<void>;
  /**
   * Transfers a server: the agent proves the host, the new owner's token the account. Returns false if that account
   * already has the machine.
   */
  transfer(agent: Agent, organisationId: OrganisationId): Promise<boolean>;
}
