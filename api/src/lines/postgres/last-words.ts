// SQL finds runs of containers without last words: it joins ends, pods and what was requested before.
import { POD_LOG_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { LINE_LIMITS } from '@plimsoll/contract/rules/lines';
import type { Database } from '../../database/database.ts';
import { timestamp } from '../../database/time.ts';
import type { LastWords } from '../store.ts';
import type { EndedRun } from '../types.ts';

/** An older end has no previous log any more, as a rule: its pod was replaced or restarted again. */
const LATELY = "interval '10 minutes'";
/** An answer this old is given again instead of a new request. */
const FRESH = `interval '${String(POD_LOG_LIMITS.freshSeconds)} seconds'`;
/** A collector answers with its next report. */
const PATIENCE = "interval '3 minutes'";

const RUN = `c.organisation_id AS "organisationId", c.uid AS "clusterId"`;
/** In a pod that failed, like one of a Job, no run follows: its log is the current one. */
const IS_PREVIOUS = "(p.phase IS DISTINCT FROM 'Failed' OR e.restarted)";
/** It waits for its next run, as most of the time in a crash loop: the run that ended is its previous one already. */
const WAITS = `EXISTS (SELECT FROM jsonb_array_elements(p.object->'containers') k
  WHERE k->>'name' = e.container AND k->>'status' = 'waiting')`;
/** $1 now, ms. A previous log is that of the newest run only. */
const WANTED = `SELECT "organisationId", "clusterId", namespace, pod, "podUid", container, run, restarted FROM (
    SELECT e."organisationId", e."clusterId", e.cluster_key, e.namespace, e.pod, e."podUid", e.container, e.run, e.at,
      ${IS_PREVIOUS} AS restarted,
      row_number() OVER (PARTITION BY "organisationId" ORDER BY at DESC, "podUid", container) AS place
    FROM (
      SELECT DISTINCT ON (e.cluster_key, e.pod_uid, e.container) ${RUN}, e.cluster_key, e.namespace, e.pod_name AS pod,
        e.pod_uid AS "podUid", e.container, e.run, e.restarted, e.at
      FROM kube_container_end e JOIN cluster c ON c.key = e.cluster_key AND c.reads_pod_logs
      WHERE e.at > ${timestamp('$1')} - ${LATELY}
      ORDER BY e.cluster_key, e.pod_uid, e.container, e.run DESC
    ) e
    JOIN kube_pod p ON p.cluster_key = e.cluster_key AND p.uid = e."podUid" AND p.gone_at IS NULL
      AND (e.restarted OR p.phase = 'Failed' OR ${WAITS})
    WHERE NOT EXISTS (SELECT FROM last_words w WHERE w.cluster_key = e.cluster_key AND w.pod_uid = e."podUid"
      AND w.container = e.container AND w.run = e.run)
  ) wanted
  WHERE place <= ${String(LINE_LIMITS.requestsPerMinute)} - (SELECT count(*) FROM last_words w
    JOIN cluster c ON c.key = w.cluster_key AND c.organisation_id = wanted."organisationId"
    WHERE w.requested_at > ${timestamp('$1')} - interval '1 minute')`;
/** $1 organisation  $2 cluster  $3 pod uid  $4 container  $5 run  $6 now, ms */
const ADD = `INSERT INTO last_words (cluster_key, pod_uid, container, run, at, namespace, pod, node, requested_at)
  SELECT e.cluster_key, e.pod_uid, e.container, e.run, e.at, e.namespace, e.pod_name, e.node_name, ${timestamp('$6')}
  FROM kube_container_end e JOIN cluster c ON c.key = e.cluster_key
  WHERE c.organisation_id = $1 AND c.uid = $2 AND e.pod_uid = $3 AND e.container = $4 AND e.run = $5
  ON CONFLICT DO NOTHING`;
/** $1 now, ms. A person may have requested the same tail a moment before. */
const ANSWERED = `SELECT ${RUN}, w.namespace, w.pod, w.pod_uid AS "podUid", w.container, w.run, ${IS_PREVIOUS} AS restarted,
    COALESCE(r.lines, '[]'::jsonb) AS lines
  FROM last_words w JOIN cluster c ON c.key = w.cluster_key
    JOIN kube_container_end e ON e.cluster_key = w.cluster_key AND e.pod_uid = w.pod_uid AND e.container = w.container
      AND e.run = w.run
    LEFT JOIN kube_pod p ON p.cluster_key = w.cluster_key AND p.uid = w.pod_uid
    JOIN LATERAL (SELECT q.lines::jsonb AS lines FROM kube_log_request q
      WHERE q.cluster_key = w.cluster_key AND q.namespace = w.namespace AND q.pod = w.pod AND q.container = w.container
        AND q.previous = ${IS_PREVIOUS} AND q.answered_at IS NOT NULL AND q.answered_at >= w.requested_at - ${FRESH}
      ORDER BY q.answered_at DESC LIMIT 1) r ON true
  WHERE w.answered_at IS NULL AND w.requested_at > ${timestamp('$1')} - ${PATIENCE}`;
/** $1 organisation  $2 cluster  $3 pod uid  $4 container  $5 run  $6 now, ms  $7 lines */
const KEEP = `UPDATE last_words w SET answered_at = ${timestamp('$6')}, lines = $7::text[] FROM cluster c
  WHERE c.key = w.cluster_key AND c.organisation_id = $1 AND c.uid = $2 AND w.pod_uid = $3 AND w.container = $4
    AND w.run = $5 AND w.answered_at IS NULL`;
const GIVE_UP = `UPDATE last_words SET answered_at = ${timestamp('$1')}
  WHERE answered_at IS NULL AND requested_at <= ${timestamp('$1')} - ${PATIENCE}`;

const keyOf = ({ organisationId, clusterId, podUid, container, run }: EndedRun): unknown[] => [
  organisationId,
  clusterId,
  podUid,
  container,
  run,
];

export const createLastWords = ({ pool }: Pick<Database, 'pool'>): LastWords => ({
  listWanted: async (now) => (await pool.query<EndedRun>(WANTED, [now])).rows,
  addPending: async (run, now) => (await pool.query(ADD, [...keyOf(run), now])).rowCount === 1,
  listAnswered: async (now) => {
    const { rows } = await pool.query<EndedRun & { lines: string[] }>(ANSWERED, [now]);
    return rows.map(({ lines, ...run }) => ({ run, lines }));
  },
  keep: async (run, lines, now) => {
    await pool.query(KEEP, [...keyOf(run), now, lines]);
  },
  giveUp: async (now) => (await pool.query(GIVE_UP, [now])).rowCount ?? 0,
});
