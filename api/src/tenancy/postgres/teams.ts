// SQL locks the organisation, and joins by groups in one statement: Prisma has neither.
import { CodedError } from '../../errors.ts';
import { type Database, isUniqueViolation, isUuid, nullWhereMissing } from '../../database/database.ts';
import { bytesOf } from '../../database/bytes.ts';
import { withModels } from '../../database/transaction.ts';
import type { Invitation as InvitationRow, Prisma } from '../../database/generated/client.ts';
import { roleOf } from '../role.ts';
import type { Account, NewAccount } from '../../accounts/types.ts';
import type { Teams } from '../store.ts';
import type { Invitation, Member } from '../types.ts';
import { type OrganisationId, organisationIdOf, ownOrganisationOf, type PersonId, personIdOf } from '../ids.ts';

const invitationOf = (row: InvitationRow): Invitation => ({
  id: row.id,
  role: roleOf(row.role),
  email: row.email,
  createdAt: row.createdAt.getTime(),
  expiresAt: row.expiresAt.getTime(),
  createdBy: row.createdBy === null ? null : personIdOf(row.createdBy),
});

const LOCK = 'SELECT 1 FROM organisation WHERE id = $1 FOR UPDATE';
/** In its own organisation, alone, or in one by groups already: nobody else decided where the account belongs. */
const JOIN_BY_GROUPS = `WITH oldest AS (SELECT id FROM account ORDER BY created_at, id LIMIT 1)
  UPDATE membership m SET organisation_id = oldest.id, role = $2, is_from_groups = true,
    created_at = CASE WHEN m.organisation_id = oldest.id THEN m.created_at ELSE $3 END
  FROM oldest WHERE m.account_id = $1 AND m.account_id <> oldest.id AND (m.is_from_groups OR (m.organisation_id = m.account_id
    AND NOT EXISTS (SELECT FROM membership other WHERE other.organisation_id = $1 AND other.account_id <> $1)))`;

const membersOf = async ({ prisma }: Database, organisationId: OrganisationId): Promise<Member[]> => {
  const rows = await prisma.membership.findMany({
    where: { organisationId },
    select: { personId: true, role: true, createdAt: true, account: { select: { name: true, email: true } } },
  });
  return rows
    .map((row): Member => ({
      personId: personIdOf(row.personId),
      name: row.account.name,
      email: row.account.email,
      role: roleOf(row.role),
      isFounder: row.personId === organisationId,
      joinedAt: row.createdAt.getTime(),
    }))
    .toSorted((a, b) => Number(b.isFounder) - Number(a.isFounder) || a.name.localeCompare(b.name));
};

type Models = Prisma.TransactionClient;

/** Returns the invitation, used up. Prisma sends one DELETE … RETURNING, so of two callers at once exactly one gets it. */
const use = (models: Models, codeHash: Buffer, now: number): Promise<InvitationRow | null> =>
  models.invitation
    .delete({ where: { codeHash: bytesOf(codeHash), expiresAt: { gt: new Date(now) } } })
    .catch(nullWhereMissing);

/** Makes the account a member. An account without a row was the admin of its own organisation. */
async function enter(models: Models, personId: PersonId, to: InvitationRow, now: number): Promise<void> {
  const given = {
    organisationId: to.organisationId,
    role: to.role,
    createdAt: new Date(now),
    isFromGroups: false,
  };
  await models.membership.upsert({ where: { personId }, create: { personId, ...given }, update: given });
}

/** Moves a member back to the organisation that the account founded. */
async function remove(models: Models, organisationId: OrganisationId, personId: string): ReturnType<Teams['remove']> {
  const { count } = await models.membership.updateMany({
    where: { personId, organisationId, NOT: { personId: organisationId } },
    data: { organisationId: personId, role: 'admin', isFromGroups: false },
  });
  if (count !== 1) return null;
  const of = { where: { personId }, select: { id: true } };
  const account = await models.account.findUniqueOrThrow({ where: { id: personId }, select: { name: true } });
  const readers = [...(await models.session.findMany(of)), ...(await models.apiToken.findMany(of))];
  await models.session.deleteMany({ where: { personId } });
  return { name: account.name, readers: readers.map(({ id }) => id) };
}

export const createTeamStore = (database: Database): Teams => {
  const { prisma, pool } = database;
  return {
    memberOf: async (personId) => {
      const row = await prisma.account.findUnique({
        where: { id: personId },
        select: { name: true, membership: { select: { organisationId: true } } },
      });
      if (row === null) return null;
      const organisationId = organisationIdOf(row.membership?.organisationId ?? personId);
      return { organisationId, name: row.name };
    },
    get: async ({ organisationId }) => {
      const organisation = await prisma.organisation.findUnique({ where: { id: organisationId } });
      return { name: organisation?.name ?? '', members: await membersOf(database, organisationId) };
    },
    lock: async ({ organisationId }) => {
      await pool.query(LOCK, [organisationId]);
    },
    findNames: async (people) => {
      if (people.length === 0) return new Map();
      const rows = await prisma.account.findMany({
        where: { id: { in: [...people] } },
        select: { id: true, name: true },
      });
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
    rename: async ({ organisationId }, name) => {
      await prisma.organisation.updateMany({ where: { id: organisationId }, data: { name } });
    },
    setRole: async ({ organisationId }, memberId, role) => {
      if (!isUuid(memberId) || memberId === organisationId) return null;
      const changed = await prisma.membership
        .update({
          where: { personId: memberId, organisationId },
          data: { role },
          select: { account: { select: { name: true } } },
        })
        .catch(nullWhereMissing);
      return changed && { name: changed.account.name };
    },
    remove: async ({ organisationId }, memberId) =>
      isUuid(memberId) ? withModels(database, (models) => remove(models, organisationId, memberId)) : null,
    invitations: async ({ organisationId }, now) => {
      const rows = await prisma.invitation.findMany({
        where: { organisationId, expiresAt: { gt: new Date(now) } },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      });
      return rows.map(invitationOf);
    },
    invite: async ({ organisationId }, { codeHash, expiresAt, ...draft }, most, now) => {
      // Nobody else clears the expired ones.
      await prisma.invitation.deleteMany({ where: { organisationId, expiresAt: { lte: new Date(now) } } });
      if ((await prisma.invitation.count({ where: { organisationId } })) >= most) return null;
      const row = await prisma.invitation.create({
        data: {
          organisationId,
          codeHash: bytesOf(codeHash),
          ...draft,
          createdAt: new Date(now),
          expiresAt: new Date(expiresAt),
        },
      });
      return invitationOf(row);
    },
    withdraw: async ({ organisationId }, id) => {
      if (!isUuid(id)) return null;
      const row = await prisma.invitation.delete({ where: { id, organisationId } }).catch(nullWhereMissing);
      return row && invitationOf(row);
    },
    peek: async (codeHash, now) => {
      const row = await prisma.invitation.findUnique({
        where: { codeHash: bytesOf(codeHash), expiresAt: { gt: new Date(now) } },
        include: { organisation: { select: { name: true } } },
      });
      if (row === null) return null;
      const organisationId = organisationIdOf(row.organisationId);
      return { ...invitationOf(row), organisationId, organisation: row.organisation.name };
    },
    hasMembers: async (personId) =>
      (await prisma.membership.count({
        where: { organisationId: ownOrganisationOf(personId), personId: { not: personId } },
      })) > 0,
    join: (codeHash, personId, now) =>
      withModels(database, async (models) => {
        const used = await use(models, codeHash, now);
        if (used !== null) await enter(models, personId, used, now);
        return used !== null;
      }),
    joinByGroups: async (personId, role, now) => {
      await pool.query(JOIN_BY_GROUPS, [personId, role, new Date(now)]);
    },
    leaveByGroups: (personId) =>
      withModels(database, async (models) => {
        const row = await models.membership.findFirst({ where: { personId, isFromGroups: true } });
        if (row === null) return [];
        return (await remove(models, organisationIdOf(row.organisationId), personId))?.readers ?? [];
      }),
    signUp: (codeHash, account, now) =>
      withModels(database, (models) => createMember(models, codeHash, account, now)).catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        throw new CodedError('email_taken', 'An account with this e-mail address exists.', {
          field: 'email',
          remedy: 'Sign in with it and open the invitation again.',
        });
      }),
  };
};

/** Rolled back as a whole: an address that is taken must not cost the invitation. */
async function createMember(
  models: Models,
  codeHash: Buffer,
  { email, name, passwordHash, identity }: NewAccount,
  now: number,
): Promise<Account | null> {
  const used = await use(models, codeHash, now);
  if (used === null) return null;
  const createdAt = new Date(now);
  const signInIdentities = identity && { create: { ...identity, createdAt } };
  const row = await models.account.create({
    data: { email, name, passwordHash, createdAt, ...(signInIdentities && { signInIdentities }) },
  });
  const id = personIdOf(row.id);
  await enter(models, id, used, now);
  const noSignIn = { avatarUrl: null, githubUsername: null, isActive: true, lastLoginAt: null };
  return { id, email: row.email, name: row.name, createdAt: now, ...noSignIn };
}
