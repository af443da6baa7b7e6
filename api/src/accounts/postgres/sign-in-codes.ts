import type { SignInCodes } from '../store.ts';
import { bytesOf } from '../../database/bytes.ts';
import { type Database, nullWhereMissing } from '../../database/database.ts';
import { type PersonId, personIdOf } from '../../tenancy/ids.ts';

const personOf = (row: { personId: string | null } | null): { personId: PersonId | null } | null =>
  row && { personId: row.personId === null ? null : personIdOf(row.personId) };

export const createSignInCodeStore = ({ prisma }: Database): SignInCodes => ({
  create: async ({ codeHash, personId, bindingHash, expiresAt }, now) => {
    await prisma.signInCode.create({
      data: {
        codeHash: bytesOf(codeHash),
        personId,
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
        select: { personId: true },
      })
      .catch(nullWhereMissing)
      .then(personOf),
  peek: async (codeHash, now) =>
    prisma.signInCode
      .findFirst({
        where: { codeHash: bytesOf(codeHash), expiresAt: { gt: new Date(now) } },
        select: { personId: true },
      })
      .then(personOf),
});
