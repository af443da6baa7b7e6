import type { Actor } from './actor.ts';
import type { OrganisationId, PersonId } from './ids.ts';
import type { Owner } from './owner.ts';
import type { Role } from './role.ts';
import type { AuditAction, AuditEntry, Invitation, Member } from './types.ts';

/** Times are epoch milliseconds. */

export interface AuditLog {
  /** Appends an entry. `detail`: names and ids, never secrets. */
  record(actor: Actor, action: AuditAction, detail: Record<string, string>, now: number): Promise<void>;
  /** Lists entries, newest first. */
  list(owner: Owner, page: { limit: number; offset: number }): Promise<{ entries: AuditEntry[]; total: number }>;
}

/** Members and invitations of an organisation. An account is a member of one organisation at a time. */
export interface Teams {
  /** Returns the organisation that the person is a member of, and the person's name. Null for an unknown person. */
  memberOf(personId: PersonId): Promise<{ organisationId: OrganisationId; name: string } | null>;
  /** Lists the founder first, then by name. */
  get(owner: Owner): Promise<{ name: string; members: Member[] }>;
  /** Lets one verb at a time count and add within the organisation, until its transaction ends. */
  lock(owner: Owner): Promise<void>;
  /** Returns the names of these people; a deleted account is left out. */
  findNames(people: readonly string[]): Promise<Map<string, string>>;
  rename(owner: Owner, name: string): Promise<void>;
  /** Returns the member's name; null if the organisation has no such member beside its founder. */
  setRole(owner: Owner, memberId: string, role: Role): Promise<{ name: string } | null>;
  /**
   * Ends the membership and the sessions of the account, which is the admin of its own organisation again. Returns its
   * name with its sessions and API tokens, whose streams must end; null if the organisation has no such member beside its
   * founder.
   */
  remove(owner: Owner, memberId: string): Promise<{ name: string; readers: string[] } | null>;
  invitations(owner: Owner, now: number): Promise<Invitation[]>;
  /** Returns null while the organisation has `most` open invitations. Callers hold `lock`. */
  invite(
    owner: Owner,
    invitation: { codeHash: Buffer; role: Role; email: string | null; expiresAt: number; createdBy: PersonId | null },
    most: number,
    now: number,
  ): Promise<Invitation | null>;
  /** Returns the invitation; null if the organisation has no such. */
  withdraw(owner: Owner, id: string): Promise<Invitation | null>;
  /** Looks without using up; null: unknown, used or expired. */
  peek(
    codeHash: Buffer,
    now: number,
  ): Promise<(Invitation & { organisationId: OrganisationId; organisation: string }) | null>;
  /** Returns true if the account's own organisation has further members. */
  hasMembers(founder: PersonId): Promise<boolean>;
  /** Uses the invitation up and makes the account a member. Returns false if it is unknown, used or expired by now. */
  join(codeHash: Buffer, personId: PersonId, now: number): Promise<boolean>;
  /**
   * Makes the account a member of the organisation of the oldest account, with the role that its groups give. Does
   * nothing for a founder with further members, and for a membership by invitation elsewhere or here.
   */
  joinByGroups(personId: PersonId, role: Role, now: number): Promise<void>;
  /** Ends a membership that groups gave, as `remove` does. Returns the readers whose streams must end. */
  leaveByGroups(personId: PersonId): Promise<string[]>;
}

export interface Tenancy {
  teams: Teams;
  audit: AuditLog;
}

/** The ledger of changes, which lists what audited actions changed. */
export interface AuditedChanges {
  /** Adds an entry within the transaction that writes the audit log; none for an action that changes nothing listed. */
  add(
    by: Actor,
    audited: { action: AuditAction; detail: Readonly<Record<string, string>>; now: number },
  ): Promise<void>;
}
