import type { Owner } from '../domain/owner.ts';

export type TokenScope = 'read' | 'write' | 'transfer';
export interface ApiToken {
  id: string;
  name: string;
  lastFour: string;
  scopes: TokenScope[];
  createdAt: number;
  /** To the minute; null: never used. */
  lastUsedAt: number | null;
}
export interface ApiTokens {
  /** Replaces the token of the same name. */
  replace(
    owner: Owner,
    token: { name: string; tokenHash: Buffer; lastFour: string; scopes: readonly TokenScope[] },
    now: number,
  ): Promise<{ token: ApiToken; replaced: boolean }>;
  /** Null when unknown, revoked, or its account is not active. Notes the use. */
  find(tokenHash: Buffer, now: number): Promise<{ id: string; accountId: string; scopes: TokenScope[] } | null>;
  list(owner: Owner): Promise<ApiToken[]>;
  /** False when the owner has no such token. */
  revoke(owner: Owner, id: string): Promise<boolean>;
}

export interface SessionRecord {
  id: string;
  createdAt: number;
  expiresAt: number;
  userAgent: string | null;
  address: string | null;
}
export interface SessionList {
  list(owner: Owner, now: number): Promise<SessionRecord[]>;
  /** Where the session was opened from. */
  describe(tokenHash: Buffer, from: { userAgent: string | null; address: string; method: string }): Promise<void>;
  revoke(owner: Owner, id: string): Promise<boolean>;
}

export type Provider = 'github' | 'google' | 'oidc';
interface SignInFlow {
  provider: Provider;
  /** PKCE. */
  verifier: string;
  nonce: string;
  bindingHash: Buffer;
}
export interface SignInFlows {
  create(stateHash: Buffer, flow: SignInFlow & { expiresAt: number }): Promise<void>;
  /** Uses it up; null when unknown, used or expired. */
  consume(stateHash: Buffer, now: number): Promise<SignInFlow | null>;
}
export interface Identities {
  find(provider: Provider, subject: string): Promise<string | null>;
  /** A new account, or a further way into an existing one. */
  link(identity: { provider: Provider; subject: string; accountId: string }, now: number): Promise<void>;
  /** Name, picture and GitHub name as the provider has them today. */
  describe(
    accountId: string,
    facts: { name: string; avatarUrl: string | null; githubUsername?: string },
  ): Promise<void>;
}

interface TotpState {
  /** Sealed; null: none was ever begun. */
  secret: Buffer | null;
  confirmed: boolean;
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

export interface AuditEntry {
  id: number;
  at: number;
  action: string;
  address: string | null;
  detail: Record<string, string>;
}
export interface AuditLog {
  record(
    entry: { accountId: string; action: string; address: string | null; detail: Record<string, string> },
    now: number,
  ): Promise<void>;
  /** Newest first. */
  list(owner: Owner, page: { limit: number; offset: number }): Promise<{ entries: AuditEntry[]; total: number }>;
}

/** Days. */
export interface Retention {
  metrics: number;
  alerts: number;
  events: number;
  processes: number;
}
export interface RetentionSettings {
  /** Null: the defaults hold. */
  get(owner: Owner): Promise<Retention | null>;
  put(owner: Owner, retention: Retention): Promise<void>;
  reset(owner: Owner): Promise<void>;
  /** Removes what is older than each account keeps, for those that keep less than everyone. Rows by kind. */
  prune(now: number): Promise<Record<string, number>>;
}

export interface AccountLife {
  /** Null takes a planned deletion back. */
  planDeletion(owner: Owner, at: number | null): Promise<void>;
  deletionAt(owner: Owner): Promise<number | null>;
  /** Everything of the account, its servers included; their agents are told to stop. */
  delete(owner: Owner, now: number): Promise<void>;
  listDue(now: number): Promise<string[]>;
}

/** What an export holds beside what the calls list. */
export const EXPORTED_LISTS = [
  'rollups_5m',
  'rollups_1h',
  'lists',
  'list_history',
  'clusters',
  'kubernetes_nodes',
  'kubernetes_pods',
  'kubernetes_workloads',
  'kubernetes_events',
  'kubernetes_samples',
  'kubernetes_rollups',
] as const;
export type ExportedList = (typeof EXPORTED_LISTS)[number];
export interface AccountExport {
  lists: readonly ExportedList[];
  /** Every row of the account as stored, page by page, whatever comes in meanwhile. */
  rows(owner: Owner, list: ExportedList): AsyncIterable<object>;
}

export interface Identity {
  apiTokens: ApiTokens;
  sessionList: SessionList;
  flows: SignInFlows;
  identities: Identities;
  secondFactors: SecondFactors;
  devices: RememberedDevices;
  audit: AuditLog;
  retention: RetentionSettings;
  life: AccountLife;
  export: AccountExport;
}
