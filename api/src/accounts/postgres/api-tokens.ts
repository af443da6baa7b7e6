// SQL finds a token with its person and role: each request runs it, and Prisma would send three statements.
import { MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { randomUUID } from 'node:crypto';
import type { ApiToken, TokenScope } from '../types.ts';
import type { ApiTokens } from '../store.ts';
import { JOIN_MEMBERSHIP, MEMBERSHIP, membershipOf, type MembershipRow } from '../../tenancy/membership-sql.ts';
import { bytesOf } from '../../database/bytes.ts';
import { isUuid, nullWhereMissing } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import type { ApiToken as ApiTokenRow } from '../../database/generated/client.ts';

export interface FoundApiToken extends MembershipRow {
  id: string;
  name: string;
  scopes: string[];
  last_used_at: Date | null;
  expires_at: Date | null;
}
/** $1 hash of the token  $2 now */
export const FIND_API_TOKEN = `SELECT t.id, t.name, t.account_id, t.scopes, t.last_used_at, t.expires_at, ${MEMBERSHIP}
  FROM api_token t JOIN account a ON a.id = t.account_id AND a.is_active ${JOIN_MEMBERSHIP} 
  WHERE t.token_hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)`;

const tokenOf = (row: ApiTokenRow): ApiToken => ({
  id: row.id,
  name: row.name,
  lastFour: row.lastFour,
  scopes: scopesOf(row),
  createdAt: row.createdAt.getTime(),
  lastUsedAt: row.lastUsedAt?.getTime() ?? null,
  expiresAt: row.expiresAt?.getTime() ?? null,
});
/** Only `replace` writes them. */
const scopesOf = ({ scopes }: Pick<ApiTokenRow, 'scopes'>): TokenScope[] => scopes as TokenScope[];

export const createApiTokenStore = ({ prisma, pool }: Database): ApiTokens => ({
  replace: async (personId, { name, tokenHash, lastFour, scopes, expiresAt }, now) => {
    const where = { personId_name: { personId, name } };
    const old = await prisma.apiToken.findUnique({ where, select: { id: true } });
    const fresh = {
      tokenHash: bytesOf(tokenHash),
      lastFour,
      scopes: [...scopes],
      createdAt: new Date(now),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    };
    const row = await prisma.apiToken.upsert({
      where,
      create: { personId, name, ...fresh },
      update: { id: randomUUID(), lastUsedAt: null, ...fresh },
    });
    return { token: tokenOf(row), replacedId: old?.id ?? null };
  },
  find: async (tokenHash, now) => {
    const { rows } = await pool.query<FoundApiToken>(FIND_API_TOKEN, [tokenHash, new Date(now)]);
    const [row] = rows;
    if (!row) return null;
    // Once a minute is exact enough to see whether a token is still in use, and spares a write per call.
    if (row.last_used_at === null || now - row.last_used_at.getTime() >= MINUTE_MS)
      await prisma.apiToken.updateMany({ where: { id: row.id }, data: { lastUsedAt: new Date(now) } });
    return {
      person: { id: row.account_id, name: row.person_name },
      token: { id: row.id, name: row.name },
      membership: membershipOf(row),
      scopes: scopesOf(row),
      expiresAt: row.expires_at?.getTime() ?? null,
    };
  },
  list: async (personId) =>
    (await prisma.apiToken.findMany({ where: { personId }, orderBy: { createdAt: 'asc' } })).map(tokenOf),
  revoke: async (personId, id) => {
    if (!isUuid(id)) return null;
    const row = await prisma.apiToken.delete({ where: { personId, id } }).catch(nullWhereMissing);
    return row && tokenOf(row);
  },
});
