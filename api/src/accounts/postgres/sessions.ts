import type { Session, Sessions } from '../store.ts';
import { bytesOf } from '../../database/bytes.ts';
import type { Database } from '../../database/database.ts';
import type { Session as SessionRow } from '../../database/generated/client.ts';

const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  accountId: row.accountId,
  createdAt: row.createdAt.getTime(),
  expiresAt: row.expiresAt.getTime(),
});

export const sessionsOn = ({ prisma }: Database): Sessions => ({
  create: async ({ accountId, tokenHash, expiresAt }, now) =>
    sessionOf(
      await prisma.session.create({
        data: {
          accountId,
          tokenHash: bytesOf(tokenHash),
          createdAt: new Date(now),
          expiresAt: new Date(expiresAt),
        },
      }),
    ),
  find: async (tokenHash, now) => {
    const row = await prisma.session.findFirst({
      where: { tokenHash: bytesOf(tokenHash), expiresAt: { gt: new Date(now) }, account: { isActive: true } },
    });
    return row && sessionOf(row);
  },
  revoke: async (tokenHash) => {
    await prisma.session.deleteMany({ where: { tokenHash: bytesOf(tokenHash) } });
  },
});
