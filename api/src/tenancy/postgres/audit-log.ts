import type { AuditedChanges, AuditLog } from '../store.ts';
import { personIdOf } from '../ids.ts';
import type { AuditEntry } from '../types.ts';
import type { Database } from '../../database/database.ts';
import type { AuditEntry as AuditRow } from '../../database/generated/client.ts';

const entryOf = (row: AuditRow): AuditEntry => ({
  id: Number(row.id),
  at: row.at.getTime(),
  action: row.action,
  person: row.personId === null ? null : { id: personIdOf(row.personId), name: row.personName ?? 'deleted account' },
  token: row.tokenName === null ? null : { id: row.tokenId, name: row.tokenName },
  address: row.address,
  detail: row.detail as AuditEntry['detail'],
});

export const createAuditLogStore = (database: Database, auditedChanges: AuditedChanges): AuditLog => ({
  record: async (by, action, detail, now) => {
    const { organisationId, person, token, address } = by;
    const { prisma } = database;
    await prisma.auditEntry.create({
      data: {
        organisationId,
        at: new Date(now),
        action,
        address,
        detail,
        personId: person?.id ?? null,
        personName: person?.name ?? null,
        tokenId: token?.id ?? null,
        tokenName: token?.name ?? null,
      },
      select: { id: true },
    });
    await auditedChanges.add(by, { action, detail, now });
  },
  list: async ({ organisationId }, { limit, offset }) => {
    const { prisma } = database;
    const where = { organisationId };
    const rows = await prisma.auditEntry.findMany({ where, orderBy: { id: 'desc' }, take: limit, skip: offset });
    return { entries: rows.map(entryOf), total: await prisma.auditEntry.count({ where }) };
  },
});
