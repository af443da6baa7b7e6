import type { Owner } from './owner.ts';
import type { Membership, Role } from './role.ts';
import type {
  ApiToken,
  AuditEntry,
  ExportedList,
  Invitation,
  Member,
  Provider,
  Retention,
  SessionRecord,
  SignInFlow,
  TokenScope,
  TotpState,
} from './types.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

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

export interface NewAccount {
  email: string;
  name: string;
  passwordHash: string | null;
  /** The account at the provider that it signs in with. Stored with the account or not at all. */
  identity?: { provider: Provider; subject: string };
}

export interface Accounts {
  count(): Promise<number>;
  /** Fails with `email_taken`. The first account also takes over everything that belongs to the instance. */
  create(account: NewAccount, now: number): Promise<Account>;
  get(id: string): Promise<Account | null>;
  /** Returns the oldest account. It owns the instance's own machine and cluster. */
  oldest(): Promise<Account | null>;
  /** Returns the account with its password hash. Only sign-in uses it. */
  findByEmail(email: string): Promise<(Account & { passwordHash: string | null }) | null>;
  recordLogin(id: string, now: number): Promise<void>;
  /** Returns false, and changes nothing, when the stored hash is no longer `from`: a password changed meanwhile stays. */
  replaceHash(id: string, from: string | null, to: string): Promise<boolean>;
}

export interface Session {
  id: string;
  accountId: string;
  createdAt: number;
  expiresAt: number;
}

export interface Sessions {
  create(session: { accountId: string; tokenHash: Buffer; expiresAt: number }, now: number): Promise<Session>;
  /** Returns null when the token is unknown, revoked or expired. */
  find(tokenHash: Buffer, now: number): Promise<(Session & { membership: Membership }) | null>;
  revoke(tokenHash: Buffer): Promise<void>;
}

export interface SignInCodes {
  /** Creates a single-use code. `accountId` null: the code can create the first account. */
  create(
    code: { codeHash: Buffer; accountId: string | null; bindingHash: Buffer | null; expiresAt: number },
    now: number,
  ): Promise<void>;
  /**
   * Uses the code up in the same statement that reads it; null when unknown, used, expired or bound to another browser.
   */
  consume(codeHash: Buffer, bindingHash: Buffer | null, now: number): Promise<{ accountId: string | null } | null>;
  /** Looks without using up. */
  peek(codeHash: Buffer, now: number): Promise<{ accountId: string | null } | null>;
}

export interface ApiTokens {
  /** Replaces the token of the same name. */
  replace(
    owner: Owner,
    token: {
      name: string;
      tokenHash: Buffer;
      lastFour: string;
      scopes: readonly TokenScope[];
      /** Null: does not expire. */
      expiresAt: number | null;
    },
    now: number,
  ): Promise<{ token: ApiToken; replaced: boolean }>;
  /** Returns null when the token is unknown, revoked or expired, or its account is not active. Records the use. */
  find(
    tokenHash: Buffer,
    now: number,
  ): Promise<{
    id: string;
    accountId: string;
    membership: Membership;
    scopes: TokenScope[];
    expiresAt: number | null;
  } | null>;
  /** Lists expired ones too, until they are deleted. */
  list(owner: Owner): Promise<ApiToken[]>;
  /** Returns false if the owner has no such token. */
  revoke(owner: Owner, id: string): Promise<boolean>;
}

export interface SessionList {
  list(owner: Owner, now: number): Promise<SessionRecord[]>;
  /** Stores the client that opened the session. */
  describe(tokenHash: Buffer, from: { userAgent: string | null; address: string; method: string }): Promise<void>;
  revoke(owner: Owner, id: string): Promise<boolean>;
}

export interface SignInFlows {
  create(stateHash: Buffer, flow: SignInFlow & { expiresAt: number }): Promise<void>;
  /** Uses it up; null when unknown, used or expired. */
  consume(stateHash: Buffer, now: number): Promise<SignInFlow | null>;
}

export interface Identities {
  find(provider: Provider, subject: string): Promise<string | null>;
  /** Updates name, picture and GitHub name from the provider. */
  describe(
    accountId: string,
    facts: { name: string; avatarUrl: string | null; githubUsername?: string },
  ): Promise<void>;
}

export interface SecondFactors {
  get(accountId: string): Promise<TotpState>;
  begin(accountId: string, secret: Buffer): Promise<void>;
  /** Settles a right code: false when its step was used before. Confirms the first one. */
  settle(accountId: string, step: number, now: number): Promise<boolean>;
  remove(accountId: string): Promise<void>;
}

/** Browsers that signed in before, by the hash of a secret in a cookie. */
export interface RememberedDevices {
  /** Keeps the `most` newest of the account and drops expired ones. */
  create(
    device: { deviceHash: Buffer; accountId: string; expiresAt: number },
    most: number,
    now: number,
  ): Promise<void>;
  /** Returns the account; null when unknown or expired. */
  find(deviceHash: Buffer, now: number): Promise<string | null>;
  /** Drops all devices of the account but `except`. */
  forget(accountId: string, except: Buffer | null): Promise<void>;
}

export interface AuditLog {
  record(
    entry: { accountId: string; action: string; address: string | null; detail: Record<string, string> },
    now: number,
  ): Promise<void>;
  /** Lists rows, newest first. */
  list(owner: Owner, page: { limit: number; offset: number }): Promise<{ entries: AuditEntry[]; total: number }>;
}

export interface RetentionSettings {
  /** Returns null if the defaults apply. */
  get(owner: Owner): Promise<Retention | null>;
  put(owner: Owner, retention: Retention): Promise<void>;
  reset(owner: Owner): Promise<void>;
  /**
   * Removes what is older than each account keeps, for those that keep less than everyone. Rows by kind. `planDays`: how
   * long a plan keeps everything but the alerts of every account; null: no plan is in force.
   */
  prune(now: number, planDays: number | null): Promise<Record<string, number>>;
}

export interface AccountDeletion {
  /** Stores the time of the deletion. Null cancels it. */
  planDeletion(owner: Owner, at: number | null): Promise<void>;
  deletionAt(owner: Owner): Promise<number | null>;
  /** Deletes the account and its servers. The next response stops their agents. */
  delete(owner: Owner, now: number): Promise<void>;
  listDue(now: number): Promise<string[]>;
}

export interface AccountExport {
  lists: readonly ExportedList[];
  /** Returns every row of the account page by page, also while new rows arrive. */
  rows(owner: Owner, list: ExportedList): AsyncIterable<object>;
}

/** Members and invitations of an organisation. An account is a member of one organisation at a time. */
export interface Teams {
  /** Lists the founder first, then by name. */
  get(owner: Owner): Promise<{ name: string; members: Member[] }>;
  rename(owner: Owner, name: string): Promise<void>;
  /** Returns false if the organisation has no such member beside its founder. */
  setRole(owner: Owner, accountId: string, role: Role): Promise<boolean>;
  /**
   * Ends the membership and the sessions of the account, which is the admin of its own organisation again. Returns the ids
   * of its sessions and API tokens, whose streams must end; null if the organisation has no such member beside its
   * founder.
   */
  remove(owner: Owner, accountId: string): Promise<string[] | null>;
  invitations(owner: Owner, now: number): Promise<Invitation[]>;
  /** Returns null while the organisation has `most` open invitations. */
  invite(
    owner: Owner,
    invitation: { codeHash: Buffer; role: Role; email: string | null; expiresAt: number },
    most: number,
    now: number,
  ): Promise<Invitation | null>;
  withdraw(owner: Owner, id: string): Promise<boolean>;
  /** Looks without using up; null: unknown, used or expired. */
  peek(codeHash: Buffer, now: number): Promise<(Invitation & { organisation: string }) | null>;
  /** Returns true if the account's own organisation has further members. */
  hasMembers(self: Owner): Promise<boolean>;
  /** Uses the invitation up and makes the account a member. Returns false if it is unknown, used or expired by now. */
  join(codeHash: Buffer, self: Owner, now: number): Promise<boolean>;
  /**
   * Makes the account a member of the organisation of the oldest account, with the role that its groups give. Does
   * nothing for a founder with further members, and for a membership by invitation elsewhere or here.
   */
  joinByGroups(accountId: string, role: Role, now: number): Promise<void>;
  /** Ends a membership that groups gave, as `remove` does. Returns the readers whose streams must end. */
  leaveByGroups(accountId: string): Promise<string[]>;
  /** Uses the invitation up and creates its account as a member. Null as for `join`. Fails with `email_taken`. */
  signUp(codeHash: Buffer, account: NewAccount, now: number): Promise<Account | null>;
}

export interface Identity {
  teams: Teams;
  apiTokens: ApiTokens;
  sessionList: SessionList;
  flows: SignInFlows;
  identities: Identities;
  secondFactors: SecondFactors;
  devices: RememberedDevices;
  audit: AuditLog;
  retention: RetentionSettings;
  life: AccountDeletion;
  export: AccountExport;
}
