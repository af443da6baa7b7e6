// SQL ranks processes and connections: it unnests arrays of ranks, which Prisma cannot express.
import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { setImmediate } from 'node:timers/promises';
import { OFFLINE_AFTER_INTERVALS, PROCESS_HISTORY } from '@plimsoll/contract/rules/limits';
import type { ConnectionRecord, ProcessRecord } from '../types.ts';
import { inScope } from '../../servers/scope-sql.ts';
import { entryColumns, entryObject, namedProcesses, type ListKind, type StoredProcesses } from '../list-entries.ts';
import type { HostLists } from '../store.ts';
import type { ListFilter, Seen } from '../../servers/types.ts';
import type { Page } from '../../page.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { Pool } from 'pg';
import { createRanking, newestSights, type Sight } from '../ranked-sights.ts';
import { isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds, SHOWN_NAME, timestamp } from '../../database/time.ts';
import { quartersOf, readQuarters } from './process-quarters.ts';

interface Shape {
  kind: ListKind;
  /** Columns that join the server of a row (`owned`), each with a comma behind it. */
  ofServer: string;
  /** The columns by which two rows are the same process or connection. */
  key: string;
  order: string;
  /** The same order by the ranks of server_list. */
  ranks: string;
}
const ORDERS = {
  cpu: 'cpu_percent DESC NULLS LAST, memory_bytes DESC, server_key, pid',
  memory: 'memory_bytes DESC, cpu_percent DESC NULLS LAST, server_key, pid',
} as const;
const RANKS = {
  cpu: 'first_rank DESC NULLS LAST, second_rank DESC, server_key, place',
  memory: 'second_rank DESC, first_rank DESC NULLS LAST, server_key, place',
} as const;
const processes = (rank: 'cpu' | 'memory'): Shape => ({
  kind: 'processes',
  ofServer: 'owned.cpu_cores AS "serverCpuCores",',
  key: 'server_key, pid',
  order: ORDERS[rank],
  ranks: RANKS[rank],
});
const CONNECTIONS: Shape = {
  kind: 'connections',
  ofServer: '',
  key: 'server_key, protocol, local_port, remote_ip, remote_port, state, pid',
  order: 'importance_score DESC, server_key, protocol, local_port, remote_ip, remote_port, state, pid',
  ranks: 'first_rank DESC, server_key, place',
};

const OWNED = `SELECT s.key, s.id, ${SHOWN_NAME} AS hostname, (SELECT (value->>'cpu_cores')::double precision
    FROM server_fact f WHERE f.server_key = s.key AND f.name = 'system') AS cpu_cores
  FROM server s WHERE s.organisation_id = $1`;
/** The rule of server-status.ts in SQL: the server has reported within three intervals and is not uninstalled. */
const IS_ONLINE = (now: string): string => `EXISTS (SELECT FROM report_stream r WHERE r.server_key = s.key
  HAVING max(r.last_received_at)
      >= ${timestamp(now)} - make_interval(secs => s.report_interval_seconds * ${OFFLINE_AFTER_INTERVALS})
    AND (s.uninstalled_at IS NULL OR max(r.last_received_at) > s.uninstalled_at))`;

const RANGE = (column: string): string =>
  `($3::double precision IS NULL OR ${column} >= ${timestamp('$3')}) AND ($4::double precision IS NULL OR ${column} < ${timestamp('$4')})`;
/**
 * A row of history is up to a quarter of an hour older than the time it carries; the margin lets partitions be skipped.
 */
const HISTORY = `
  UNION ALL
  SELECT server_key, sample_at, entries FROM server_list_history
  WHERE kind = 'connections' AND server_key IN (SELECT key FROM owned) AND ${RANGE('sample_at')}
    AND ts >= ${timestamp('COALESCE($3, 0)')} - interval '15 minutes'
    AND ts < ${timestamp('COALESCE($4, 1e14)')}`;

/** $1 account  $2 server id or null  $3 from, ms, or null  $4 to, ms, or null  $5 limit  $6 offset  $7 server keys or null */
const statement = ({ kind, ofServer, key, order }: Shape, hasRange: boolean): string => `
WITH owned AS MATERIALIZED (
  ${OWNED} AND ($2::uuid IS NULL OR s.id = $2) AND ${inScope('s.key', '$7')}
), list AS (
  SELECT server_key, sample_at, entries::json AS entries FROM server_list
  WHERE kind = '${kind}' AND server_key IN (SELECT key FROM owned) AND ${RANGE('sample_at')}
  ${hasRange ? HISTORY : ''}
), entry AS MATERIALIZED (
  SELECT DISTINCT ON (${key}) list.server_key, list.sample_at, e.*
  FROM list CROSS JOIN LATERAL json_array_elements(list.entries) AS stored(entry)
  CROSS JOIN LATERAL json_to_record(${entryObject(kind, 'stored.entry')}) AS e(${entryColumns(kind)})
  ORDER BY ${key}, sample_at DESC
)
SELECT (SELECT count(*)::integer FROM entry) AS total, COALESCE((
  SELECT json_agg(row) FROM (
    SELECT owned.id AS "serverId", owned.hostname, ${ofServer} ${milliseconds('sample_at')} AS "sampleAt", top.*
    FROM (SELECT * FROM entry ORDER BY ${order} LIMIT $5 OFFSET $6) top JOIN owned ON owned.key = top.server_key
    ORDER BY ${order}
  ) row
), '[]') AS rows`;

/**
 * The newest lists of the servers of an account that are online now: the page is chosen by the ranks, and only its own entries are parsed. Parsing the
 * lists of 500 servers takes a quarter of a second.
 *
 * $1 account  $2 now, ms  $3 limit  $4 offset  $5 server keys or null
 */
const fleetStatement = ({ kind, ofServer, ranks }: Shape): string => `
WITH owned AS MATERIALIZED (
  ${OWNED} AND ${IS_ONLINE('$2')} AND ${inScope('s.key', '$5')}
), list AS MATERIALIZED (
  SELECT server_key, first_rank, second_rank FROM server_list
  WHERE kind = '${kind}' AND server_key IN (SELECT key FROM owned)
), top AS MATERIALIZED (
  SELECT server_key, r.* FROM list
  CROSS JOIN LATERAL unnest(list.first_rank, list.second_rank) WITH ORDINALITY AS r(first_rank, second_rank, place)
  ORDER BY ${ranks.replaceAll('first_rank', 'r.first_rank').replaceAll('second_rank', 'r.second_rank')}
  LIMIT $3 OFFSET $4
)
SELECT (SELECT COALESCE(sum(cardinality(first_rank)), 0)::integer FROM list) AS total, COALESCE((
  SELECT json_agg(row) FROM (
    SELECT owned.id AS "serverId", owned.hostname, ${ofServer} ${milliseconds('s.sample_at')} AS "sampleAt",
      top.server_key, s.sample_at, e.*
    FROM top JOIN owned ON owned.key = top.server_key
    JOIN server_list s ON s.server_key = top.server_key AND s.kind = '${kind}'
    CROSS JOIN LATERAL (SELECT s.entries::json -> (top.place - 1)::integer AS entry OFFSET 0) AS stored
    CROSS JOIN LATERAL json_to_record(${entryObject(kind, 'stored.entry')}) AS e(${entryColumns(kind)})
    ORDER BY ${ranks.replaceAll('first_rank', 'top.first_rank').replaceAll('second_rank', 'top.second_rank').replaceAll('server_key', 'top.server_key')}
  ) row
), '[]') AS rows`;

/** $1 account  $2 server id or null  $3 server keys or null */
const SERVERS = `${OWNED} AND ($2::uuid IS NULL OR s.id = $2) AND ${inScope('s.key', '$3')} ORDER BY s.key`;
/** $1 server keys  $2 from, ms  $3 to, ms */
const NEWEST = `SELECT server_key AS key, ${milliseconds('sample_at')} AS at, entries::json AS entries FROM server_list
  WHERE kind = 'processes' AND server_key = ANY($1) AND sample_at >= ${timestamp('$2')} AND sample_at < ${timestamp('$3')}`;
interface OwnedServer {
  key: number;
  id: string;
  hostname: string;
  cpu_cores: number | null;
}
/** Servers times days that one statement reads: some 10 MB where nothing is packed. */
const SERVER_DAYS = 32;
const FAR_FUTURE_MS = 1e14;

type Row = Seen & { server_key: number; sample_at: string };
const withoutHandles = ({ server_key: _key, sample_at: _at, ...rest }: Row): Seen => rest;

/** Returns the newest sight of each process in a range. It is ranked here, because PostgreSQL cannot read packed lists. */
async function processesIn(
  pool: Pool,
  { organisationId }: Owner,
  { serverId, within, rank, from = 0, to = FAR_FUTURE_MS }: Parameters<HostLists['processes']>[1],
  page: Page,
): Promise<{ processes: ProcessRecord[]; total: number }> {
  if (serverId !== undefined && !isUuid(serverId)) return { processes: [], total: 0 };
  const { rows: servers } = await pool.query<OwnedServer>(SERVERS, [organisationId, serverId ?? null, within ?? null]);
  const ranking = createRanking(rank, page);
  const days = Math.min(PROCESS_HISTORY.days, Math.max(1, Math.ceil((to - from) / DAY_MS)));
  const atOnce = Math.floor(SERVER_DAYS / days);
  for (let start = 0; start < servers.length; start += atOnce) {
    const keys = servers.slice(start, start + atOnce).map(({ key }) => key);
    const newest = await pool.query<StoredProcesses & { key: number }>(NEWEST, [keys, from, to]);
    const stored = await readQuarters(pool, keys, { from, to });
    for (const key of keys) {
      const whole = newest.rows.filter((list) => list.key === key).map(namedProcesses);
      const lists = [...whole, ...quartersOf(stored, key)];
      ranking.add(
        newestSights(
          key,
          lists.filter(({ at }) => at >= from && at < to),
        ),
      );
      // Unpacking two weeks takes some 20 ms, and requests wait meanwhile.
      await setImmediate();
    }
  }
  const { rows, total } = ranking.page();
  const owned = new Map(servers.map((server) => [server.key, server]));
  const recordOf = ({ serverKey, at, process }: Sight): ProcessRecord[] => {
    const server = owned.get(serverKey);
    if (server === undefined) return [];
    const { id, hostname, cpu_cores: serverCpuCores } = server;
    return [{ serverId: id, hostname, serverCpuCores, sampleAt: at, ...process }];
  };
  return { processes: rows.flatMap(recordOf), total };
}

export const createHostListStore = ({ pool }: Database): HostLists => {
  const read = async (
    shape: Shape,
    owner: Owner,
    { serverId, within, from, to }: ListFilter,
    { limit, offset }: Page,
    now: number,
  ): Promise<{ rows: Seen[]; total: number }> => {
    if (serverId !== undefined && !isUuid(serverId)) return { rows: [], total: 0 };
    const hasRange = from !== undefined || to !== undefined;
    const ofFleet = serverId === undefined && !hasRange;
    const text = ofFleet ? fleetStatement(shape) : statement(shape, hasRange);
    const page = [limit, offset, within ?? null];
    const values = [owner.organisationId, ...(ofFleet ? [now] : [serverId ?? null, from ?? null, to ?? null]), ...page];
    const { rows } = await pool.query<{ total: number; rows: Row[] }>(text, values);
    return { rows: (rows[0]?.rows ?? []).map(withoutHandles), total: rows[0]?.total ?? 0 };
  };
  return {
    processes: async (owner, { rank, ...filter }, page, now) => {
      if (filter.from !== undefined || filter.to !== undefined)
        return processesIn(pool, owner, { rank, ...filter }, page);
      const { rows, total } = await read(processes(rank), owner, filter, page, now);
      return { processes: rows as ProcessRecord[], total };
    },
    connections: async (owner, filter, page, now) => {
      const { rows, total } = await read(CONNECTIONS, owner, filter, page, now);
      return { connections: rows as ConnectionRecord[], total };
    },
  };
};
