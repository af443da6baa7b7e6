// SQL locks the organisation, and joins by groups in one statement: Prisma has neither.
import { type Database, isUuid, nullWhereMissing } from '../../database/database.ts';
import { withModels } from '../../database/transaction.ts';
import type { Invitation as InvitationRow, Prisma } from '../../database/generated/client.ts';
import { roleOf } from '../role.ts';
import type { Teams } from '../store.ts';
import type { Member } from '../types.ts';
import { createInvitationStore, takeInvitation } from './invitations.ts';
import { type OrganisationId, organisationIdOf, ownOrganisationOf, type PersonId, personIdOf } from '../ids.ts';

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
    ...createInvitationStore(database),
    hasMembers: async (personId) =>
      (await prisma.membership.count({
        where: { organisationId: ownOrganisationOf(personId), personId: { not: personId } },
      })) > 0,
    join: (codeHash, personId, now) =>
      withModels(database, async (models) => {
        const used = await takeInvitation(models, codeHash, now);
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
  };
};
