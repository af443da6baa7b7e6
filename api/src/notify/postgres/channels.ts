// SQL lists channels with what waits in each and its last delivery, in one statement. Prisma writes them.
import type { Owner } from '../../tenancy/owner.ts';
import { bytesOf } from '../../database/bytes.ts';
import { isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import type { Notify } from '../store.ts';
import type { ChannelEntry, ChannelRecord, ChannelState, DeliveryRecord } from '../types.ts';
import { type OrganisationId, organisationIdOf } from '../../tenancy/ids.ts';
import { createObjectChannels } from './object-channels.ts';

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
  WHERE c.organisation_id = $1 AND ($2::uuid IS NULL OR c.id = $2) ORDER BY c.created_at, c.id`;

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
  WHERE id = $1 AND organisation_id = $2 AND environment_hash IS NULL AND object_cluster_key IS NULL`;

/** $1 id  $2 account  $3 old chat id  $4 new chat id  $5 now, ms */
const MOVE_CHAT = `UPDATE notify_channel SET settings = jsonb_set(settings, '{chat_id}', to_jsonb($4::text)), updated_at = ${at('$5')}
  WHERE id = $1 AND organisation_id = $2 AND type = 'telegram' AND settings->>'chat_id' = $3
    AND environment_hash IS NULL AND object_cluster_key IS NULL`;

const WITH_SETTINGS = 'SELECT id, type, settings, secrets FROM notify_channel WHERE settings ?| $1 ORDER BY id';

/** Widens a type with unknown values, which Prisma's type of JSON refuses. */
const jsonOf = (value: object): object => value;

const createChannel = async (
  prisma: Database['prisma'],
  organisationId: OrganisationId,
  entry: ChannelEntry,
  hash: Buffer | null,
  now: number,
  clusterKey: number | null = null,
): Promise<void> => {
  const { id, type, name, settings, sealedSecrets, secretEnds, routing } = entry;
  const time = new Date(now);
  const row = { id, organisationId, type, name, createdAt: time, updatedAt: time };
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
  const list = async ({ organisationId }: Owner, id: string | null): Promise<ChannelState[]> =>
    (await pool.query<ChannelStateRow>(LIST, [organisationId, id])).rows.map(stateOf);
  return {
    ofObjects: createObjectChannels(pool),
    list: (owner) => list(owner, null),
    get: async (owner, id) => (isUuid(id) ? ((await list(owner, id))[0] ?? null) : null),
    create: ({ organisationId }, entry, now) => createChannel(prisma, organisationId, entry, null, now),
    update: async ({ organisationId }, { id, name, settings, sealedSecrets, secretEnds, routing }, now) => {
      const parts = [
        name,
        JSON.stringify(settings),
        sealedSecrets,
        JSON.stringify(secretEnds),
        JSON.stringify(routing),
      ];
      return (await pool.query(UPDATE, [id, organisationId, ...parts, now])).rowCount === 1;
    },
    delete: async ({ organisationId }, id) => {
      if (!isUuid(id)) return false;
      const where = { id, organisationId, environmentHash: null, objectClusterKey: null };
      return (await prisma.notifyChannel.deleteMany({ where })).count === 1;
    },
    moveChat: async ({ organisationId }, id, { from, to }, now) =>
      (await pool.query(MOVE_CHAT, [id, organisationId, from, to, now])).rowCount === 1,
    managed: async () => {
      const row = await prisma.notifyChannel.findFirst({ where: { environmentHash: { not: null }, clusterKey: null } });
      if (row?.environmentHash == null) return null;
      const { id, type } = row;
      const organisationId = organisationIdOf(row.organisationId);
      return { id, type: type as ChannelRecord['type'], organisationId, hash: Buffer.from(row.environmentHash) };
    },
    saveManaged: async ({ organisationId }, entry, hash, now) => {
      if (!(await replaceManaged(prisma, entry, hash, now)))
        await createChannel(prisma, organisationId, entry, hash, now);
    },
    ofCluster: async (clusterKey) => {
      const row = await prisma.notifyChannel.findUnique({ where: { clusterKey } });
      if (row?.environmentHash == null) return null;
      return { id: row.id, name: row.name, hash: Buffer.from(row.environmentHash) };
    },
    saveOfCluster: async ({ organisationId }, clusterKey, entry, hash, now) => {
      if (!(await replaceManaged(prisma, entry, hash, now)))
        await createChannel(prisma, organisationId, entry, hash, now, clusterKey);
    },
    deleteOfCluster: async (clusterKey) => (await prisma.notifyChannel.deleteMany({ where: { clusterKey } })).count > 0,
    withSettings: async (names) => {
      const { rows } = await pool.query<Pick<ChannelRow, 'id' | 'type' | 'settings' | 'secrets'>>(WITH_SETTINGS, [
        names,
      ]);
      return rows.map(({ secrets, ...row }) => ({ ...row, sealedSecrets: secrets }));
    },
    reseal: async ({ id, sealedSecrets: before }, { settings, sealedSecrets, secretEnds }) => {
      const { count } = await prisma.notifyChannel.updateMany({
        where: { id, secrets: bytesOf(before) },
        data: { settings: jsonOf(settings), secrets: bytesOf(sealedSecrets), secretEnds },
      });
      return count > 0;
    },
    deleteManaged: async () =>
      (await prisma.notifyChannel.deleteMany({ where: { environmentHash: { not: null }, clusterKey: null } })).count >
      0,
  };
};
