import type { Owner } from '../tenancy/owner.ts';
import type { Membership } from '../tenancy/role.ts';
import type {
  Account,
  ApiToken,
  ExportedList,
  NewAccount,
  Provider,
  Retention,
  SessionRecord,
  SignInFlow,
  TokenScope,
  TotpState,
} from './types.ts';
import type { OrganisationId, PersonId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds in every port; values are in base units (bytes, seconds, per cent 0–100). */

export interface Accounts {
  count(): Promise<number>;
  /** Fails with `email_taken`. The first account also takes over everything that belongs to the instance. */
  create(account: NewAccount, now: number): Promise<Account>;
  get(id: string): Promise<Account | null>;
  /** Returns the account that founded the organisation. */
  founderOf(organisationId: OrganisationId): Promise<Account | null>;
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
  personId: PersonId;
  createdAt: number;
  expiresAt: number;
}

/** The client that opened a session, and the way of its sign-in. */
export type SessionOrigin = Pick<SessionRecord, 'userAgent' | 'address' | 'method'>;

export interface Sessions {
  create(
    session: { personId: PersonId; tokenHash: Buffer; expiresAt: number; from?: SessionOrigin | undefined },
    now: number,
  ): Promise<Session>;
  /** Returns null when the token is unknown, revoked or expired. */
  find(tokenHash: Buffer, now: number): Promise<(Session & { personName: string; membership: Membership }) | null>;
  revoke(tokenHash: Buffer): Promise<void>;
}

export interface SignInCodes {
  /** Creates a single-use code. `personId` null: the code can create the first account. */
  create(
    code: { codeHash: Buffer; personId: PersonId | null; bindingHash: Buffer | null; expiresAt: number },
    now: number,
  ): Promise<void>;
  /**
   * Uses the code up in the same statement that reads it; null when unknown, used, expired or bound to another browser.
   */
  consume(codeHash: Buffer, bindingHash: Buffer | null, now: number): Promise<{ personId: PersonId | null } | null>;
  /** Looks without using up. */
  peek(codeHash: Buffer, now: number): Promise<{ personId: PersonId | null } | null>;
}

export interface ApiTokens {
  /** Replaces the token of the same name. `replacedId`: null if there was none. */
  replace(
    personId: PersonId,
    token: {
      name: string;
      tokenHash: Buffer;
      lastFour: string;
      scopes: readonly TokenScope[];
      /** Null: does not expire. */
      expiresAt: number | null;
    },
    now: number,
  ): Promise<{ token: ApiToken; replacedId: string | null }>;
  /** Returns null when the token is unknown, revoked or expired, or its account is not active. Records the use. */
  find(
    tokenHash: Buffer,
    now: number,
  ): Promise<{
    person: { id: PersonId; name: string };
    token: { id: string; name: string };
    membership: Membership;
    scopes: TokenScope[];
    expiresAt: number | null;
  } | null>;
  /** Lists expired ones too, until they are deleted. */
  list(personId: PersonId): Promise<ApiToken[]>;
  /** Returns the token that is no more; null if the person has no such. */
  revoke(personId: PersonId, id: string): Promise<ApiToken | null>;
}

export interface SessionList {
  list(personId: PersonId, now: number): Promise<SessionRecord[]>;
  revoke(personId: PersonId, id: string): Promise<boolean>;
}

export interface SignInFlows {
  create(stateHash: Buffer, flow: SignInFlow & { expiresAt: number }): Promise<void>;
  /** Uses it up; null when unknown, used or expired. */
  consume(stateHash: Buffer, now: number): Promise<SignInFlow | null>;
}

export interface Identities {
  find(provider: Provider, subject: string): Promise<PersonId | null>;
  /** Updates name, picture and GitHub name from the provider. */
  describe(
    personId: PersonId,
    facts: { name: string; avatarUrl: string | null; githubUsername?: string },
  ): Promise<void>;
}

export interface SecondFactors {
  get(personId: PersonId): Promise<TotpState>;
  /** Stores a secret that no code confirmed yet. Returns false while the second factor is on. */
  begin(personId: PersonId, secret: Buffer): Promise<boolean>;
  /** Settles a right code: false when its step was used before. Confirms the first one. */
  settle(personId: PersonId, step: number, now: number): Promise<boolean>;
  remove(personId: PersonId): Promise<void>;
}

/** Browsers that signed in before, by the hash of a secret in a cookie. */
export interface RememberedDevices {
  /** Keeps the `most` newest of the account and drops expired ones. */
  create(
    device: { deviceHash: Buffer; personId: PersonId; expiresAt: number },
    most: number,
    now: number,
  ): Promise<void>;
  /** Returns the account; null when unknown or expired. */
  find(deviceHash: Buffer, now: number): Promise<PersonId | null>;
  /** Drops all devices of the account but `except`. */
  forget(personId: PersonId, except: Buffer | null): Promise<void>;
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
  planDeletion(personId: PersonId, at: number | null): Promise<void>;
  deletionAt(personId: PersonId): Promise<number | null>;
  /** Returns the keys of the servers of the person's own organisation. */
  serverKeys(personId: PersonId): Promise<number[]>;
  /** Deletes the account and its organisation. Purge its servers before. */
  delete(personId: PersonId): Promise<void>;
  listDue(now: number): Promise<PersonId[]>;
}

export interface AccountExport {
  lists: readonly ExportedList[];
  /** Returns every row of the organisation, and the person's own conversations, page by page, also while new rows arrive. */
  rows(of: { owner: Owner; personId: PersonId }, list: ExportedList): AsyncIterable<object>;
}

export interface Identity {
  apiTokens: ApiTokens;
  sessionList: SessionList;
  flows: SignInFlows;
  identities: Identities;
  secondFactors: SecondFactors;
  devices: RememberedDevices;
  retention: RetentionSettings;
  accountDeletion: AccountDeletion;
  export: AccountExport;
}
