// SQL freezes the lists of a server: one statement reads them as they stand in the transaction that opens an alert.
import { BLACK_BOX_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import type { PoolClient } from 'pg';
import { entryObject, type ListKind } from '../../processes/list-entries.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import { fitBlackBox, type BlackBox } from '../acting/black-box.ts';

/** The newest list of a kind of a server, the highest rank first. */
export const newestList = (
  serverKey: string,
  kind: ListKind,
  most: number,
): string => `(SELECT json_build_object('sampledAt', ${ms('l.sample_at')},
    'total', json_array_length(l.entries::json), 'entries', COALESCE((
      SELECT json_agg(best.value ORDER BY best.rank DESC NULLS LAST, best.place) FROM (
        SELECT ${entryObject(kind, 'e.value')} AS value, e.place, l.first_rank[e.place] AS rank
        FROM json_array_elements(l.entries::json) WITH ORDINALITY AS e(value, place)
        ORDER BY rank DESC NULLS LAST, place LIMIT ${most}) AS best), '[]'::json))
  FROM server_list l WHERE l.server_key = ${serverKey} AND l.kind = '${kind}')`;

const SOCKETS = `(SELECT json_build_object('sampledAt', ${ms('t.sample_at')}, 'counts', json_build_object(
    'total', t.connections_total, 'established', t.connections_established, 'listen', t.connections_listen,
    'time_wait', t.connections_time_wait, 'close_wait', t.connections_close_wait))
  FROM server_latest t WHERE t.server_key = $1 AND t.connections_total IS NOT NULL)`;

const EVENTS = `COALESCE((SELECT json_agg(json_build_object('at', ${ms('v.at')}, 'eventType', v.event_type,
      'serviceName', v.service_name, 'processName', v.process_name, 'message', v.message, 'severity', v.severity)
      ORDER BY v.at DESC, v.id)
    FROM (SELECT * FROM activity_event WHERE server_key = $1 AND at <= ${at('$2')} AND event_type <> 'journal_error'
      ORDER BY at DESC, id LIMIT ${BLACK_BOX_LIMITS.events}) AS v), '[]'::json)`;

/** Pods of the node that the server is: broken ones first, then the greediest. */
const PODS = `(SELECT json_build_object('sampledAt', ${ms('c.last_seen_at')}, 'total', count(p.uid), 'entries',
    COALESCE(json_agg(json_build_object('namespace', p.namespace, 'name', p.name, 'phase', p.phase, 'reason', p.reason,
      'restartCount', p.restart_count, 'cpuCores', p.cpu_cores, 'memoryBytes', p.memory_bytes) ORDER BY p.place)
      FILTER (WHERE p.place <= ${BLACK_BOX_LIMITS.pods}), '[]'::json))
  FROM server s JOIN kube_node n ON n.server_id = s.id AND n.gone_at IS NULL
    JOIN cluster c ON c.key = n.cluster_key AND c.organisation_id = s.organisation_id
    LEFT JOIN LATERAL (SELECT q.uid, q.namespace, q.name, q.phase, q.reason, q.restart_count, u.cpu_cores,
        u.memory_bytes, row_number() OVER (ORDER BY q.reason IS NULL, q.phase IN ('Running', 'Succeeded'),
          u.memory_bytes DESC NULLS LAST, q.namespace, q.name) AS place
      FROM kube_pod q LEFT JOIN kube_pod_usage u ON u.pod_key = q.key
      WHERE q.cluster_key = n.cluster_key AND q.node_name = n.name AND q.gone_at IS NULL) AS p ON true
  WHERE s.key = $1 GROUP BY c.key, n.key)`;

/** $1 server key  $2 when the alert opened, ms */
const READ = `SELECT ${newestList('$1', 'processes', BLACK_BOX_LIMITS.processes)} AS processes,
  ${newestList('$1', 'connections', BLACK_BOX_LIMITS.connections)} AS connections, ${SOCKETS} AS sockets, ${EVENTS} AS events, ${PODS} AS pods`;

/** $1 server key  $2 rules  $3 subjects  $4 when they opened, ms  $5 body */
const KEEP = `INSERT INTO alert_black_box (alert_id, taken_at, body)
  SELECT a.id, ${at('$4')}, $5::jsonb FROM alert a
    JOIN unnest($2::text[], $3::text[]) AS x(rule, subject) ON a.rule = x.rule AND a.subject = x.subject
  WHERE a.server_key = $1 AND a.resolved_at IS NULL
  ON CONFLICT DO NOTHING`;

interface Opened {
  rule: string;
  subject: string;
  at: number;
}

/**
 * Freezes the lists of a server for the alerts that opened, in the transaction that saves them: after a crash there is
 * an alert with its black box, or neither. A list that cannot be frozen must not cost the alert.
 */
export async function keepBlackBox(client: PoolClient, serverKey: number, opened: readonly Opened[]): Promise<void> {
  const [first] = opened;
  if (first === undefined) return;
  await client.query('SAVEPOINT black_box');
  try {
    const openedAt = Math.max(...opened.map((change) => change.at));
    const { rows } = await client.query<BlackBox>(READ, [serverKey, openedAt]);
    if (rows[0] !== undefined) {
      const keys = [opened.map(({ rule }) => rule), opened.map(({ subject }) => subject)];
      await client.query(KEEP, [serverKey, ...keys, openedAt, JSON.stringify(fitBlackBox(rows[0]))]);
    }
    await client.query('RELEASE SAVEPOINT black_box');
  } catch {
    // Fails too if the connection is lost, and the transaction with it.
    await client.query('ROLLBACK TO SAVEPOINT black_box');
  }
}
