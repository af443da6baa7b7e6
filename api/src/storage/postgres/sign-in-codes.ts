import type { SignInCodes } from '../ports.ts';
import { bytesOf } from './bytes.ts';
import type { Database } from './database.ts';

/** One statement reads the code and uses it up, so of two callers at once exactly one gets it. */
const CONSUME = `DELETE FROM sign_in_code
  WHERE code_hash = $1 AND expires_at > to_timestamp($3 / 1000.0) AND (binding_hash IS NULL OR binding_hash = $2)
  RETURNING account_id AS "accountId"`;

export const signInCodesOn = ({ pool, prisma }: Database): SignInCodes => ({
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
  consume: async (codeHash, bindingHash, now) => {
    const { rows } = await pool.query<{ accountId: string | null }>(CONSUME, [codeHash, bindingHash, now]);
    return rows[0] ?? null;
  },
  peek: async (codeHash, now) =>
    prisma.signInCode.findFirst({
      where: { codeHash: bytesOf(codeHash), expiresAt: { gt: new Date(now) } },
      select: { accountId: true },
    }),
});
