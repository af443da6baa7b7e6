// SQL saves alerts: states are saved with a version check, in the transaction of their alerts.
import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { OFFLINE_AFTER_INTERVALS } from '@plimsoll/contract/rules/limits';
import type { PoolClient } from 'pg';
import type { AlertChange, AlertTracks, KnownAlertState, OpenAlert } from '../types.ts';
import { keepBlackBox } from './black-box.ts';
import { settleServerIncident } from './settle-incidents.ts';
import { noteLevelChange } from './level-events.ts';
import type { AcceptedServer, AlertOutbox, AlertStates, RefusedServer, TopListSnapshots } from '../store.ts';
import { inTransaction, isUniqueViolation } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

const LOAD = `SELECT
    (SELECT ${ms('ts')} FROM host_sample WHERE server_key = $1 AND ts >= ${at('$3')}
       AND ts <> ALL (SELECT ${at('t')} FROM unnest($2::double precision[]) AS t) ORDER BY ts DESC LIMIT 1) AS newest,
    EXISTS (SELECT FROM alert WHERE server_key = $1 AND metric = 'offline' AND resolved_at IS NULL) AS offline,
    EXISTS (SELECT FROM alert WHERE server_key = $1 AND metric = 'reports_refused' AND resolved_at IS NULL) AS refused,
    t.tracks, t.version, (SELECT trends FROM filesystem_trend WHERE server_key = $1) AS "diskTrends",
    (SELECT json_build_object('at', ${ms('computed_at')}, 'trend', memory_trend) FROM server_usage
       WHERE server_key = $1 AND memory_trend IS NOT NULL) AS "memoryTrend"
  FROM (SELECT) AS one LEFT JOIN alert_track t ON t.server_key = $1`;

const SAVE_TRACKS = `INSERT INTO alert_track AS t (server_key, tracks) SELECT $1, $3::jsonb WHERE $2 = 0
  ON CONFLICT (server_key) DO NOTHING RETURNING version`;
const UPDATE_TRACKS = `UPDATE alert_track SET tracks = $3::jsonb, version = version + 1
  WHERE server_key = $1 AND version = $2 RETURNING version`;

const OPEN = `INSERT INTO alert (server_key, rule, subject, metric, level, title, message, value, threshold, opened_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${at('$10')}, ${at('$10')})
  ON CONFLICT (server_key, rule, subject) WHERE resolved_at IS NULL DO NOTHING`;
const UPDATE = `${noteLevelChange('server_key')}
  UPDATE alert SET metric = $4, level = $5, title = $6, message = $7, value = $8, threshold = $9, updated_at = ${at('$10')}
  WHERE server_key = $1 AND rule = $2 AND subject = $3 AND resolved_at IS NULL`;
const RESOLVE = `UPDATE alert SET value = $4, message = $6, updated_at = ${at('$5')}, resolved_at = ${at('$5')}
  WHERE server_key = $1 AND rule = $2 AND subject = $3 AND resolved_at IS NULL`;

/** The rule of such an alert may have changed since it opened. */
const RESOLVE_BY_METRIC = `UPDATE alert SET message = $3, updated_at = ${at('$2')}, resolved_at = ${at('$2')}
  WHERE server_key = $1 AND metric = $4 AND resolved_at IS NULL`;
const HAS_NO_VALUE: readonly string[] = ['offline', 'reports_refused'];

/** $1 metrics  $2 account or null: all accounts. */
const LIST_OPEN = `SELECT a.server_key AS "serverKey", s.id AS "serverId", s.organisation_id AS "organisationId", a.rule, a.metric,
    a.subject, a.level, a.title, a.message, a.value, a.threshold
  FROM alert a JOIN server s ON s.key = a.server_key
  WHERE COALESCE(a.resolved_at, 'infinity') = 'infinity' AND a.metric = ANY($1) AND ($2::uuid IS NULL OR s.organisation_id = $2)`;

/** Time of the last report of server `s`. */
export const LAST_SEEN = '(SELECT max(last_received_at) FROM report_stream r WHERE r.server_key = s.key)';
/** SQL of the time before which the last report of server `s` makes it silent. */
export const silentBefore = (now: string): string =>
  `${at(now)} - make_interval(secs => s.report_interval_seconds * ${OFFLINE_AFTER_INTERVALS})`;
const SILENT = `SELECT key, id, organisation_id, ${ms('seen')} AS seen
  FROM (SELECT s.*, ${LAST_SEEN} AS seen FROM server s) AS s
  WHERE seen < ${silentBefore('$1')} AND (uninstalled_at IS NULL OR seen > uninstalled_at)
    AND NOT EXISTS (SELECT FROM alert a WHERE a.server_key = s.key AND a.metric = 'offline' AND a.resolved_at IS NULL)`;

/** $1 now, ms. A server that is silent since is judged as offline. */
const REFUSED = `SELECT s.key AS "serverKey", s.id AS "serverId", s.organisation_id AS "organisationId", ${ms('f.since')} AS since, f.detail
  FROM report_refusal f JOIN server s ON s.key = f.server_key
  WHERE f.last_at >= ${silentBefore('$1')} AND (s.uninstalled_at IS NULL OR f.last_at > s.uninstalled_at)
    AND NOT EXISTS (SELECT FROM alert a WHERE a.server_key = s.key AND a.metric = 'reports_refused' AND a.resolved_at IS NULL)`;
/** Alerts that an interrupted request left open. */
const ACCEPTED = `SELECT s.key AS "serverKey", s.id AS "serverId", s.organisation_id AS "organisationId"
  FROM alert a JOIN server s ON s.key = a.server_key
  WHERE COALESCE(a.resolved_at, 'infinity') = 'infinity' AND a.metric = 'reports_refused'
    AND NOT EXISTS (SELECT FROM report_refusal f WHERE f.server_key = s.key)`;

async function write(client: PoolClient, serverKey: number, change: AlertChange): Promise<void> {
  const { kind, rule, subject, metric, level, title, message, value, threshold, at: time } = change;
  if (kind === 'resolved' && HAS_NO_VALUE.includes(metric))
    await client.query(RESOLVE_BY_METRIC, [serverKey, time, message, metric]);
  else if (kind === 'resolved') await client.query(RESOLVE, [serverKey, rule, subject, value, time, message]);
  else {
    const values = [serverKey, rule, subject, metric, level, title, message, value, threshold, time];
    await client.query(kind === 'opened' ? OPEN : UPDATE, values);
  }
}

export const createAlertStateStore = (
  { pool }: Database,
  { topLists, outbox }: { topLists: TopListSnapshots; outbox: AlertOutbox },
): AlertStates => ({
  load: async (serverKey, sampleTimes) => {
    const since = Math.min(...sampleTimes) - DAY_MS;
    const { rows } = await pool.query<{
      newest: number | null;
      offline: boolean;
      refused: boolean;
      tracks: AlertTracks | null;
      version: string | null;
      diskTrends: KnownAlertState['diskTrends'] | null;
      memoryTrend: KnownAlertState['memoryTrend'];
    }>({ name: 'alert state', text: LOAD, values: [serverKey, sampleTimes, since] });
    const row = rows[0];
    return {
      tracks: row?.tracks ?? {},
      version: Number(row?.version ?? 0),
      newest: row?.newest ?? null,
      offline: row?.offline ?? false,
      refused: row?.refused ?? false,
      diskTrends: row?.diskTrends ?? [],
      memoryTrend: row?.memoryTrend ?? null,
    };
  },
  save: async (serverKey, version, tracks, changes) => {
    const attempt = inTransaction(pool, async (client) => {
      const text = version === 0 ? SAVE_TRACKS : UPDATE_TRACKS;
      const { rowCount } = await client.query(text, [serverKey, version, JSON.stringify(tracks)]);
      if (rowCount !== 1) return false;
      for (const change of changes) {
        // An alert must be there to be enqueued; its update or end is compared with what is stored.
        if (change.kind !== 'opened') await outbox.enqueueChange(client, serverKey, change);
        await write(client, serverKey, change);
        if (change.kind === 'opened') await outbox.enqueueChange(client, serverKey, change);
      }
      const times = changes.map(({ at: time }) => time);
      if (times.length > 0) await settleServerIncident(client, outbox, serverKey, Math.max(...times));
      const opened = changes.filter(({ kind }) => kind === 'opened');
      if (opened.length > 0) await topLists.take(client, serverKey);
      await keepBlackBox(client, serverKey, opened);
      return true;
    });
    return attempt.catch((error: unknown) => {
      if (isUniqueViolation(error)) return false;
      throw error;
    });
  },
  listOpen: async (metrics, organisationId) => (await pool.query<OpenAlert>(LIST_OPEN, [metrics, organisationId])).rows,
  listRefused: async (now) => {
    const [{ rows: refused }, { rows: accepted }] = await Promise.all([
      pool.query<RefusedServer>(REFUSED, [now]),
      pool.query<AcceptedServer>(ACCEPTED),
    ]);
    return { refused, accepted };
  },
  listSilent: async (now) => {
    const { rows } = await pool.query<{
      key: number;
      id: string;
      organisation_id: OrganisationId | null;
      seen: number;
    }>(SILENT, [now]);
    return rows.map((row) => ({
      serverKey: row.key,
      serverId: row.id,
      organisationId: row.organisation_id,
      lastSeenAt: row.seen,
    }));
  },
});
