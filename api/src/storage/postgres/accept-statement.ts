import { SAMPLE_COLUMN_NAMES, SAMPLE_COLUMNS } from './sample-columns.ts';
import { milliseconds, timestamp } from './time.ts';

/** A stream with more holes than this belongs to no honest agent: it is answered as a conflict. */
const MAX_RANGES = 4096;

const columns = SAMPLE_COLUMN_NAMES.join(', ');
const typedColumns = Object.entries(SAMPLE_COLUMNS)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');
const assignments = SAMPLE_COLUMN_NAMES.map((name) => `${name} = excluded.${name}`).join(', ');
const RECEIVED_AT = timestamp('$3');

/** Columns of server_parts, in the order of their parameters. */
export const PARTS = ['per_core_percent', 'filesystems', 'disks', 'interfaces', 'agent'] as const;
/** Rows of server_fact; each takes three parameters: seq, time and value of the newest item that has it. */
export const FACTS = ['system', 'memory_total_bytes', 'storage_total_bytes'] as const;
/** Rows of server_list, like facts; each takes two parameters more, what its entries are ranked by. */
export const LISTS = ['processes', 'connections'] as const;

/** What many reports do not carry: a statement without it saves PostgreSQL setting up the tables it would not touch. */
export const OPTIONAL_STEPS = ['lists', 'losses', 'history', 'events'] as const;
export type OptionalStep = (typeof OPTIONAL_STEPS)[number];

type Parameter = () => string;
const counterFrom = (first: number): Parameter => {
  let next = first;
  return () => `$${next++}`;
};

/** Rows of a kind, a seq, a time and a value each: the big values arrive as parameters of their own and are parsed once. */
const kindRows = (kinds: readonly string[], types: readonly string[], parameter: Parameter): string => {
  const typed = ['bigint', 'double precision', ...types];
  return kinds.map((kind) => `('${kind}', ${typed.map((type) => `${parameter()}::${type}`).join(', ')})`).join(', ');
};

const FIXED = 14;
const facts = kindRows(FACTS, ['jsonb'], counterFrom(FIXED + 1));
const AFTER_FACTS = FIXED + 1 + 3 * FACTS.length;

const LIST_TYPES = ['json', 'double precision[]', 'double precision[]'] as const;

const STEPS: Record<OptionalStep, (parameter: Parameter) => string> = {
  lists: (parameter) => `lists AS (
  INSERT INTO server_list AS s (server_key, kind, sample_at, entries, first_rank, second_rank)
  SELECT $1, l.kind, ${timestamp('l.at')}, l.entries, l.first_rank, l.second_rank
  FROM (VALUES ${kindRows(LISTS, LIST_TYPES, parameter)}) AS l(kind, seq, at, entries, first_rank, second_rank)
  JOIN fresh USING (seq)
  ON CONFLICT (server_key, kind) DO UPDATE SET sample_at = excluded.sample_at, entries = excluded.entries,
    first_rank = excluded.first_rank, second_rank = excluded.second_rank
  WHERE s.sample_at < excluded.sample_at
)`,
  losses: (parameter) => `losses AS (
  INSERT INTO report_loss (stream_key, seq_from, seq_to, count, why, recorded_at)
  SELECT stream.key, l.seq_from, l.seq_to, l.count, l.why, ${RECEIVED_AT}
  FROM stream, json_to_recordset(${parameter()}::json) AS l(seq_from bigint, seq_to bigint, count bigint, why text)
  ON CONFLICT DO NOTHING
)`,
  history: (parameter) => `history AS (
  INSERT INTO server_list_history (ts, server_key, kind, sample_at, entries)
  SELECT ${timestamp('l.ts')}, $1, l.kind, ${timestamp('l.at')}, l.entries
  FROM json_to_recordset(${parameter()}::json)
    AS l(seq bigint, ts double precision, at double precision, kind text, entries json)
  JOIN fresh USING (seq)
  ON CONFLICT DO NOTHING
)`,
  events: (parameter) => `events AS (
  INSERT INTO activity_event (server_key, stream_key, event_id, at, event_type, severity, service_name, process_name, message)
  SELECT $1, stream.key, e.event_id, ${timestamp('e.at')}, e.event_type, e.severity, e.service_name,
    e.process_name, e.message
  FROM stream, json_to_recordset(${parameter()}::json) AS e(seq bigint, event_id text, at double precision,
    event_type text, severity text, service_name text, process_name text, message text)
  JOIN fresh USING (seq)
  ON CONFLICT DO NOTHING
)`,
};

const TAKE = `WITH token AS MATERIALIZED (
  SELECT s.account_id FROM agent_token t JOIN server s ON s.key = t.server_key
  WHERE t.token_hash = $5 AND t.server_key = $1
), item AS MATERIALIZED (
  SELECT * FROM json_to_recordset($6::json)
    AS i(seq bigint, at double precision, boot integer, up double precision, hash text, ${typedColumns})
), known AS MATERIALIZED (
  SELECT key, version, (SELECT count(*) FROM unnest(settled)) AS ranges
  FROM report_stream WHERE server_key = $1 AND stream_id = $2
), clash AS MATERIALIZED (
  SELECT 1 FROM item WHERE decode(item.hash, 'hex') <> (
    SELECT content_hash FROM report_ledger l WHERE l.stream_key = (SELECT key FROM known) AND l.seq = item.seq)
  UNION ALL
  SELECT 1 FROM known WHERE ranges >= ${MAX_RANGES}
), stream AS (
  INSERT INTO report_stream AS s (server_key, stream_id, settled, last_received_at, clock_skew_seconds)
  SELECT $1, $2, $7::int8multirange, ${RECEIVED_AT}, $4::real
    FROM token WHERE NOT EXISTS (SELECT FROM clash)
  ON CONFLICT (server_key, stream_id) DO UPDATE SET
    version = s.version + 1,
    settled = s.settled + excluded.settled,
    last_received_at = GREATEST(s.last_received_at, excluded.last_received_at),
    clock_skew_seconds = COALESCE(excluded.clock_skew_seconds, s.clock_skew_seconds)
  WHERE s.version = (SELECT version FROM known)
  RETURNING s.key, s.settled
), fresh AS (
  INSERT INTO report_ledger (stream_key, boot, seq, sample_at, received_at, up_seconds, content_hash)
  SELECT stream.key, boot, seq, ${timestamp('at')}, ${RECEIVED_AT}, up, decode(hash, 'hex')
  FROM stream, item
  ON CONFLICT DO NOTHING
  RETURNING seq
), samples AS (
  INSERT INTO host_sample (ts, server_key, ${columns})
  SELECT ${timestamp('at')}, $1, ${columns} FROM item JOIN fresh USING (seq)
  ON CONFLICT DO NOTHING
), latest AS (
  INSERT INTO server_latest AS s (server_key, sample_at, ${columns})
  SELECT $1, ${timestamp('at')}, ${columns} FROM item JOIN fresh USING (seq) ORDER BY at DESC LIMIT 1
  ON CONFLICT (server_key) DO UPDATE SET sample_at = excluded.sample_at, ${assignments}
  WHERE s.sample_at < excluded.sample_at
), parts AS (
  INSERT INTO server_parts AS s (server_key, sample_at, ${PARTS.join(', ')})
  SELECT $1, ${timestamp('$9')}, $10::jsonb, $11::jsonb, $12::jsonb, $13::jsonb, $14::jsonb
  FROM fresh WHERE seq = $8
  ON CONFLICT (server_key) DO UPDATE SET sample_at = excluded.sample_at,
    ${PARTS.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE s.sample_at < excluded.sample_at
), facts AS (
  INSERT INTO server_fact AS s (server_key, name, sample_at, value)
  SELECT $1, f.name, ${timestamp('f.at')}, f.value
  FROM (VALUES ${facts}) AS f(name, seq, at, value) JOIN fresh USING (seq)
  ON CONFLICT (server_key, name) DO UPDATE SET sample_at = excluded.sample_at, value = excluded.value
  WHERE s.sample_at < excluded.sample_at
), revived AS (
  UPDATE server SET uninstalled_at = NULL
  WHERE key = $1 AND uninstalled_at < (SELECT max(${timestamp('at')}) FROM item JOIN fresh USING (seq))
)`;

const ANSWER = `
SELECT EXISTS (SELECT FROM token) AS "isKnown", (SELECT account_id FROM token) AS "accountId",
  EXISTS (SELECT FROM clash) AS clash, (SELECT settled::text FROM stream) AS settled,
  ARRAY(SELECT seq::text FROM fresh ORDER BY seq) AS stored,
  (SELECT ${milliseconds('sample_at')} FROM server_latest WHERE server_key = $1) AS newest,
  EXISTS (SELECT FROM alert WHERE server_key = $1 AND metric = 'offline' AND resolved_at IS NULL) AS offline,
  t.tracks, t.version
FROM (SELECT) AS one LEFT JOIN alert_track t ON t.server_key = $1`;

/**
 * Accepts a batch in one statement, which is its own transaction: is the token still good, what is known, every write,
 * and how the server's alerts stood before. What of `steps` the batch does not carry is left out of the statement.
 *
 * Every writer of a stream raises its version, and every write below hangs on the `stream` row this statement got. It
 * gets none when the token is gone, or when the version is no longer the one of its snapshot: then nothing is written
 * and the caller asks again. So what the snapshot says about tokens, replays and conflicts is exact, without a lock held
 * over several round trips.
 *
 * The known hash is looked up seq by seq: as a join, the planner reads the stream's whole ledger for one report.
 *
 * $1 server_key  $2 stream_id  $3 received at, ms  $4 skew, s  $5 token's hash  $6 items  $7 seqs settled
 * $8 and $9 seq and time of the newest item, its parts, then three for each fact, then those of the steps in order
 */
export const acceptStatement = (steps: ReadonlySet<OptionalStep>): { name: string; text: string } => {
  const present = OPTIONAL_STEPS.filter((step) => steps.has(step));
  const name = ['accept', ...present].join(' ');
  const text = texts.get(name) ?? textOf(present);
  texts.set(name, text);
  return { name, text };
};
/** By name: two to the number of optional steps at most. */
const texts = new Map<string, string>();
const textOf = (present: readonly OptionalStep[]): string => {
  const parameter = counterFrom(AFTER_FACTS);
  return [TAKE, ...present.map((step) => STEPS[step](parameter))].join(', ') + ANSWER;
};
