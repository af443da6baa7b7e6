// SQL inserts a batch of reports in one statement: with one statement for each table a report costs a round trip more each.
import { SAMPLE_COLUMN_NAMES, SAMPLE_COLUMNS } from '../../series/stored-figures.ts';
import { milliseconds, timestamp } from '../../database/time.ts';

/** A stream with more holes than this belongs to no honest agent: it is answered as a conflict. */
const MAX_RANGES = 4096;

const columns = SAMPLE_COLUMN_NAMES.join(', ');
const typedColumns = Object.entries(SAMPLE_COLUMNS)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');
const assignments = SAMPLE_COLUMN_NAMES.map((name) => `${name} = excluded.${name}`).join(', ');

/** Columns of server_parts, in the order of their parameters. */
const PART_NAMES = ['per_core_percent', 'filesystems', 'disks', 'interfaces', 'agent', 'inside'] as const;
/** Rows of server_fact; each takes three parameters: seq, time and value of the newest item that has it. */
export const FACTS = ['system', 'memory_total_bytes', 'storage_total_bytes'] as const;
/** Rows of server_list, like facts; each takes two parameters more, what its entries are ranked by. */
export const LISTS = ['processes', 'connections'] as const;

/** Optional parts. A statement without them saves PostgreSQL the setup of tables it does not touch. */
export const OPTIONAL_STEPS = ['lists', 'minute', 'minutes', 'losses', 'quarters', 'history', 'events'] as const;
export type OptionalStep = (typeof OPTIONAL_STEPS)[number];

/** Batch sizes. Each size is one more prepared statement, so there are few. */
export const STATEMENT_SIZES = [1, 2, 4, 8] as const;

/** Parameters of the request itself for one batch, in order. */
const REQUEST = {
  server_key: 'integer',
  stream_id: 'uuid',
  received_ms: 'double precision',
  skew: 'real',
  token_hash: 'bytea',
  settled: 'int8multirange',
} as const;

type Parameter = () => string;
const counterFrom = (first: number): Parameter => {
  let next = first;
  return () => `$${next++}`;
};
const typedBy = (parameter: Parameter, types: readonly string[]): string =>
  types.map((type) => `${parameter()}::${type}`).join(', ');
/** A row for each of `count` batches: big values arrive as parameters of their own and are parsed once. */
const rowsOf = (count: number, row: () => string): string => Array.from({ length: count }, row).join(', ');
/** A row a batch and kind: whose it is, then a seq, a time and the value of each. */
const kindRows = (count: number, kinds: readonly string[], types: readonly string[], parameter: Parameter): string =>
  rowsOf(count, () => {
    const key = `${parameter()}::integer`;
    const values = ['bigint', 'double precision', ...types];
    return kinds.map((kind) => `(${key}, '${kind}', ${typedBy(parameter, values)})`).join(', ');
  });

/** Entries are JSON that this process wrote: PostgreSQL stores it without checking it. */
const LIST_TYPES = ['text', 'double precision[]', 'double precision[]'] as const;

const STEPS: Record<OptionalStep, (count: number, parameter: Parameter) => string> = {
  lists: (count, parameter) => `lists AS (
  INSERT INTO server_list AS s (server_key, kind, sample_at, entries, first_rank, second_rank)
  SELECT l.server_key, l.kind, ${timestamp('l.at')}, l.entries, l.first_rank, l.second_rank
  FROM (VALUES ${kindRows(count, LISTS, LIST_TYPES, parameter)})
    AS l(server_key, kind, seq, at, entries, first_rank, second_rank)
  JOIN stored USING (server_key, seq)
  ORDER BY l.server_key
  ON CONFLICT (server_key, kind) DO UPDATE SET sample_at = excluded.sample_at, entries = excluded.entries,
    first_rank = excluded.first_rank, second_rank = excluded.second_rank
  WHERE s.sample_at < excluded.sample_at
)`,
  minute: (count, parameter) => `minute AS (
  INSERT INTO process_minute (ts, server_key, entries)
  SELECT ${timestamp('m.at')}, m.server_key, m.entries
  FROM (VALUES ${rowsOf(count, () => `(${typedBy(parameter, ['integer', 'bigint', 'double precision', 'text'])})`)})
    AS m(server_key, seq, at, entries)
  JOIN stored USING (server_key, seq)
  ON CONFLICT DO NOTHING
)`,
  minutes: (_count, parameter) => `minutes AS (
  INSERT INTO process_minute (ts, server_key, entries)
  SELECT ${timestamp('m.at')}, m.server_key, m.entries
  FROM json_to_recordset(${parameter()}::json) AS m(server_key integer, seq bigint, at double precision, entries text)
  JOIN stored USING (server_key, seq)
  ON CONFLICT DO NOTHING
)`,
  losses: (_count, parameter) => `losses AS (
  INSERT INTO dropped_report (stream_key, seq_from, seq_to, count, why, recorded_at)
  SELECT stream.key, l.seq_from, l.seq_to, l.count, l.why, ${timestamp('r.received_ms')}
  FROM json_to_recordset(${parameter()}::json)
    AS l(server_key integer, seq_from bigint, seq_to bigint, count bigint, why text)
  JOIN stream USING (server_key) JOIN request r USING (server_key)
  ON CONFLICT DO NOTHING
)`,
  quarters: (_count, parameter) => `quarters AS (
  INSERT INTO process_quarter (ts, server_key, sample_at, entries)
  SELECT ${timestamp('l.ts')}, l.server_key, ${timestamp('l.at')}, l.entries
  FROM json_to_recordset(${parameter()}::json)
    AS l(server_key integer, seq bigint, ts double precision, at double precision, entries json)
  JOIN stored USING (server_key, seq)
  ON CONFLICT DO NOTHING
)`,
  history: (_count, parameter) => `history AS (
  INSERT INTO server_list_history (ts, server_key, kind, sample_at, entries)
  SELECT ${timestamp('l.ts')}, l.server_key, 'connections', ${timestamp('l.at')}, l.entries
  FROM json_to_recordset(${parameter()}::json)
    AS l(server_key integer, seq bigint, ts double precision, at double precision, entries json)
  JOIN stored USING (server_key, seq)
  ON CONFLICT DO NOTHING
)`,
  events: (_count, parameter) => `events AS (
  INSERT INTO activity_event (server_key, stream_key, event_id, at, event_type, severity, service_name, process_name, message)
  SELECT e.server_key, stored.stream_key, e.event_id, ${timestamp('e.at')}, e.event_type, e.severity, e.service_name,
    e.process_name, e.message
  FROM json_to_recordset(${parameter()}::json) AS e(server_key integer, seq bigint, event_id text, at double precision,
    event_type text, severity text, service_name text, process_name text, message text)
  JOIN stored USING (server_key, seq)
  ON CONFLICT DO NOTHING
)`,
};

/** Selects the agent, its token and its state: one row per batch, always found through an index. */
const known = (count: number, parameter: Parameter): string => `WITH item AS MATERIALIZED (
  SELECT * FROM json_to_recordset(${parameter()}::json)
    AS i(server_key integer, seq bigint, at double precision, boot integer, up double precision, hash text, ${typedColumns})
), request(${Object.keys(REQUEST).join(', ')}) AS MATERIALIZED (
  VALUES ${rowsOf(count, () => `(${typedBy(parameter, Object.values(REQUEST))})`)}
), token AS MATERIALIZED (
  SELECT r.server_key, t.organisation_id FROM request r CROSS JOIN LATERAL (
    SELECT s.organisation_id FROM agent_token t JOIN server s ON s.key = t.server_key
    WHERE t.token_hash = r.token_hash AND t.server_key = r.server_key LIMIT 1) t
), known AS MATERIALIZED (
  SELECT r.server_key, k.* FROM request r CROSS JOIN LATERAL (
    SELECT key, version, (SELECT count(*) FROM unnest(settled)) AS ranges
    FROM report_stream WHERE server_key = r.server_key AND stream_id = r.stream_id LIMIT 1) k
), clash AS MATERIALIZED (
  SELECT server_key FROM item JOIN known USING (server_key) WHERE decode(item.hash, 'hex') <> (
    SELECT content_hash FROM report_ledger l WHERE l.stream_key = known.key AND l.seq = item.seq)
  UNION ALL
  SELECT server_key FROM known WHERE ranges >= ${MAX_RANGES}
)`;

const writes = (count: number, parameter: Parameter): string => `stream AS (
  INSERT INTO report_stream AS s (server_key, stream_id, settled, last_received_at, clock_skew_seconds)
  SELECT r.server_key, r.stream_id, r.settled, ${timestamp('r.received_ms')}, r.skew
    FROM request r JOIN token USING (server_key)
    WHERE NOT EXISTS (SELECT FROM clash WHERE clash.server_key = r.server_key)
    ORDER BY r.server_key
  ON CONFLICT (server_key, stream_id) DO UPDATE SET
    version = s.version + 1,
    settled = s.settled + excluded.settled,
    last_received_at = GREATEST(s.last_received_at, excluded.last_received_at),
    clock_skew_seconds = COALESCE(excluded.clock_skew_seconds, s.clock_skew_seconds)
  WHERE s.version = (SELECT version FROM known WHERE known.key = s.key)
  RETURNING s.key, s.server_key, s.settled
), fresh AS (
  INSERT INTO report_ledger (stream_key, boot, seq, sample_at, received_at, up_seconds, content_hash)
  SELECT stream.key, boot, seq, ${timestamp('at')}, ${timestamp('r.received_ms')}, up, decode(hash, 'hex')
  FROM stream JOIN request r USING (server_key) JOIN item USING (server_key)
  ON CONFLICT DO NOTHING
  RETURNING stream_key, seq
), stored AS MATERIALIZED (
  SELECT stream.server_key, stream_key, seq FROM fresh JOIN stream ON stream.key = stream_key
), samples AS (
  INSERT INTO host_sample (ts, server_key, ${columns})
  SELECT ${timestamp('at')}, server_key, ${columns} FROM item JOIN stored USING (server_key, seq)
  ON CONFLICT DO NOTHING
), latest AS (
  INSERT INTO server_latest AS s (server_key, sample_at, ${columns})
  SELECT DISTINCT ON (server_key) server_key, ${timestamp('at')}, ${columns}
  FROM item JOIN stored USING (server_key, seq) ORDER BY server_key, at DESC
  ON CONFLICT (server_key) DO UPDATE SET sample_at = excluded.sample_at, ${assignments}
  WHERE s.sample_at < excluded.sample_at
), parts AS (
  INSERT INTO server_parts AS s (server_key, sample_at, ${PART_NAMES.join(', ')})
  SELECT p.server_key, ${timestamp('p.at')}, ${PART_NAMES.map((name) => `p.${name}`).join(', ')}
  FROM (VALUES ${rowsOf(count, () => `(${typedBy(parameter, ['integer', 'bigint', 'double precision', ...PART_NAMES.map(() => 'json')])})`)})
    AS p(server_key, seq, at, ${PART_NAMES.join(', ')})
  JOIN stored USING (server_key, seq)
  ORDER BY p.server_key
  ON CONFLICT (server_key) DO UPDATE SET sample_at = excluded.sample_at,
    ${PART_NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE s.sample_at < excluded.sample_at
), facts AS (
  INSERT INTO server_fact AS s (server_key, name, sample_at, value)
  SELECT f.server_key, f.name, ${timestamp('f.at')}, f.value
  FROM (VALUES ${kindRows(count, FACTS, ['jsonb'], parameter)}) AS f(server_key, name, seq, at, value)
  JOIN stored USING (server_key, seq)
  ORDER BY f.server_key
  ON CONFLICT (server_key, name) DO UPDATE SET sample_at = excluded.sample_at, value = excluded.value
  WHERE s.sample_at < excluded.sample_at
), revived AS (
  UPDATE server SET uninstalled_at = NULL
  FROM (SELECT server_key, max(${timestamp('at')}) AS newest FROM item JOIN stored USING (server_key, seq)
    GROUP BY server_key) AS heard
  WHERE key = heard.server_key AND uninstalled_at < heard.newest
)`;

const ANSWER = `
SELECT r.server_key AS "serverKey", token.server_key IS NOT NULL AS "isKnown", token.organisation_id AS "organisationId",
  EXISTS (SELECT FROM clash WHERE clash.server_key = r.server_key) AS clash,
  (SELECT settled::text FROM stream WHERE stream.server_key = r.server_key) AS settled,
  ARRAY(SELECT seq::text FROM stored WHERE stored.server_key = r.server_key ORDER BY seq) AS stored,
  (SELECT ${milliseconds('sample_at')} FROM server_latest l WHERE l.server_key = r.server_key) AS newest,
  EXISTS (SELECT FROM alert a WHERE a.server_key = r.server_key AND a.metric = 'offline' AND a.resolved_at IS NULL)
    AS offline,
  EXISTS (SELECT FROM report_refusal f WHERE f.server_key = r.server_key) AS "wasRefused",
  EXISTS (SELECT FROM alert a WHERE a.server_key = r.server_key AND a.metric = 'reports_refused' AND a.resolved_at IS NULL)
    AS refused,
  (SELECT tracks FROM alert_track t WHERE t.server_key = r.server_key) AS tracks,
  (SELECT version FROM alert_track t WHERE t.server_key = r.server_key) AS version,
  (SELECT trends FROM filesystem_trend t WHERE t.server_key = r.server_key) AS "diskTrends",
  (SELECT json_build_object('at', ${milliseconds('computed_at')}, 'trend', memory_trend) FROM server_usage u
    WHERE u.server_key = r.server_key AND memory_trend IS NOT NULL) AS "memoryTrend"
FROM request r LEFT JOIN token USING (server_key)`;

/**
 * Accepts a batch of each of `size` servers in one statement, which is its own transaction: is the token still good,
 * what is known, every write, and how the server's alerts stood before. What of `steps` the batches do not carry is left
 * out of the statement.
 *
 * Every writer of a stream raises its version, and every write below depends on the `stream` row this statement got. It
 * gets none when the token is gone, or when the version differs from its snapshot: then nothing is written for that
 * server and the caller tries again. So the snapshot is exact about tokens, replays and conflicts, without a lock held
 * over several round trips. Rows are written in the order of their servers, so that two statements wait for
 * each other in one direction only.
 *
 * The known hash is looked up seq by seq: as a join, the planner reads the stream's whole ledger for one report.
 *
 * Parameters: the items of all batches as one JSON text; for each batch its request; for each its key, newest seq, its
 * time and its parts; for each its key and three for each fact; then those of the steps in order.
 */
export const acceptStatement = (size: number, steps: ReadonlySet<OptionalStep>): { name: string; text: string } => {
  const present = OPTIONAL_STEPS.filter((step) => steps.has(step));
  const name = ['accept', String(size), ...present].join(' ');
  const text = texts.get(name) ?? textOf(size, present);
  texts.set(name, text);
  return { name, text };
};
/** By name: of each size and set of steps. */
const texts = new Map<string, string>();
const textOf = (size: number, present: readonly OptionalStep[]): string => {
  const parameter = counterFrom(1);
  return (
    [known(size, parameter), writes(size, parameter), ...present.map((step) => STEPS[step](size, parameter))].join(
      ', ',
    ) + ANSWER
  );
};
