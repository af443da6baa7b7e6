import type { EnrolmentTokens } from '../store.ts';
import { bytesOf } from '../../database/bytes.ts';
import type { Database } from '../../database/database.ts';

export const createEnrolmentTokenStore = ({ prisma }: Database): EnrolmentTokens => ({
  create: async ({ owner, tokenHash, expiresAt }, now) =>
    prisma.enrolmentToken.create({
      data: {
        accountId: owner?.accountId ?? null,
        tokenHash: bytesOf(tokenHash),
        createdAt: new Date(now),
        expiresAt: new Date(expiresAt),
      },
      select: { id: true },
    }),
  find: async (tokenHash, now) =>
    prisma.enrolmentToken.findFirst({
      where: { tokenHash: bytesOf(tokenHash), expiresAt: { gt: new Date(now) } },
      select: { id: true, accountId: true },
    }),
});
