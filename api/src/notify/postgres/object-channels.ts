// SQL writes the channels of custom resources as it writes their rules and silences: it compares the hashes.
import type { Pool } from 'pg';
import { timestamp as at } from '../../database/time.ts';
import {
  goneValues,
  IS_GONE,
  NAMES,
  ON_SAME_OBJECT,
  RETURNING_NAME,
  WHERE_OTHER,
  type ObjectName,
} from '../../kubernetes/object-rows.ts';
import type { Channels } from '../store.ts';
import type { ObjectChannel } from '../types.ts';

/** $1 cluster  $2 account  $3 id  $4 type  $5 name  $6 settings  $7 secrets  $8 their ends  $9 routing  $10 now, ms  $11–$13 object */
const SAVE = `INSERT INTO notify_channel (id, organisation_id, type, name, settings, secrets, secret_ends, routing, created_at,
    updated_at, object_cluster_key, object_namespace, object_name, object_hash)
  VALUES ($3, $2, $4, $5, $6, $7, $8, $9, ${at('$10')}, ${at('$10')}, $1, $11, $12, $13)
  ${ON_SAME_OBJECT} id = excluded.id, organisation_id = excluded.organisation_id, type = excluded.type, name = excluded.name,
    settings = excluded.settings, secrets = excluded.secrets, secret_ends = excluded.secret_ends, routing = excluded.routing,
    updated_at = excluded.updated_at, object_hash = excluded.object_hash, send_after = NULL
  ${WHERE_OTHER('notify_channel')}`;
/** $1 cluster  $2 namespace  $3 name  $4 id that stays */
const DELETE_OTHER = `DELETE FROM notify_channel
  WHERE object_cluster_key = $1 AND object_namespace = $2 AND object_name = $3 AND id <> $4`;
const DELETE = `DELETE FROM notify_channel WHERE ${IS_GONE} ${RETURNING_NAME}`;

const SEALED = `SELECT id, type, secrets, object_namespace AS namespace, object_name AS name
  FROM notify_channel WHERE object_cluster_key = $1`;
type SealedRow = Omit<ObjectChannel, 'sealedSecrets'> & { secrets: Buffer };

export const createObjectChannels = (pool: Pool): Channels['ofObjects'] => ({
  sealed: async (clusterKey) =>
    (await pool.query<SealedRow>(SEALED, [clusterKey])).rows.map(({ secrets, ...row }) => ({
      ...row,
      sealedSecrets: secrets,
    })),
  save: async ({ clusterKey, organisationId }, drafts, now) => {
    const written = [];
    for (const { entry, namespace, name, hash } of drafts) {
      const { id, type, settings, sealedSecrets, secretEnds, routing } = entry;
      const json = [JSON.stringify(settings), sealedSecrets, JSON.stringify(secretEnds), JSON.stringify(routing)];
      const values = [clusterKey, organisationId, id, type, entry.name, ...json, now, namespace, name, hash];
      // The type decided the settings: a channel of another type is another channel.
      await pool.query(DELETE_OTHER, [clusterKey, namespace, name, id]);
      written.push(...(await pool.query<ObjectName & { isNew: boolean }>(SAVE, values)).rows);
    }
    return written;
  },
  deleteOthers: async (cluster, stay) => (await pool.query<ObjectName>(DELETE, goneValues(cluster, stay))).rows,
  names: async (clusterKey) => (await pool.query<ObjectName>(NAMES('notify_channel'), [clusterKey])).rows,
});
