// SQL reads what is sent to the remote store: it joins partitions with the ledger, and one job at a time may do it.
import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import type { PoolClient } from 'pg';
import type { Database } from '../../database/database.ts';
import { underLock } from '../../database/job-lock.ts';
import { milliseconds, timestamp } from '../../database/time.ts';
import type { Counts, OutboxWork, SampleOutbox } from '../store.ts';
import { SHIPPED_FIGURES, type ShippedSample } from '../remote/shipped-figures.ts';
import type { Coverage, SeriesDeletion, ShippingState, StoredHours, UnverifiedHour } from '../remote/types.ts';

const LOCKS = { ship: 0x73_68_69_70, verify: 0x76_72_66_79 } as const;

/**
 * The store may take long for each request of a step. Nothing but the lock of this job waits for it, so the limit of a
 * transaction that hangs is longer.
 */
const IDLE_LIMIT = "SET LOCAL idle_in_transaction_session_timeout = '300s'";

/** Reports received in this long are read at once, and less if they are many. */
const STEP_MS = 300_000;
const MOST_SAMPLES = 10_000;

const STATE = `SELECT ${[
  'since AS since',
  'shipped_to AS "shippedTo"',
  'verified_to AS "verifiedTo"',
  'rechecked_to AS "recheckedTo"',
  'succeeded_at AS "succeededAt"',
  'failed_at AS "failedAt"',
]
  .map((column) => column.replace(/^\w+/, milliseconds))
  .join(', ')}, error FROM series_shipping`;
/** $1 now. Everything that PostgreSQL has: whole hours from the oldest sample on. */
const BEGIN = `INSERT INTO series_shipping (since, shipped_to, verified_to, rechecked_to)
  SELECT oldest.ts, oldest.ts, oldest.ts, oldest.ts FROM (
    SELECT date_trunc('hour', GREATEST(
      ${timestamp('$1')} - interval '${RETENTION_DAYS.raw} days',
      LEAST(COALESCE((SELECT min(ts) FROM host_sample), ${timestamp('$1')}), ${timestamp('$1')}))) AS ts
  ) AS oldest ON CONFLICT DO NOTHING`;

/** As JSON, so that a real is the decimal that every other reader of it gets, and an array is not read byte by byte. */
const VALUES = `json_build_array(${SHIPPED_FIGURES.map(({ expression }) => expression).join(', ')})`;
const SELECT_SAMPLES = `SELECT s.id AS "serverId", s.series_tenant AS tenant, floor(${milliseconds('h.ts')}) AS at, ${VALUES} AS values`;
const ORDER = 'ORDER BY s.series_tenant, s.key, h.ts';

const HAS_MORE = `SELECT count(*) > $3 AS "hasMore" FROM (SELECT FROM report_ledger
  WHERE received_at >= ${timestamp('$1')} AND received_at < ${timestamp('$2')} LIMIT $3 + 1) AS first`;
/** A report of each sample; the statement that stores one stores both. */
const RECEIVED = `${SELECT_SAMPLES}
  FROM (SELECT DISTINCT r.server_key, l.sample_at FROM report_ledger l JOIN report_stream r ON r.key = l.stream_key
    WHERE l.received_at >= ${timestamp('$1')} AND l.received_at < ${timestamp('$2')}) AS received
  JOIN server s ON s.key = received.server_key
  JOIN host_sample h ON h.server_key = received.server_key AND h.ts = received.sample_at ${ORDER}`;
const OF_HOUR = `h.ts >= ${timestamp('$1')} AND h.ts < ${timestamp('$1')} + interval '1 hour'`;
const COUNTS = `SELECT s.series_tenant AS tenant, s.id AS "serverId",
    sum(num_nonnulls(${SHIPPED_FIGURES.map(({ expression }) => expression).join(', ')}))::integer AS figures
  FROM host_sample h JOIN server s ON s.key = h.server_key WHERE ${OF_HOUR} GROUP BY s.series_tenant, s.id`;
const SAMPLES_OF = `${SELECT_SAMPLES} FROM host_sample h JOIN server s ON s.key = h.server_key
  WHERE ${OF_HOUR} AND s.id = ANY ($2::uuid[]) ${ORDER}`;
const TENANTS_OF = `SELECT DISTINCT s.series_tenant AS tenant
  FROM host_rollup_1h h JOIN server s ON s.key = h.server_key WHERE h.ts = ${timestamp('$1')}`;

const HOUR_COLUMNS = `tenant, ${milliseconds('ts')} AS at, reason, detail, attempts, ${milliseconds('retry_at')} AS "retryAt"`;
const DUE_HOURS = `SELECT ${HOUR_COLUMNS} FROM series_hour
  WHERE reason <> 'lost' AND retry_at <= ${timestamp('$1')} ORDER BY ts LIMIT $2`;
const SAVE_HOUR = `INSERT INTO series_hour AS known (tenant, ts, reason, detail, attempts, retry_at)
  VALUES ($1, ${timestamp('$2')}, $3, $4, $5, ${timestamp('$6')})
  ON CONFLICT (tenant, ts) DO UPDATE SET reason = excluded.reason, detail = excluded.detail,
    attempts = known.attempts + $5, retry_at = excluded.retry_at`;

/** Halves the stretch until few enough reports arrived in it. */
const boundedEnd = async (client: PoolClient, from: number, to: number): Promise<number> => {
  const { rows } = await client.query<{ hasMore: boolean }>(HAS_MORE, [from, to, MOST_SAMPLES]);
  const half = from + Math.ceil((to - from) / 2);
  return rows[0]?.hasMore === true && half < to ? boundedEnd(client, from, half) : to;
};

const byTenant = (rows: readonly { tenant: number; serverId: string; figures: number }[]) =>
  new Map<number, Counts>(
    [...Map.groupBy(rows, ({ tenant }) => tenant)].map(([tenant, servers]) => [
      tenant,
      new Map(servers.map(({ serverId, figures }) => [serverId, figures])),
    ]),
  );

const workOn = (client: PoolClient): OutboxWork => {
  const save = (column: 'shipped_to' | 'verified_to' | 'rechecked_to') => async (to: number) => {
    await client.query(`UPDATE series_shipping SET ${column} = ${timestamp('$1')}`, [to]);
  };
  return {
    state: async (now) => {
      await client.query(BEGIN, [now]);
      const { rows } = await client.query<ShippingState>(STATE);
      const [state] = rows;
      if (state === undefined) throw new Error('series_shipping has no row');
      return state;
    },
    receivedFrom: async (from, before) => {
      const to = await boundedEnd(client, from, Math.min(before, from + STEP_MS));
      const { rows: samples } = await client.query<ShippedSample>(RECEIVED, [from, to]);
      return { to, samples };
    },
    counts: async (hour) => {
      const { rows } = await client.query<{ tenant: number; serverId: string; figures: number }>(COUNTS, [hour]);
      return byTenant(rows);
    },
    samplesOf: async (serverIds, hour) => (await client.query<ShippedSample>(SAMPLES_OF, [hour, serverIds])).rows,
    tenantsOf: async (hour) => {
      const { rows } = await client.query<{ tenant: number }>(TENANTS_OF, [hour]);
      return rows.map(({ tenant }) => tenant);
    },
    dueHours: async (now, limit) => (await client.query<UnverifiedHour>(DUE_HOURS, [now, limit])).rows,
    saveShipped: save('shipped_to'),
    saveVerified: save('verified_to'),
    saveRechecked: save('rechecked_to'),
    saveHour: async ({ tenant, at, reason, detail, retryAt, isAttempt }) => {
      await client.query(SAVE_HOUR, [tenant, at, reason, detail, isAttempt ? 1 : 0, retryAt]);
    },
    forgetHour: async (tenant, hour) => {
      await client.query(`DELETE FROM series_hour WHERE tenant = $1 AND ts = ${timestamp('$2')}`, [tenant, hour]);
    },
  };
};

const COUNT_OPEN = `SELECT (SELECT count(*)::integer FROM series_hour) AS "unverifiedHours",
  (SELECT count(*)::integer FROM series_deletion) AS "waitingDeletions"`;
/** One row, and its hours if there are any. $1 server key  $2 from, ms  $3 to, ms */
const COVERAGE = `SELECT s.series_tenant AS tenant, ${milliseconds('p.since')} AS since, ${milliseconds('p.verified_to')} AS "verifiedTo",
    COALESCE((SELECT json_agg(json_build_object('at', ${milliseconds('h.ts')}, 'reason', h.reason, 'detail', h.detail) ORDER BY h.ts)
      FROM series_hour h WHERE h.tenant = s.series_tenant
        AND h.ts > ${timestamp('$2')} - interval '1 hour' AND h.ts < ${timestamp('$3')}), '[]') AS hours
  FROM server s CROSS JOIN series_shipping p WHERE s.key = $1`;

const DUE_DELETIONS = `SELECT server_id AS "serverId", tenant, ${milliseconds('deleted_at')} AS "deletedAt", attempts, error
  FROM series_deletion WHERE retry_at <= ${timestamp('$1')} ORDER BY retry_at LIMIT $2`;

export const createSampleOutbox = ({ pool }: Database): SampleOutbox => ({
  exclusively: (job, work) =>
    underLock(
      pool,
      LOCKS[job],
    )(async (client) => {
      await client.query(IDLE_LIMIT);
      return work(workOn(client));
    }),
  state: async () => {
    const [{ rows }, { rows: open }] = await Promise.all([
      pool.query<ShippingState>(STATE),
      pool.query<StoredHours>(COUNT_OPEN),
    ]);
    return rows[0] && open[0] ? { ...rows[0], ...open[0] } : null;
  },
  recordSuccess: async (now) => {
    await pool.query(`UPDATE series_shipping SET succeeded_at = ${timestamp('$1')}, error = NULL`, [now]);
  },
  recordFailure: async (now, error) => {
    // The first attempt of all may fail, and takes its state back with it.
    await pool.query(BEGIN, [now]);
    await pool.query(`UPDATE series_shipping SET failed_at = ${timestamp('$1')}, error = $2`, [now, error]);
  },
  coverage: async ({ server }, { from, to }) => {
    const { rows } = await pool.query<Coverage>(COVERAGE, [server.key, from, to]);
    return rows[0] ?? null;
  },
  dueDeletions: async (now, limit) => (await pool.query<SeriesDeletion>(DUE_DELETIONS, [now, limit])).rows,
  saveDeletion: async ({ serverId, deletedAt, attempts, error }, retryAt) => {
    await pool.query(
      `UPDATE series_deletion SET deleted_at = ${timestamp('$2')}, attempts = $3, error = $4, retry_at = ${timestamp('$5')}
       WHERE server_id = $1`,
      [serverId, deletedAt, attempts, error, retryAt],
    );
  },
  forgetDeletion: async (serverId) => {
    await pool.query('DELETE FROM series_deletion WHERE server_id = $1', [serverId]);
  },
});
