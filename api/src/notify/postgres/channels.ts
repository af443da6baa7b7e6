// SQL lists channels with what waits in each and its last delivery, in one statement. Prisma writes them.
import type { Owner } from '../../accounts/owner.ts';
import { bytesOf } from '../../database/bytes.ts';
import { isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import type { Notify } from '../store.ts';
import type { ChannelEntry, ChannelRecord, ChannelState, DeliveryRecord } from '../types.ts';

/** Null: the channel belongs to the account as a whole. */
export const CLUSTER_KEY = 'COALESCE(c.cluster_key, c.object_cluster_key)';

const CHANNEL = `c.id, c.type, c.name, c.settings, c.secrets, c.secret_ends, c.routing,
  CASE WHEN ${CLUSTER_KEY} IS NOT NULL THEN 'cluster' WHEN c.environment_hash IS NOT NULL THEN 'environment' ELSE 'user' END
    AS managed_by,
  (SELECT json_build_object('clusterId', k.uid, 'clusterName', k.name, 'namespace', c.object_namespace, 'name', c.object_name)
    FROM cluster k WHERE k.key = c.object_cluster_key) AS object, ${ms('c.created_at')} AS created, ${ms('c.updated_at')} AS updated`;
export interface ChannelRow {
  id: string;
  type: ChannelRecord['type'];
  name: string;
  settings: ChannelRecord['settings'];
  secrets: Buffer;
  secret_ends: ChannelRecord['secretEnds'];
  routing: ChannelRecord['routing'];
  managed_by: ChannelRecord['managedBy'];
  object: ChannelRecord['object'];
  created: number;
  updated: number;
}
interface ChannelStateRow extends ChannelRow {
  waiting: number;
  last_at: number | null;
  last_outcome: DeliveryRecord['outcome'] | null;
  last_detail: string | null;
}
const LIST = `SELECT ${CHANNEL}, (SELECT count(*) FROM notify_outbox o WHERE o.channel_id = c.id)::integer AS waiting,
    ${ms('l.at')} AS last_at, l.outcome AS last_outcome, l.detail AS last_detail
  FROM notify_channel c LEFT JOIN LATERAL
    (SELECT at, outcome, detail FROM notify_delivery WHERE channel_id = c.id ORDER BY id DESC LIMIT 1) AS l ON true
  WHERE c.account_id = $1 AND ($2::uuid IS NULL OR c.id = $2) ORDER BY c.created_at, c.id`;

const recordOf = (row: ChannelRow): ChannelRecord => ({
  id: row.id,
  type: row.type,
  name: row.name,
  settings: row.settings,
  sealedSecrets: row.secrets,
  secretEnds: row.secret_ends,
  routing: row.routing,
  managedBy: row.managed_by,
  object: row.object,
  createdAt: row.created,
  updatedAt: row.updated,
});
const stateOf = (row: ChannelStateRow): ChannelState => ({
  ...recordOf(row),
  waiting: row.waiting,
  lastDelivery:
    row.last_at === null || row.last_outcome === null
      ? null
      : { at: row.last_at, outcome: row.last_outcome, detail: row.last_detail ?? '' },
});

const UPDATE = `UPDATE notify_channel SET name = $3, settings = $4, secrets = $5, secret_ends = $6, routing = $7,
    updated_at = ${at('$8')}, send_after = NULL
  WHERE id = $1 AND account_id = $2 AND environment_hash IS NULL AND object_cluster_key IS NULL`;

/** Widens a type with unknown values, which Prisma's type of JSON refuses. */
const jsonOf = (value: object): object => value;

const createChannel = async (
  prisma: Database['prisma'],
  accountId: string,
  entry: ChannelEntry,
  hash: Buffer | null,
  now: number,
  clusterKey: number | null = null,
): Promise<void> => {
  const { id, type, name, settings, sealedSecrets, secretEnds, routing } = entry;
  const time = new Date(now);
  const row = { id, accountId, type, name, createdAt: time, updatedAt: time };
  await prisma.notifyChannel.create({
    data: {
      ...row,
      settings: jsonOf(settings),
      secrets: bytesOf(sealedSecrets),
      secretEnds,
      routing: jsonOf(routing),
      environmentHash: hash && bytesOf(hash),
      clusterKey,
    },
    select: { id: true },
  });
};

const replaceManaged = async (
  prisma: Database['prisma'],
  entry: ChannelEntry,
  hash: Buffer,
  now: number,
): Promise<boolean> => {
  // The row stays while the values change, with what waits in its outbox.
  const { count } = await prisma.notifyChannel.updateMany({
    where: { id: entry.id, environmentHash: { not: null } },
    data: {
      settings: jsonOf(entry.settings),
      secrets: bytesOf(entry.sealedSecrets),
      secretEnds: entry.secretEnds,
      environmentHash: bytesOf(hash),
      updatedAt: new Date(now),
    },
  });
  return count > 0;
};

export const createChannelStore = ({ pool, prisma }: Database): Notify['channels'] => {
  const list = async ({ accountId }: Owner, id: string | null): Promise<ChannelState[]> =>
    (await pool.query<ChannelStateRow>(LIST, [accountId, id])).rows.map(stateOf);
  return {
    list: (owner) => list(owner, null),
    get: async (owner, id) => (isUuid(id) ? ((await list(owner, id))[0] ?? null) : null),
    create: ({ accountId }, entry, now) => createChannel(prisma, accountId, entry, null, now),
    update: async ({ accountId }, { id, name, settings, sealedSecrets, secretEnds, routing }, now) => {
      const parts = [
        name,
        JSON.stringify(settings),
        sealedSecrets,
        JSON.stringify(secretEnds),
        JSON.stringify(routing),
      ];
      return (await pool.query(UPDATE, [id, accountId, ...parts, now])).rowCount === 1;
    },
    delete: async ({ accountId }, id) => {
      if (!isUuid(id)) return false;
      const where = { id, accountId, environmentHash: null, objectClusterKey: null };
      return (await prisma.notifyChannel.deleteMany({ where })).count === 1;
    },
    managed: async () => {
      const row = await prisma.notifyChannel.findFirst({ where: { environmentHash: { not: null }, clusterKey: null } });
      if (row?.environmentHash == null) return null;
      const { id, type, accountId } = row;
      return { id, type: type as ChannelRecord['type'], accountId, hash: Buffer.from(row.environmentHash) };
    },
    saveManaged: async ({ accountId }, entry, hash, now) => {
      if (!(await replaceManaged(prisma, entry, hash, now))) await createChannel(prisma, accountId, entry, hash, now);
    },
    ofCluster: async (clusterKey) => {
      const row = await prisma.notifyChannel.findUnique({ where: { clusterKey } });
      if (row?.environmentHash == null) return null;
      return { id: row.id, name: row.name, hash: Buffer.from(row.environmentHash) };
    },
    saveOfCluster: async ({ accountId }, clusterKey, entry, hash, now) => {
      if (!(await replaceManaged(prisma, entry, hash, now)))
        await createChannel(prisma, accountId, entry, hash, now, clusterKey);
    },
    deleteOfCluster: async (clusterKey) => (await prisma.notifyChannel.deleteMany({ where: { clusterKey } })).count > 0,
    deleteManaged: async () =>
      (await prisma.notifyChannel.deleteMany({ where: { environmentHash: { not: null }, clusterKey: null } })).count >
      0,
  };
};
