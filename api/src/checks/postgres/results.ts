// SQL writes one row of arrays a report, reads a partitioned table and folds with a version check.
import { NO_VOTE_REASONS } from '@plimsoll/contract/rules/check-limits';
import type { Pool, PoolClient } from 'pg';
import type { Database } from '../../database/database.ts';
import { inTransaction } from '../../database/database.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';
import type { BucketRow, CheckResults, Judged, StatusCounts } from '../store.ts';
import type { CheckState, Outage, PlaceResult } from '../types.ts';
import { checkOf } from './checks.ts';
import { EnabledChecks } from './enabled-checks.ts';
import { CLOSED_AFTER_SECONDS } from './rollups.ts';
import { placesSeen } from './places.ts';
import { RecentResults } from './recent-results.ts';

/** The hours of results that are too late for the next rollup: ten seconds are for the transaction. */
const LATE = `INSERT INTO check_rollup_due (hour, place_key)
  SELECT generate_series(date_bin('1 hour', first, to_timestamp(0)), ${at('$1')}, interval '1 hour'), $3::integer
  FROM (SELECT ${at('$1')} - make_interval(secs => (SELECT max(age) FROM unnest($6::real[]) age)) AS first) f
  WHERE first < now() - make_interval(secs => ${String(CLOSED_AFTER_SECONDS - 10)}) ON CONFLICT DO NOTHING`;
const RECORD = `WITH late AS (${LATE}) INSERT INTO check_result (ts, organisation_id, place_key, check_keys, revs, ages, oks, reasons, phases, statuses,
    sizes, dns_ms, connect_ms, tls_ms, wait_ms, transfer_ms, total_ms)
  VALUES (${at('$1')}, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) ON CONFLICT DO NOTHING`;
const CERTIFICATES = `UPDATE check_state s SET certificate = c.certificate
  FROM unnest($1::integer[], $2::jsonb[]) AS c(key, certificate), check_definition d
  WHERE s.check_key = c.key AND d.key = c.key AND d.organisation_id = $3`;

/** Ordered by the time of the results; the last certificate of a check counts. False: a row of that moment is there. */
export async function recordResults(
  client: Pick<PoolClient, 'query'>,
  organisationId: OrganisationId,
  place: { key: number; at: number },
  results: readonly PlaceResult[],
): Promise<boolean> {
  if (results.length === 0) return true;
  const of = <T>(read: (one: PlaceResult) => T): T[] => results.map(read);
  const values = [
    place.at,
    organisationId,
    place.key,
    of(({ checkKey }) => checkKey),
    of(({ rev }) => rev),
    of((one) => (place.at - one.at) / 1000),
    // Null is no vote: neither good nor bad.
    of(({ ok, reason }) => (reason !== null && NO_VOTE_REASONS.includes(reason) ? null : ok)),
    of(({ reason }) => reason),
    of(({ failed_phase: phase }) => phase),
    of(({ status }) => status),
    of(({ size_bytes: size }) => size),
    of(({ dns_ms: one }) => one),
    of(({ connect_ms: one }) => one),
    of(({ tls_ms: one }) => one),
    of(({ wait_ms: one }) => one),
    of(({ transfer_ms: one }) => one),
    of(({ total_ms: one }) => one),
  ];
  const { rowCount } = await client.query({ name: 'record checks', text: RECORD, values });
  if (rowCount !== 1) return false;
  const seen = new Map(results.flatMap((one) => (one.certificate === null ? [] : [[one.checkKey, one] as const])));
  if (seen.size === 0) return true;
  const certificates = [...seen.values()].map(({ certificate, at: seenAt }) =>
    JSON.stringify({ ...certificate, seenAt }),
  );
  await client.query(CERTIFICATES, [[...seen.keys()], certificates, organisationId]);
  return true;
}

interface ResultRow {
  at: number;
  place: number;
  checkKey: number;
  rev: string;
  ok: boolean | null;
  reason: string | null;
  phase: PlaceResult['failed_phase'];
  status: number | null;
  total: number | null;
}
const EACH = `FROM check_result r
  CROSS JOIN LATERAL unnest(r.check_keys, r.revs, r.ages, r.oks, r.reasons, r.phases, r.statuses, r.total_ms)
    AS c(key, rev, age, ok, reason, phase, status, total)`;
const TIME = `${ms('r.ts')} - c.age * 1000`;
const SINCE = `SELECT ${TIME} AS at, r.place_key AS place, c.key AS "checkKey", c.rev, c.ok, c.reason, c.phase, c.status, c.total
  ${EACH} WHERE r.ts >= ${at('$1')}`;

const nothingMeasured = {
  size_bytes: null,
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  wait_ms: null,
  transfer_ms: null,
  certificate: null,
} as const;

async function since(pool: Pool, from: number): ReturnType<CheckResults['listSince']> {
  const { rows } = await pool.query<ResultRow>(SINCE, [from]);
  const found: Awaited<ReturnType<CheckResults['listSince']>> = new Map();
  for (const { at: time, place, checkKey, rev, ok, reason, phase, status, total } of rows) {
    const own = found.get(checkKey) ?? [];
    found.set(checkKey, own);
    const result = { ok: ok ?? false, reason: ok === null ? (reason ?? 'not_run') : reason };
    const shared = { checkKey, rev: Number(rev), at: Math.round(time), failed_phase: phase, status, total_ms: total };
    own.push({ ...nothingMeasured, ...result, ...shared, place });
  }
  return found;
}

const STATES = `SELECT check_key AS key, version, fold, certificate, heartbeat, ${ms('slow_since')} AS "slowSince" FROM check_state
  WHERE check_key = ANY($1::integer[])`;
const SAVE = 'UPDATE check_state SET fold = $3, version = version + 1 WHERE check_key = $1 AND version = $2';
const END = `UPDATE check_outage SET ended_at = GREATEST(began_at, ${at('$2')}) WHERE check_key = $1 AND ended_at IS NULL`;
const BEGIN = `INSERT INTO check_outage (check_key, kind, began_at, reason, status, phase, failed, voted)
  VALUES ($1, $2, ${at('$3')}, $4, $5, $6, $7, $8)`;

/** $1 checks  $2 versions  $3 folds. Nearly every look finds no change, and one statement saves those. */
const SAVE_ALL = `UPDATE check_state s SET fold = j.fold, version = s.version + 1
  FROM unnest($1::integer[], $2::bigint[], $3::jsonb[]) AS j(key, version, fold)
  WHERE s.check_key = j.key AND s.version = j.version`;
async function saveUnchanged(pool: Pool, all: readonly Judged[]): Promise<void> {
  if (all.length === 0) return;
  const folds = all.map(({ fold }) => JSON.stringify(fold));
  await pool.query(SAVE_ALL, [all.map(({ checkKey }) => checkKey), all.map(({ version }) => version), folds]);
}

const FIRST_TICK = `INSERT INTO check_tick (ran_to) VALUES ('-infinity') ON CONFLICT DO NOTHING`;
/** $1 now, ms  $2 the longest time that is caught up, seconds. */
const CLAIM = `UPDATE check_tick t SET ran_to = ${at('$1')}
  FROM (SELECT id, ran_to FROM check_tick WHERE id = 1 FOR UPDATE) AS before
  WHERE t.id = before.id AND before.ran_to < ${at('$1')}
  RETURNING ${ms(`GREATEST(before.ran_to, ${at('$1')} - make_interval(secs => $2))`)} AS from`;

/** In a transaction, so that a kill between the fold and its outages loses none. */
async function saveJudged(client: PoolClient, { checkKey, version, fold, changes }: Judged): Promise<boolean> {
  const { rowCount } = await client.query(SAVE, [checkKey, version, JSON.stringify(fold)]);
  if (rowCount !== 1) return false;
  for (const { status, at: time, reason, httpStatus, phase, failed, voted } of changes) {
    await client.query(END, [checkKey, time]);
    if (status === 'up') continue;
    await client.query(BEGIN, [checkKey, status, time, reason, httpStatus, phase, failed, voted]);
  }
  return true;
}

const OUTAGES = `SELECT id, kind, ${ms('began_at')} AS "beganAt", ${ms('ended_at')} AS "endedAt", reason, status, phase, failed, voted
  FROM check_outage WHERE check_key = $1 AND COALESCE(ended_at, 'infinity') >= ${at('$2')} ORDER BY began_at DESC, ended_at DESC NULLS FIRST LIMIT 1000`;

const AVERAGES = ['dns', 'connect', 'tls', 'wait', 'transfer', 'total'] as const;
/** $1 check  $2 from, ms  $3 to, ms  $4 step, seconds  $5 places */
const BUCKETS = `SELECT floor((extract(epoch FROM r.ts)::float8 - r.ages[i]) / $4) * $4 * 1000 AS at, count(*)::integer AS results,
    count(*) FILTER (WHERE r.oks[i])::integer AS good, ${AVERAGES.map((name) => `avg(r.${name}_ms[i]) AS ${name}`).join(', ')},
    percentile_cont(0.95) WITHIN GROUP (ORDER BY r.total_ms[i]) AS p95, max(r.total_ms[i])::float8 AS max
  FROM check_result r CROSS JOIN LATERAL unnest(array_positions(r.check_keys, $1::integer)) AS i
  WHERE r.place_key = ANY($5::integer[]) AND r.ts >= ${at('$2')} AND r.ts < ${at('$3')} AND r.oks[i] IS NOT NULL GROUP BY 1 ORDER BY 1`;

/** $1 check  $2 places  $3 from, ms  $4 step, ms */
const STRETCHES = `SELECT r.place_key AS place, floor((${ms('r.ts')} - r.ages[i] * 1000) / $4)::integer AS stretch, bool_and(r.oks[i]) AS ok
  FROM check_result r CROSS JOIN LATERAL unnest(array_positions(r.check_keys, $1::integer)) AS i
  WHERE r.place_key = ANY($2::integer[]) AND r.ts >= ${at('$3')} AND r.oks[i] IS NOT NULL GROUP BY 1, 2`;
const STATUS = `CASE WHEN d.is_enabled THEN COALESCE(s.fold->>'status', 'unknown') ELSE 'paused' END`;
const OWN = `FROM check_definition d LEFT JOIN check_state s ON s.check_key = d.key WHERE d.organisation_id = $1`;
const RANKED = `SELECT d.key ${OWN} ORDER BY array_position('{down,unknown,up,paused}', ${STATUS}), d.name, d.id LIMIT $2 OFFSET $3`;
const COUNTS = `SELECT ${STATUS} AS status, count(*)::integer AS checks ${OWN} GROUP BY 1`;
const SLOW = `SELECT c.key AS "checkKey", percentile_cont(0.95) WITHIN GROUP (ORDER BY c.total) AS p95 ${EACH}
  WHERE r.ts >= ${at('$1')} AND c.ok AND c.total IS NOT NULL GROUP BY 1`;
const SLOW_SINCE = `UPDATE check_state s SET slow_since = ${at('j.since')}
  FROM unnest($1::integer[], $2::float8[]) AS j(key, since) WHERE s.check_key = j.key`;
type StateRow = Omit<CheckState, 'version'> & { key: number; version: string };
const stateOf = ({ version, fold, certificate, heartbeat, slowSince }: StateRow): CheckState => ({
  version: Number(version),
  fold,
  certificate,
  heartbeat,
  slowSince,
});

const HEARTBEAT = `UPDATE check_state SET heartbeat = $2 WHERE check_key = $1`;
/** $3 version  $4 the heartbeat before. One statement instead of a transaction of four, for a call after which the status is as before. */
const HEARTBEAT_UNLESS_CHANGED = `${HEARTBEAT} AND version = $3 AND heartbeat = $4::jsonb`;

type ChangeHeartbeat = Parameters<CheckResults['changeHeartbeat']>[1];
const judgedState = async (
  client: Pick<PoolClient, 'query'>,
  sql: string,
  checkKey: number,
  change: ChangeHeartbeat,
) => {
  const { rows } = await client.query<StateRow>(sql, [[checkKey]]);
  const state = rows[0] && stateOf(rows[0]);
  const next = state === undefined ? null : change(state);
  return state === undefined || next === null ? null : { state, next };
};

/** False: the status changes, or another call came between. */
async function changeUnlocked(pool: Pool, checkKey: number, change: ChangeHeartbeat): Promise<boolean> {
  const judged = await judgedState(pool, STATES, checkKey, change);
  if (judged === null || judged.next.changes.length > 0) return false;
  const { state, next } = judged;
  const values = [checkKey, JSON.stringify(next.heartbeat), state.version, JSON.stringify(state.heartbeat)];
  return (await pool.query(HEARTBEAT_UNLESS_CHANGED, values)).rowCount === 1;
}

/** Returns true if the status changed. */
async function changeLocked(client: PoolClient, checkKey: number, change: ChangeHeartbeat): Promise<boolean> {
  const judged = await judgedState(client, `${STATES} FOR UPDATE`, checkKey, change);
  if (judged === null) return false;
  const { state, next } = judged;
  await client.query(HEARTBEAT, [checkKey, JSON.stringify(next.heartbeat)]);
  const { fold, changes } = next;
  return changes.length > 0 && saveJudged(client, { checkKey, version: state.version, fold, changes });
}

export const createCheckResults = (database: Database): CheckResults => {
  const { pool, prisma } = database;
  const recent = new RecentResults(pool);
  const enabled = new EnabledChecks(database);
  return {
    listEnabled: () => enabled.list(),
    listOfApi: async () => {
      const where = { isEnabled: true, runsOnApi: true, kind: { not: 'heartbeat' } };
      return (await prisma.checkDefinition.findMany({ where, orderBy: { key: 'asc' } })).map(checkOf);
    },
    record: (organisationId, key, time, results) => recordResults(pool, organisationId, { key, at: time }, results),
    listSince: (from) => since(pool, from),
    listPlaces: (organisationId) => placesSeen(pool, organisationId),
    listStates: async (keys) => {
      const { rows } = await pool.query<StateRow>(STATES, [keys]);
      return new Map(rows.map((row) => [row.key, stateOf(row)]));
    },
    judge: async (all) => {
      await saveUnchanged(
        pool,
        all.filter(({ changes }) => changes.length === 0),
      );
      const saved = new Set<number>();
      for (const judged of all)
        if (judged.changes.length > 0 && (await inTransaction(pool, (client) => saveJudged(client, judged))))
          saved.add(judged.checkKey);
      return saved;
    },
    claimTick: async (now, mostSeconds) => {
      const { rows, rowCount } = await pool.query<{ from: number }>(CLAIM, [now, mostSeconds]);
      // Another replica has the moment, or the installation has none yet.
      if (rowCount === 0) await pool.query(FIRST_TICK);
      return rows[0]?.from ?? null;
    },
    changeHeartbeat: async (checkKey, change) =>
      !(await changeUnlocked(pool, checkKey, change)) &&
      (await inTransaction(pool, (client) => changeLocked(client, checkKey, change))),
    byHeartbeatKey: async (keyHash) => {
      const row = await prisma.checkDefinition.findUnique({ where: { keyHash: Uint8Array.from(keyHash) } });
      return row && checkOf(row);
    },
    listOutages: async (key, from) => (await pool.query<Outage>(OUTAGES, [key, from])).rows,
    listBuckets: async (key, places, { from, to, stepMs }) =>
      (await pool.query<BucketRow>(BUCKETS, [key, from, to, stepMs / 1000, places])).rows,
    listStretches: async (key, places, { from, stepMs }) => {
      const values = [key, places, from, stepMs];
      const { rows } = await pool.query<{ place: number; stretch: number; ok: boolean }>(STRETCHES, values);
      const byPlace = Map.groupBy(rows, ({ place }) => place);
      return new Map([...byPlace].map(([place, own]) => [place, new Map(own.map(({ stretch, ok }) => [stretch, ok]))]));
    },
    recent: ({ organisationId }, now) => recent.of(organisationId, now),
    listRanked: async ({ organisationId }, { limit, offset }) => {
      const [ranked, counted] = await Promise.all([
        pool.query<{ key: number }>(RANKED, [organisationId, limit, offset]),
        pool.query<{ status: keyof StatusCounts; checks: number }>(COUNTS, [organisationId]),
      ]);
      const counts: StatusCounts = { up: 0, down: 0, unknown: 0, paused: 0 };
      for (const { status, checks } of counted.rows) counts[status] = checks;
      return { keys: ranked.rows.map(({ key }) => key), counts };
    },
    saveSlow: async (slow) => {
      if (slow.size > 0) await pool.query(SLOW_SINCE, [[...slow.keys()], [...slow.values()]]);
    },
    listSlowness: async (from) => {
      const { rows } = await pool.query<{ checkKey: number; p95: number }>(SLOW, [from]);
      return new Map(rows.map(({ checkKey, p95 }) => [checkKey, p95]));
    },
  };
};
