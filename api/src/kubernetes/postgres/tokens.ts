// SQL creates a token: the statement also finds its owner. Everything else goes through Prisma.
import type { ClusterTokens } from '../store.ts';
import { bytesOf } from '../../database/bytes.ts';
import { isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';

/** One statement, so that no account that begins meanwhile is missed: then the token would belong to nobody. */
const CREATE = `INSERT INTO cluster_token (account_id, token_hash, name, last_four, created_at, expires_unused_at)
  VALUES (COALESCE($1, (SELECT id FROM account ORDER BY created_at, id LIMIT 1)), $2, $3, $4,
    to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0))
  RETURNING id`;
/** "Last used" to the minute is enough; a write per request is not. */
const TOUCH_AFTER_MS = 60_000;

export const createClusterTokenStore = ({ pool, prisma }: Database): ClusterTokens => ({
  create: async ({ owner, tokenHash, name, lastFour, expiresUnusedAt }, now) => {
    const values = [owner?.accountId ?? null, tokenHash, name, lastFour, now, expiresUnusedAt];
    const { rows } = await pool.query<{ id: string }>(CREATE, values);
    return { id: rows[0]?.id ?? '' };
  },
  list: async ({ accountId }) => {
    const rows = await prisma.clusterToken.findMany({
      where: { accountId },
      include: { cluster: { select: { uid: true, name: true } } },
      orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    });
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      lastFour: row.lastFour,
      clusterId: row.cluster?.uid ?? null,
      clusterName: row.cluster?.name ?? null,
      createdAt: row.createdAt.getTime(),
      lastUsedAt: row.lastUsedAt?.getTime() ?? null,
      expiresAt: row.lastUsedAt === null ? (row.expiresUnusedAt?.getTime() ?? null) : null,
    }));
  },
  revoke: async ({ accountId }, id) => {
    if (!isUuid(id)) return false;
    return (await prisma.clusterToken.deleteMany({ where: { accountId, id } })).count === 1;
  },
  find: async (tokenHash, now) => {
    const found = await prisma.clusterToken.findUnique({
      where: {
        tokenHash: bytesOf(tokenHash),
        OR: [{ lastUsedAt: { not: null } }, { expiresUnusedAt: null }, { expiresUnusedAt: { gt: new Date(now) } }],
      },
      select: { id: true, accountId: true, clusterKey: true, lastUsedAt: true },
    });
    if (!found) return null;
    const { id, accountId, clusterKey, lastUsedAt } = found;
    if (now - (lastUsedAt?.getTime() ?? 0) > TOUCH_AFTER_MS)
      await prisma.clusterToken.updateMany({ where: { id }, data: { lastUsedAt: new Date(now) } });
    return { tokenId: id, accountId, clusterKey };
  },
});
