import type { AuditLog } from '../store.ts';
import type { AuditEntry } from '../types.ts';
import type { Database } from '../../database/database.ts';

export const createAuditLogStore = ({ prisma }: Database): AuditLog => ({
  record: async ({ accountId, action, address, detail }, now) => {
    await prisma.auditEntry.create({
      data: { accountId, at: new Date(now), action, address, detail },
      select: { id: true },
    });
  },
  list: async ({ accountId }, { limit, offset }) => {
    const where = { accountId };
    const rows = await prisma.auditEntry.findMany({ where, orderBy: { id: 'desc' }, take: limit, skip: offset });
    const entries = rows.map(({ id, at: time, action, address, detail }): AuditEntry => ({
      id: Number(id),
      at: time.getTime(),
      action,
      address,
      detail: detail as AuditEntry['detail'],
    }));
    return { entries, total: await prisma.auditEntry.count({ where }) };
  },
});
