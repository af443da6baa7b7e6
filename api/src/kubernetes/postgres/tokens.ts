// SQL creates a token: the statement also finds its owner. Everything else goes through Prisma.
import type { ClusterTokens } from '../store.ts';
import { bytesOf } from '../../database/bytes.ts';
import { isUuid, nullWhereMissing } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { creatorColumns, creatorOf } from '../../tenancy/creator.ts';
import { nameOfToken } from '../token-name.ts';
import { organisationIdOf } from '../../tenancy/ids.ts';

/** One statement, so that no account that begins meanwhile is missed: then the token would belong to nobody. */
const CREATE = `INSERT INTO cluster_token (organisation_id, token_hash, name, last_four, created_at, expires_unused_at,
    created_by, by_plimsoll)
  VALUES (COALESCE($1, (SELECT id FROM account ORDER BY created_at, id LIMIT 1)), $2, $3, $4,
    to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0), $7, $8)
  RETURNING id`;
/** "Last used" to the minute is enough; a write per request is not. */
const TOUCH_AFTER_MS = 60_000;

export const createClusterTokenStore = ({ pool, prisma }: Database): ClusterTokens => ({
  create: async ({ owner, tokenHash, name, lastFour, expiresUnusedAt, ...made }, now) => {
    const { createdBy, byPlimsoll } = creatorColumns(made.createdBy);
    const values = [
      owner?.organisationId ?? null,
      tokenHash,
      name,
      lastFour,
      now,
      expiresUnusedAt,
      createdBy,
      byPlimsoll,
    ];
    const { rows } = await pool.query<{ id: string }>(CREATE, values);
    return { id: rows[0]?.id ?? '' };
  },
  list: async ({ organisationId }) => {
    const rows = await prisma.clusterToken.findMany({
      where: { organisationId },
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
      expiresAt: (row.endsAt ?? (row.lastUsedAt === null ? row.expiresUnusedAt : null))?.getTime() ?? null,
      isReplaced: row.endsAt !== null,
      createdBy: creatorOf(row),
    }));
  },
  revoke: async ({ organisationId }, id) => {
    if (!isUuid(id)) return null;
    const select = { name: true, lastFour: true, cluster: { select: { name: true } } };
    const row = await prisma.clusterToken.delete({ where: { organisationId, id }, select }).catch(nullWhereMissing);
    return row && { name: row.name ?? row.cluster?.name ?? nameOfToken(row) };
  },
  replace: async ({ organisationId }, id, { tokenHash, lastFour, createdBy, endsAt }, now) => {
    if (!isUuid(id)) return null;
    const old = await prisma.clusterToken
      .update({
        where: { id, organisationId, endsAt: null, lastUsedAt: { not: null } },
        data: { endsAt: new Date(endsAt) },
        include: { cluster: { select: { name: true } } },
      })
      .catch(nullWhereMissing);
    if (old === null) return null;
    const data = {
      organisationId,
      clusterKey: old.clusterKey,
      tokenHash: bytesOf(tokenHash),
      name: old.name,
      lastFour,
      createdAt: new Date(now),
      // Whoever has not run the command by then runs nothing with the old token either.
      expiresUnusedAt: new Date(endsAt),
      ...creatorColumns(createdBy),
    };
    const created = await prisma.clusterToken.create({ data, select: { id: true } });
    return { id: created.id, name: old.name ?? old.cluster?.name ?? nameOfToken(old) };
  },
  find: async (tokenHash, now) => {
    const found = await prisma.clusterToken.findUnique({
      where: {
        tokenHash: bytesOf(tokenHash),
        AND: { OR: [{ endsAt: null }, { endsAt: { gt: new Date(now) } }] },
        OR: [{ lastUsedAt: { not: null } }, { expiresUnusedAt: null }, { expiresUnusedAt: { gt: new Date(now) } }],
      },
      select: {
        id: true,
        organisationId: true,
        clusterKey: true,
        lastUsedAt: true,
        name: true,
        lastFour: true,
        cluster: { select: { name: true } },
      },
    });
    if (!found) return null;
    const { id, organisationId, clusterKey, lastUsedAt } = found;
    if (now - (lastUsedAt?.getTime() ?? 0) > TOUCH_AFTER_MS)
      await prisma.clusterToken.updateMany({ where: { id }, data: { lastUsedAt: new Date(now) } });
    const name = found.cluster?.name ?? nameOfToken(found);
    return {
      tokenId: id,
      name,
      organisationId: organisationId === null ? null : organisationIdOf(organisationId),
      clusterKey,
    };
  },
});
