import { randomUUID } from 'node:crypto';
import type { ApiToken, TokenScope } from '../types.ts';
import type { ApiTokens } from '../store.ts';
import { bytesOf } from '../../database/bytes.ts';
import { isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import type { ApiToken as ApiTokenRow } from '../../database/generated/client.ts';

const tokenOf = (row: ApiTokenRow): ApiToken => ({
  id: row.id,
  name: row.name,
  lastFour: row.lastFour,
  scopes: scopesOf(row),
  createdAt: row.createdAt.getTime(),
  lastUsedAt: row.lastUsedAt?.getTime() ?? null,
});
/** Only `replace` writes them. */
const scopesOf = ({ scopes }: Pick<ApiTokenRow, 'scopes'>): TokenScope[] => scopes as TokenScope[];

const MINUTE_MS = 60_000;

export const apiTokensOn = ({ prisma }: Database): ApiTokens => ({
  replace: async ({ accountId }, { name, tokenHash, lastFour, scopes }, now) => {
    const where = { accountId_name: { accountId, name } };
    const old = await prisma.apiToken.findUnique({ where, select: { id: true } });
    const fresh = { tokenHash: bytesOf(tokenHash), lastFour, scopes: [...scopes], createdAt: new Date(now) };
    const row = await prisma.apiToken.upsert({
      where,
      create: { accountId, name, ...fresh },
      update: { id: randomUUID(), lastUsedAt: null, ...fresh },
    });
    return { token: tokenOf(row), replaced: old !== null };
  },
  find: async (tokenHash, now) => {
    const row = await prisma.apiToken.findFirst({
      where: { tokenHash: bytesOf(tokenHash), account: { isActive: true } },
      select: { id: true, accountId: true, scopes: true, lastUsedAt: true },
    });
    if (!row) return null;
    // Once a minute is exact enough to see whether a token is still in use, and spares a write per call.
    if (row.lastUsedAt === null || now - row.lastUsedAt.getTime() >= MINUTE_MS)
      await prisma.apiToken.updateMany({ where: { id: row.id }, data: { lastUsedAt: new Date(now) } });
    return { id: row.id, accountId: row.accountId, scopes: scopesOf(row) };
  },
  list: async ({ accountId }) =>
    (await prisma.apiToken.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' } })).map(tokenOf),
  revoke: async ({ accountId }, id) => {
    if (!isUuid(id)) return false;
    return (await prisma.apiToken.deleteMany({ where: { accountId, id } })).count === 1;
  },
});
