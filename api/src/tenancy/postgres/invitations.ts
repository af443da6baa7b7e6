import type { Teams } from '../store.ts';
import type { Invitation } from '../types.ts';
import { roleOf } from '../role.ts';
import { organisationIdOf, personIdOf } from '../ids.ts';
import { bytesOf } from '../../database/bytes.ts';
import { type Database, isUuid, nullWhereMissing } from '../../database/database.ts';
import type { Invitation as InvitationRow, Prisma } from '../../database/generated/client.ts';

const invitationOf = (row: InvitationRow): Invitation => ({
  id: row.id,
  role: roleOf(row.role),
  email: row.email,
  createdAt: row.createdAt.getTime(),
  expiresAt: row.expiresAt.getTime(),
  createdBy: row.createdBy === null ? null : personIdOf(row.createdBy),
});

/** Deletes an invitation that is open and returns it. Prisma sends one DELETE … RETURNING, so of two callers at once exactly one gets it. */
export const takeInvitation = (
  models: Prisma.TransactionClient,
  codeHash: Buffer,
  now: number,
): Promise<InvitationRow | null> =>
  models.invitation
    .delete({ where: { codeHash: bytesOf(codeHash), expiresAt: { gt: new Date(now) } } })
    .catch(nullWhereMissing);

type InvitationStore = Pick<Teams, 'invitations' | 'invite' | 'withdraw' | 'peek'>;
export const createInvitationStore = ({ prisma }: Database): InvitationStore => ({
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
});
