// SQL reads servers together with their latest figures (one statement per list) and purges one table by table.
import type { SystemPart } from '@plimsoll/contract/wire/report';
import { authorize } from '../../tenancy/owner.ts';
import type { LatestState, ServerRecord, ServerWithLatest } from '../types.ts';
import type { Servers } from '../store.ts';
import { inTransaction, isUniqueViolation, isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds } from '../../database/time.ts';
import { inScope } from '../scope-sql.ts';
import { scopeFacts } from './scope.ts';
import { SAMPLE_COLUMN_NAMES, sampleOf } from '../../series/stored-figures.ts';
import { KUBERNETES_LEVEL } from '../../database/set-aside.ts';
import type { SampleFigures } from '../../series/stored-figures.ts';
import type { FilesystemTrend } from '../../series/types.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

export interface ServerRow extends SampleFigures {
  id: string;
  key: number;
  organisation_id: OrganisationId | null;
  enrolment_token_id: string | null;
  hostname: string;
  display_name: string | null;
  tags: Record<string, string>;
  report_interval_seconds: number;
  is_kubernetes_node: boolean;
  created_at: Date;
  uninstalled_at: Date | null;
  last_seen_at: Date | null;
  refusal: ServerRecord['refusal'];
  sample_at: Date | null;
  system: SystemPart | null;
  memory_total_bytes: number | null;
  storage_total_bytes: number | null;
  disk_trends: FilesystemTrend[] | null;
}
export interface PartsRow {
  per_core_percent: LatestState['perCorePercent'] | null;
  filesystems: LatestState['filesystems'] | null;
  disks: LatestState['disks'] | null;
  interfaces: LatestState['interfaces'] | null;
  inside: LatestState['inside'] | null;
  agent: (NonNullable<LatestState['agent']> & { sources: LatestState['sources'] }) | null;
}

export interface SourcesRow {
  id: string;
  sources: LatestState['sources'];
}

export interface LatestPartsRow extends Pick<PartsRow, 'filesystems' | 'interfaces'> {
  key: number;
}
export const SELECT_LATEST_PARTS = `SELECT s.key, p.filesystems, p.interfaces
  FROM server s JOIN server_parts p ON p.server_key = s.key WHERE s.organisation_id = $1`;

const factColumn = (name: string): string =>
  `(SELECT value FROM server_fact f WHERE f.server_key = s.key AND f.name = '${name}') AS ${name}`;

export const SELECT_SERVERS = `SELECT s.id, s.key, s.organisation_id, s.enrolment_token_id, s.hostname, s.display_name, s.tags,
    s.report_interval_seconds, s.is_kubernetes_node, s.created_at, s.uninstalled_at,
    (SELECT max(last_received_at) FROM report_stream r WHERE r.server_key = s.key) AS last_seen_at,
    (SELECT json_build_object('since', ${milliseconds('f.since')}, 'lastAt', ${milliseconds('f.last_at')}, 'code', f.code, 'detail', f.detail)
      FROM report_refusal f WHERE f.server_key = s.key) AS refusal,
    ${['system', 'memory_total_bytes', 'storage_total_bytes'].map(factColumn).join(', ')},
    (SELECT trends FROM filesystem_trend t WHERE t.server_key = s.key) AS disk_trends,
    l.sample_at, ${SAMPLE_COLUMN_NAMES.map((name) => `l.${name}`).join(', ')}
  FROM server s LEFT JOIN server_latest l ON l.server_key = s.key
  WHERE s.organisation_id = $1`;
/** The page first: facts and streams are looked up for its servers only. */
const SELECTED = `FROM server s LEFT JOIN server_latest l ON l.server_key = s.key
  WHERE s.organisation_id = $1 AND ($2::uuid[] IS NULL OR s.id = ANY($2)) AND (NOT $3::boolean OR l.sample_at IS NOT NULL)
    AND ($4::float8 IS NULL OR l.sample_at >= to_timestamp($4 / 1000.0))
    AND ($5::float8 IS NULL OR l.sample_at < to_timestamp($5 / 1000.0)) AND ${inScope('s.key', '$6')}`;
export const SELECT_PAGE = `${SELECT_SERVERS} AND s.key IN (SELECT s.key ${SELECTED} ORDER BY s.key LIMIT $7 OFFSET $8) ORDER BY s.key`;
const COUNT_SELECTED = `SELECT count(*)::int AS total ${SELECTED}`;
export const SELECT_PARTS = `SELECT per_core_percent, filesystems, disks, interfaces, inside, agent FROM server_parts WHERE server_key = $1`;

export const SELECT_SOURCES = `SELECT s.id, p.agent->'sources' AS sources FROM server s JOIN server_parts p ON p.server_key = s.key
  WHERE s.organisation_id = $1 AND s.id = ANY($2::uuid[]) AND p.agent IS NOT NULL`;

const recordOf = (row: ServerRow): ServerRecord => ({
  id: row.id,
  key: row.key,
  organisationId: row.organisation_id,
  enrolmentTokenId: row.enrolment_token_id,
  hostname: row.system?.hostname ?? row.hostname,
  displayName: row.display_name,
  createdAt: row.created_at.getTime(),
  lastSeenAt: row.last_seen_at?.getTime() ?? null,
  uninstalledAt: row.uninstalled_at?.getTime() ?? null,
  refusal: row.refusal,
  system: row.system,
  memoryTotalBytes: row.memory_total_bytes,
  storageTotalBytes: row.storage_total_bytes,
  reportIntervalSeconds: row.report_interval_seconds,
  isKubernetesNode: row.is_kubernetes_node,
  tags: row.tags,
  diskTrends: row.disk_trends ?? [],
});

interface IdentityRow {
  shares: { id: string; name: string }[];
  former_token_at: Date | null;
}
/** A collector with a revoked token tries again every 5 to 10 minutes. */
const FORMER_TOKEN_HOURS = 24;
const SELECT_IDENTITY = `SELECT COALESCE((SELECT json_agg(json_build_object('id', o.id, 'name', COALESCE(o.display_name, o.hostname)) ORDER BY o.key)
      FROM server o WHERE o.machine_hash = s.machine_hash AND o.key <> s.key AND o.uninstalled_at IS NULL
      AND o.organisation_id IS NOT DISTINCT FROM s.organisation_id), '[]') AS shares,
    (SELECT max(refused_at) FROM revoked_agent_token r WHERE r.server_key = s.key
      AND r.refused_at > to_timestamp($2 / 1000.0) - interval '${String(FORMER_TOKEN_HOURS)} hours') AS former_token_at
  FROM server s WHERE s.key = $1`;

const organisationOf = ({ server }: ServerWithLatest): ServerRecord['organisationId'] => server.organisationId;

const latestOf = (row: ServerRow, parts: PartsRow | undefined): LatestState => {
  const { sources, ...agent } = parts?.agent ?? { sources: {} };
  return {
    sample: row.sample_at && sampleOf({ ...row, at: row.sample_at.getTime() }),
    perCorePercent: parts?.per_core_percent ?? [],
    filesystems: parts?.filesystems ?? [],
    disks: parts?.disks ?? [],
    interfaces: parts?.interfaces ?? [],
    inside: parts?.inside ?? {},
    sources,
    agent: 'version' in agent ? agent : null,
  };
};

/** Purging years of samples takes longer than a query may. */
const PURGE_TIMEOUT_MS = 120_000;
/**
 * Streams first: that waits for a report being accepted, and a later one finds no server to belong to. Rollups last: the
 * server's trigger reads from them which buckets of the fleet it was in.
 */
const PURGE = [
  'SELECT 1 FROM server WHERE key = $1 FOR UPDATE',
  `INSERT INTO deleted_agent_token (token_hash, deleted_at)
     SELECT token_hash, to_timestamp($2 / 1000.0) FROM agent_token WHERE server_key = $1 ON CONFLICT DO NOTHING`,
  `WITH stream AS (DELETE FROM report_stream WHERE server_key = $1 RETURNING key),
     loss AS (DELETE FROM dropped_report WHERE stream_key IN (SELECT key FROM stream))
   DELETE FROM report_ledger WHERE stream_key IN (SELECT key FROM stream)`,
  // The remote store has samples of it only if it was ever used.
  `INSERT INTO series_deletion (server_id, tenant, retry_at)
     SELECT id, series_tenant, to_timestamp($2 / 1000.0) FROM server
     WHERE key = $1 AND EXISTS (SELECT FROM series_shipping)`,
  'DELETE FROM host_sample WHERE server_key = $1',
  'DELETE FROM server_list_history WHERE server_key = $1',
  'DELETE FROM process_quarter WHERE server_key = $1',
  'DELETE FROM process_quarter_block WHERE server_key = $1',
  'DELETE FROM process_minute WHERE server_key = $1',
  'DELETE FROM process_block WHERE server_key = $1',
  'DELETE FROM filesystem_history WHERE server_key = $1',
  'DELETE FROM container_history WHERE server_key = $1',
  'DELETE FROM server WHERE key = $1',
  'DELETE FROM host_rollup_5m WHERE server_key = $1',
  'DELETE FROM host_rollup_1h WHERE server_key = $1',
  `DELETE FROM rollup_set_aside WHERE subject_key = $1 AND level <> '${KUBERNETES_LEVEL}'`,
];

const purgeServer = (pool: Database['pool'], key: number, now: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${PURGE_TIMEOUT_MS}`);
    for (const statement of PURGE) {
      await client.query(statement, statement.includes('$2') ? [key, now] : [key]);
    }
  });

/** The token it enrolled with was the old owner's. */
const TRANSFER = 'UPDATE server SET organisation_id = $2, enrolment_token_id = NULL WHERE key = $1';

/** A machine that the new owner has fails alone, in a savepoint: the transaction of a verb goes on. */
const transferTo = async (pool: Database['pool'], key: number, organisationId: OrganisationId): Promise<boolean> => {
  try {
    return await inTransaction(
      pool,
      async (client) => (await client.query(TRANSFER, [key, organisationId])).rowCount === 1,
    );
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
};

export const createServerStore = (database: Database): Servers => {
  const { pool, prisma } = database;
  return {
    listAll: async (owner) => {
      const { rows } = await pool.query<ServerRow>({
        name: 'servers',
        text: `${SELECT_SERVERS} ORDER BY s.key`,
        values: [owner.organisationId],
      });
      return rows.map((row): ServerWithLatest => ({ server: recordOf(row), latest: latestOf(row, undefined) }));
    },
    list: async (owner, { ids, sampled, within, limit, offset }) => {
      const range = [sampled !== undefined, sampled?.from ?? null, sampled?.to ?? null];
      const selected = [owner.organisationId, ids ?? null, ...range, within ?? null];
      const [page, count] = await Promise.all([
        pool.query<ServerRow>(SELECT_PAGE, [...selected, limit, offset]),
        pool.query<{ total: number }>(COUNT_SELECTED, selected),
      ]);
      return {
        servers: page.rows.map((row): ServerWithLatest => ({
          server: recordOf(row),
          latest: latestOf(row, undefined),
        })),
        total: count.rows[0]?.total ?? 0,
      };
    },
    scopeFacts: (owner) => scopeFacts(database, owner),
    installations: async (owner) => {
      const rows = await prisma.server.findMany({
        where: { organisationId: owner.organisationId },
        select: { key: true, id: true, hostname: true, displayName: true, createdAt: true, uninstalledAt: true },
      });
      return rows.map(({ key, id, hostname, displayName, createdAt, uninstalledAt }) => ({
        key,
        id,
        name: displayName ?? hostname,
        createdAt: createdAt.getTime(),
        uninstalledAt: uninstalledAt?.getTime() ?? null,
      }));
    },
    get: async (owner, id) => {
      if (!isUuid(id)) return null;
      const values = [owner.organisationId, id];
      const { rows } = await pool.query<ServerRow>({ name: 'server', text: `${SELECT_SERVERS} AND s.id = $2`, values });
      const row = rows[0];
      if (!row) return null;
      const question = { name: 'parts of a server', text: SELECT_PARTS, values: [row.key] };
      const { rows: parts } = await pool.query<PartsRow>(question);
      return authorize(owner, { server: recordOf(row), latest: latestOf(row, parts[0]) }, organisationOf);
    },
    sourcesOf: async (owner, ids) => {
      const { rows } = await pool.query<SourcesRow>(SELECT_SOURCES, [owner.organisationId, ids]);
      return new Map(rows.map(({ id, sources }) => [id, sources]));
    },
    getIdentity: async ({ server }, now) => {
      const { rows } = await pool.query<IdentityRow>(SELECT_IDENTITY, [server.key, now]);
      return { sharesWith: rows[0]?.shares ?? [], formerTokenAt: rows[0]?.former_token_at?.getTime() ?? null };
    },
    partsOf: async (owner) => {
      const { rows } = await pool.query<LatestPartsRow>(SELECT_LATEST_PARTS, [owner.organisationId]);
      return new Map(
        rows.map(({ key, filesystems, interfaces }) => [
          key,
          { filesystems: filesystems ?? [], interfaces: interfaces ?? [] },
        ]),
      );
    },
    delete: ({ server }, now) => purgeServer(pool, server.key, now),
    purge: (serverKey, now) => purgeServer(pool, serverKey, now),
    update: async ({ server }, { displayName, tags }) => {
      await prisma.server.updateMany({ where: { key: server.key }, data: { displayName, tags } });
    },
    transfer: ({ serverKey }, organisationId) => transferTo(pool, serverKey, organisationId),
  };
};
