import type { SignInCodes } from '../store.ts';
import { bytesOf } from '../../database/bytes.ts';
import { type Database, nullWhereMissing } from '../../database/database.ts';

export const createSignInCodeStore = ({ prisma }: Database): SignInCodes => ({
  create: async ({ codeHash, accountId, bindingHash, expiresAt }, now) => {
    await prisma.signInCode.create({
      data: {
        codeHash: bytesOf(codeHash),
        accountId,
        bindingHash: bindingHash && bytesOf(bindingHash),
        createdAt: new Date(now),
        expiresAt: new Date(expiresAt),
      },
    });
  },
  // Prisma sends one DELETE … RETURNING, so of two callers at once exactly one gets the code.
  consume: async (codeHash, bindingHash, now) =>
    prisma.signInCode
      .delete({
        where: {
          codeHash: bytesOf(codeHash),
          expiresAt: { gt: new Date(now) },
          OR: [{ bindingHash: null }, ...(bindingHash === null ? [] : [{ bindingHash: bytesOf(bindingHash) }])],
        },
        select: { accountId: true },
      })
      .catch(nullWhereMissing),
  peek: async (codeHash, now) =>
    prisma.signInCode.findFirst({
      where: { codeHash: bytesOf(codeHash), expiresAt: { gt: new Date(now) } },
      select: { accountId: true },
    }),
});
