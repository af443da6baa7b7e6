import type { EnrolmentTokens } from '../store.ts';
import { bytesOf } from '../../database/bytes.ts';
import { isUuid, type Database } from '../../database/database.ts';
import { creatorColumns, creatorOf } from '../../tenancy/creator.ts';
import { organisationIdOf } from '../../tenancy/ids.ts';

export const createEnrolmentTokenStore = ({ prisma }: Database): EnrolmentTokens => ({
  create: async ({ owner, tokenHash, expiresAt, createdBy }, now) =>
    prisma.enrolmentToken.create({
      data: {
        organisationId: owner?.organisationId ?? null,
        tokenHash: bytesOf(tokenHash),
        createdAt: new Date(now),
        expiresAt: new Date(expiresAt),
        ...creatorColumns(createdBy),
      },
      select: { id: true },
    }),
  list: async ({ organisationId }, now) => {
    const rows = await prisma.enrolmentToken.findMany({
      where: { organisationId, expiresAt: { gt: new Date(now) } },
      include: { _count: { select: { servers: true } } },
      orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    });
    return rows.map((row) => ({
      id: row.id,
      createdAt: row.createdAt.getTime(),
      expiresAt: row.expiresAt.getTime(),
      servers: row._count.servers,
      createdBy: creatorOf(row),
    }));
  },
  revoke: async ({ organisationId }, id) =>
    isUuid(id) && (await prisma.enrolmentToken.deleteMany({ where: { id, organisationId } })).count === 1,
  find: async (tokenHash, now) => {
    const row = await prisma.enrolmentToken.findFirst({
      where: { tokenHash: bytesOf(tokenHash), expiresAt: { gt: new Date(now) } },
      select: { id: true, organisationId: true },
    });
    return (
      row && { id: row.id, organisationId: row.organisationId === null ? null : organisationIdOf(row.organisationId) }
    );
  },
});
