// SQL lists lines: events of hosts and last words of containers are one list in order of time.
import { readCounted, type HostLineKind } from '@plimsoll/contract/rules/lines';
import { isUuid, type Database } from '../../database/database.ts';
import { LINE_EVENTS } from '../../database/line-events.ts';
import { milliseconds, SHOWN_NAME, timestamp } from '../../database/time.ts';
import { readStamp } from '../shape-words.ts';
import type { LogLines } from '../store.ts';
import type { LineFilter, LineRecord } from '../types.ts';

/** $1 organisation  $2 from, ms  $3 to, ms  $4 server id or null  $5 limit */
const HOST_LINES = `SELECT ${milliseconds('e.at')} AS at, e.event_type AS kind, e.message,
    COALESCE(e.service_name, e.process_name) AS subject, s.id AS "serverId", ${SHOWN_NAME} AS hostname
  FROM activity_event e JOIN server s ON s.key = e.server_key
  WHERE s.organisation_id = $1 AND e.event_type IN ${LINE_EVENTS} AND e.at >= ${timestamp('$2')}
    AND e.at < ${timestamp('$3')} AND ($4::uuid IS NULL OR s.id = $4)
  ORDER BY e.at DESC, e.id LIMIT $5`;
/** $1–$5 as above  $6 cluster  $7 namespace  $8 pod, each may be null */
const WORDS = `SELECT ${milliseconds('w.at')} AS at, w.lines, c.uid AS "clusterId", w.namespace, w.pod, w.container, w.run,
    n.server_id AS "serverId"
  FROM last_words w JOIN cluster c ON c.key = w.cluster_key AND c.organisation_id = $1
    LEFT JOIN kube_node n ON n.cluster_key = w.cluster_key AND n.name = w.node AND n.gone_at IS NULL
  WHERE w.at >= ${timestamp('$2')} AND w.at < ${timestamp('$3')} AND cardinality(w.lines) > 0
    AND ($4::uuid IS NULL OR n.server_id = $4) AND ($6::text IS NULL OR c.uid = $6)
    AND ($7::text IS NULL OR w.namespace = $7) AND ($8::text IS NULL OR w.pod = $8)
  ORDER BY w.at DESC, w.pod, w.container LIMIT $5`;
const READS = 'SELECT reads_pod_logs AS reads FROM cluster WHERE organisation_id = $1 AND uid = $2';

interface HostRow {
  at: number;
  kind: HostLineKind;
  message: string;
  subject: string | null;
  serverId: string;
  hostname: string;
}
interface WordsRow {
  at: number;
  lines: string[];
  clusterId: string;
  namespace: string;
  pod: string;
  container: string;
  run: number;
  serverId: string | null;
}

const NO_PLACE = { clusterId: null, namespace: null, pod: null, container: null, run: null, endedAt: null };
const ofHost = ({ message, ...row }: HostRow): LineRecord => ({ ...row, ...NO_PLACE, ...readCounted(message) });

/** The time that the container's runtime gave each line; a line cannot be younger than the end of its run. */
const ofWords = ({ lines, at: end, ...place }: WordsRow): LineRecord[] =>
  lines
    .map((line): LineRecord => {
      const { at, text } = readStamp(line);
      return {
        at: Math.min(at ?? end, end),
        text,
        kind: 'last_words',
        count: 1,
        subject: null,
        hostname: null,
        endedAt: end,
        ...place,
      };
    })
    .toReversed();

export const createLogLines = ({ pool }: Pick<Database, 'pool'>): LogLines => ({
  list: async ({ organisationId }, filter: LineFilter, limit) => {
    const { from, to, serverId = null, clusterId = null, namespace = null, pod = null } = filter;
    if (serverId !== null && !isUuid(serverId)) return [];
    const asked = [organisationId, from, to, serverId, limit];
    const ofClusters = clusterId !== null || namespace !== null || pod !== null;
    const [hosts, words] = await Promise.all([
      ofClusters ? { rows: [] } : pool.query<HostRow>(HOST_LINES, asked),
      pool.query<WordsRow>(WORDS, [...asked, clusterId, namespace, pod]),
    ]);
    const all = [...hosts.rows.map(ofHost), ...words.rows.flatMap(ofWords)];
    return all.toSorted((a, b) => b.at - a.at).slice(0, limit);
  },
  hasPodLogs: async ({ organisationId }, clusterId) => {
    const { rows } = await pool.query<{ reads: boolean }>(READS, [organisationId, clusterId]);
    return rows[0]?.reads ?? null;
  },
});
