// SQL hands out log requests: taking the unsent ones and marking them must be one statement.
import type { LogRequest } from '@plimsoll/contract/wire/cluster-report';
import { POD_LOG_LIMITS as L } from '@plimsoll/contract/rules/kubernetes-limits';
import { inTransaction, type Database } from '../../database/database.ts';
import type { PodLogs } from '../store.ts';
import { clusterKeys } from './clusters.ts';

interface TailRow {
  requested_at: Date;
  answered_at: Date | null;
  lines: string[] | null;
  failure: string | null;
}
interface EarlierRow {
  answered_at: Date;
  lines: string[] | null;
}
/** An answer is fresh for seconds; a request without one is waited for until it is given up. */
const NEWEST = `SELECT requested_at, answered_at, lines, failure FROM kube_log_request
  WHERE cluster_key = $1 AND namespace = $2 AND pod = $3 AND container = $4 AND previous = $5
    AND (answered_at > to_timestamp($6 / 1000.0) - interval '${L.freshSeconds} seconds'
      OR answered_at IS NULL AND requested_at > to_timestamp($6 / 1000.0) - interval '${L.giveUpSeconds} seconds')
  ORDER BY requested_at DESC LIMIT 1`;
const WAITING = `SELECT count(*)::int AS waiting FROM kube_log_request WHERE cluster_key = $1 AND answered_at IS NULL
  AND requested_at > to_timestamp($2 / 1000.0) - interval '${L.giveUpSeconds} seconds'`;
const FORGET = `DELETE FROM kube_log_request WHERE requested_at < to_timestamp($1 / 1000.0) - interval '${L.keptSeconds} seconds'`;
const INSERT = `INSERT INTO kube_log_request (cluster_key, namespace, pod, container, previous, requested_at)
  VALUES ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0))`;
/** The last answer: it stays on the screen while a newer one is read. */
const LAST = `SELECT answered_at, lines FROM kube_log_request WHERE cluster_key = $1 AND namespace = $2 AND pod = $3
  AND container = $4 AND previous = $5 AND answered_at IS NOT NULL AND failure IS NULL ORDER BY answered_at DESC LIMIT 1`;
/** True for the first request of a reader for this tail among those kept. $6: who reads */
const NOTE_READER = `WITH before AS (SELECT EXISTS (SELECT FROM kube_log_request WHERE cluster_key = $1 AND namespace = $2
      AND pod = $3 AND container = $4 AND previous = $5 AND $6 = ANY(readers)) AS known)
  UPDATE kube_log_request r SET readers = array_append(array_remove(r.readers, $6), $6) FROM before
  WHERE r.id = (SELECT id FROM kube_log_request WHERE cluster_key = $1 AND namespace = $2 AND pod = $3 AND container = $4
    AND previous = $5 ORDER BY requested_at DESC LIMIT 1)
  RETURNING NOT before.known AS "isFirst"`;
const TAKE = `UPDATE kube_log_request SET sent_at = to_timestamp($2 / 1000.0) WHERE id IN (
    SELECT id FROM kube_log_request WHERE cluster_key = $1 AND sent_at IS NULL
      AND requested_at > to_timestamp($2 / 1000.0) - interval '${L.giveUpSeconds} seconds'
    ORDER BY requested_at LIMIT ${L.perResponse} FOR UPDATE SKIP LOCKED)
  RETURNING id, namespace, pod, container, previous`;
const ANSWER = `UPDATE kube_log_request SET answered_at = to_timestamp($3 / 1000.0), lines = $4, failure = $5
  WHERE id = $2 AND cluster_key = $1 AND sent_at IS NOT NULL AND answered_at IS NULL`;

export const createPodLogStore = (database: Database): PodLogs => ({
  request: async (pod, owner, { container, previous, reader }, now) => {
    const [cluster] = await clusterKeys(database, { owner, clusterId: pod.clusterId });
    return inTransaction(database.pool, async (client) => {
      // The lock makes two tabs that ask at once share one request.
      const { rows: clusters } = await client.query<{ reads_pod_logs: boolean }>(
        'SELECT reads_pod_logs FROM cluster WHERE key = $1 FOR UPDATE',
        [cluster?.key],
      );
      if (clusters[0]?.reads_pod_logs !== true) return 'off';
      await client.query(FORGET, [now]);
      const place = [cluster?.key, pod.object.namespace, pod.object.name, container, previous, now];
      const { rows } = await client.query<TailRow>(NEWEST, place);
      const isFirstRead = async (): Promise<boolean> => {
        const noted = await client.query<{ isFirst: boolean }>(NOTE_READER, [...place.slice(0, 5), reader]);
        return noted.rows[0]?.isFirst ?? true;
      };
      const [found] = rows;
      const earlier =
        found?.answered_at != null ? null : (await client.query<EarlierRow>(LAST, place.slice(0, 5))).rows[0];
      const kept = { lines: earlier?.lines ?? [], fetchedAt: earlier?.answered_at.getTime() ?? null };
      if (found)
        return {
          isFirstRead: await isFirstRead(),
          requestedAt: found.requested_at.getTime(),
          answeredAt: found.answered_at?.getTime() ?? null,
          failure: found.failure,
          ...(found.answered_at === null ? kept : { lines: found.lines ?? [], fetchedAt: found.answered_at.getTime() }),
        };
      const { rows: counted } = await client.query<{ waiting: number }>(WAITING, [cluster?.key, now]);
      if ((counted[0]?.waiting ?? 0) >= L.waiting) return 'full';
      await client.query(INSERT, place);
      return { isFirstRead: await isFirstRead(), requestedAt: now, answeredAt: null, failure: null, ...kept };
    });
  },
  take: async (clusterKey, now) => (await database.pool.query<LogRequest>(TAKE, [clusterKey, now])).rows,
  answer: async ({ clusterKey }, id, { lines, failure }, now) => {
    const { rowCount } = await database.pool.query(ANSWER, [clusterKey, id, now, JSON.stringify(lines), failure]);
    return rowCount === 1;
  },
});
