// SQL exports any table page by page as JSON: Prisma has no client for the tables that only SQL writes.
import { entriesOf, type ListKind, type StoredEntry } from '../../processes/list-entries.ts';
import { unpacked } from '../../processes/process-block.ts';
import { unpackedQuarters, type QuarterList } from '../../processes/quarter-block.ts';
import { EXPORTED_LISTS } from '../types.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { AccountExport } from '../store.ts';
import type { ExportedList } from '../types.ts';
import type { Database } from '../../database/database.ts';

/** Rows in memory at a time. */
const PAGE = 1000;

interface Source {
  table: string;
  /** Unique and indexed, with their types: a page begins after the last row of the one before. */
  key: readonly [column: string, type: string][];
  /** Joins the rows to what the account owns, and what stands for the inner keys outside. */
  owned: string;
  id: string;
  /** A further condition. */
  where?: string;
  /** `owned` takes the person as $2. */
  isPersonal?: true;
}
const OF_SERVER = {
  owned: 'JOIN server s ON s.key = t.server_key AND s.organisation_id = $1',
  id: "'server_id', s.id",
};
const OF_CLUSTER = {
  owned: 'JOIN cluster c ON c.key = t.cluster_key AND c.organisation_id = $1',
  id: "'cluster', c.uid",
};
const OF_NODE = {
  owned: `JOIN kube_node n ON n.key = t.node_key JOIN cluster c ON c.key = n.cluster_key AND c.organisation_id = $1`,
  id: "'cluster', c.uid, 'node', n.uid",
};
const PER_SERVER: Source['key'] = [
  ['server_key', 'integer'],
  ['ts', 'timestamptz'],
];
const PER_CLUSTER: Source['key'] = [
  ['cluster_key', 'integer'],
  ['uid', 'text'],
];
const PER_NODE: Source['key'] = [
  ['node_key', 'integer'],
  ['ts', 'timestamptz'],
];
const BY_ID: Source['key'] = [['id', 'uuid']];
const BY_NUMBER: Source['key'] = [['id', 'bigint']];
const OF_ALERT = {
  owned: `JOIN alert a ON a.id = t.alert_id LEFT JOIN server s ON s.key = a.server_key
    LEFT JOIN cluster c ON c.key = a.cluster_key AND c.organisation_id = $1`,
  id: "'server_id', s.id, 'cluster', c.uid",
  where: 'COALESCE(s.organisation_id, c.organisation_id, a.organisation_id) = $1',
};
const OF_CHANNEL = {
  owned: 'JOIN notify_channel n ON n.id = t.channel_id AND n.organisation_id = $1',
  id: "'channel', n.name",
};
const KIND: Source['key'][number] = ['kind', 'text'];

/** Conversations are private: only those of the person who exports. */
const OWN_CONVERSATION = 'c.organisation_id = $1 AND c.account_id = $2';

const SOURCES: Record<Exclude<ExportedList, 'list_history'>, Source> = {
  conversations: {
    table: 'ai_conversation',
    key: [['id', 'uuid']],
    owned: `JOIN ai_conversation c ON c.id = t.id AND ${OWN_CONVERSATION}`,
    id: '',
    isPersonal: true,
  },
  conversation_messages: {
    table: 'ai_message',
    key: [['id', 'bigint']],
    owned: `JOIN ai_conversation c ON c.id = t.conversation_id AND ${OWN_CONVERSATION}`,
    id: '',
    isPersonal: true,
  },
  rollups_5m: { table: 'host_rollup_5m', key: PER_SERVER, ...OF_SERVER },
  rollups_1h: { table: 'host_rollup_1h', key: PER_SERVER, ...OF_SERVER },
  lists: { table: 'server_list', key: [['server_key', 'integer'], KIND], ...OF_SERVER },
  process_minutes: { table: 'process_minute', key: PER_SERVER, ...OF_SERVER },
  process_blocks: { table: 'process_block', key: PER_SERVER, ...OF_SERVER },
  container_history: { table: 'container_history', key: PER_SERVER, ...OF_SERVER },
  hidden_parts: {
    table: 'hidden_part',
    key: [
      ['server_key', 'integer'],
      ['kind', 'text'],
      ['subject', 'text'],
    ],
    ...OF_SERVER,
  },
  changes: {
    table: 'change',
    key: BY_NUMBER,
    owned: 'LEFT JOIN server s ON s.key = t.server_key LEFT JOIN cluster c ON c.key = t.cluster_key',
    id: "'server_id', s.id, 'cluster', c.uid",
    where: 't.organisation_id = $1',
  },
  checks: { table: 'check_definition', key: BY_ID, owned: '', id: "'check_id', t.id" },
  check_outages: {
    table: 'check_outage',
    key: BY_ID,
    owned: 'JOIN check_definition c ON c.key = t.check_key AND c.organisation_id = $1',
    id: "'check_id', c.id, 'check', c.name",
  },
  check_rollups: {
    table: 'check_rollup_1h',
    key: [
      ['check_key', 'integer'],
      ['ts', 'timestamptz'],
    ],
    owned: 'JOIN check_definition c ON c.key = t.check_key AND c.organisation_id = $1',
    id: "'check_id', c.id, 'check', c.name",
  },
  filesystem_history: { table: 'filesystem_history', key: PER_SERVER, ...OF_SERVER },
  clusters: { table: 'cluster', key: [['key', 'integer']], owned: '', id: "'cluster', t.uid" },
  kubernetes_nodes: { table: 'kube_node', key: PER_CLUSTER, ...OF_CLUSTER },
  kubernetes_pods: { table: 'kube_pod', key: PER_CLUSTER, ...OF_CLUSTER },
  kubernetes_workloads: { table: 'kube_workload', key: PER_CLUSTER, ...OF_CLUSTER },
  kubernetes_events: { table: 'kube_event', key: PER_CLUSTER, ...OF_CLUSTER },
  kubernetes_jobs: { table: 'kube_job', key: PER_CLUSTER, ...OF_CLUSTER },
  kubernetes_samples: { table: 'kube_sample', key: PER_NODE, ...OF_NODE },
  kubernetes_rollups: { table: 'kube_rollup_5m', key: PER_NODE, ...OF_NODE },
  last_words: {
    table: 'last_words',
    key: [
      ['cluster_key', 'integer'],
      ['pod_uid', 'text'],
      ['container', 'text'],
      ['run', 'integer'],
    ],
    ...OF_CLUSTER,
  },
  capacity_settings: { table: 'capacity_setting', key: [['organisation_id', 'uuid']], owned: '', id: '' },
  cluster_prices: { table: 'cluster_price', key: [['cluster_key', 'integer']], ...OF_CLUSTER },
  status_pages: { table: 'status_page', key: BY_ID, owned: '', id: "'page_id', t.id" },
  status_page_servers: {
    table: 'status_page_server',
    key: [
      ['page_id', 'uuid'],
      ['server_id', 'uuid'],
    ],
    owned: 'JOIN status_page p ON p.id = t.page_id AND p.organisation_id = $1',
    id: '',
  },
  status_page_checks: {
    table: 'status_page_check',
    key: [
      ['page_id', 'uuid'],
      ['check_id', 'uuid'],
    ],
    owned: 'JOIN status_page p ON p.id = t.page_id AND p.organisation_id = $1',
    id: '',
  },
  status_incidents: {
    table: 'status_incident',
    key: BY_ID,
    owned: 'JOIN status_page p ON p.id = t.page_id AND p.organisation_id = $1',
    id: "'page', p.title",
  },
  status_incident_updates: {
    table: 'status_incident_update',
    key: BY_ID,
    owned: `JOIN status_incident i ON i.id = t.incident_id
      JOIN status_page p ON p.id = i.page_id AND p.organisation_id = $1`,
    id: "'page', p.title",
  },
  alert_rules: { table: 'alert_rule', key: BY_ID, owned: '', id: "'rule_id', t.id" },
  maintenance: { table: 'maintenance', key: BY_ID, owned: '', id: "'maintenance_id', t.id" },
  alert_silences: { table: 'alert_silence', key: BY_ID, owned: '', id: "'silence_id', t.id" },
  alert_operations: { table: 'alert_bulk', key: BY_ID, owned: '', id: "'operation_id', t.id" },
  alert_events: { table: 'alert_event', key: BY_NUMBER, ...OF_ALERT },
  alert_black_boxes: { table: 'alert_black_box', key: [['alert_id', 'uuid']], ...OF_ALERT },
  incident_causes: {
    table: 'incident_cause',
    key: [['incident_id', 'uuid']],
    owned: 'JOIN incident i ON i.id = t.incident_id LEFT JOIN server s ON s.key = i.server_key',
    id: "'server_id', s.id",
    where: 't.organisation_id = $1',
  },
  notify_channels: { table: 'notify_channel', key: BY_ID, owned: '', id: "'channel', t.name" },
  notify_outbox: { table: 'notify_outbox', key: BY_NUMBER, ...OF_CHANNEL },
  notify_deliveries: { table: 'notify_delivery', key: BY_NUMBER, ...OF_CHANNEL },
};
/** Handles of this database, which mean nothing outside, and references to secrets. */
const INNER = [
  'key',
  'organisation_id',
  'account_id',
  'server_key',
  'cluster_key',
  'node_key',
  'cluster_token_id',
  'listing',
  'secrets',
  'key_hash',
  'shares_secrets',
  'check_key',
  'environment_hash',
  'lease',
  'leased_until',
];

/** $1 organisation  $2 the person, for what is personal  then the key of the last row before */
const pageStatement = ({ table, key, owned, id, where = 'true', isPersonal }: Source, isFirst: boolean): string => {
  const first = isPersonal === true ? 3 : 2;
  const columns = key.map(([column]) => `t.${column}`).join(', ');
  const after = key.map(([, type], index) => `$${index + first}::${type}`).join(', ');
  return `SELECT (to_jsonb(t) - ARRAY[${INNER.map((name) => `'${name}'`).join(', ')}]) || jsonb_build_object(${id}) AS row,
    ARRAY[${key.map(([column]) => `t.${column}::text`).join(', ')}] AS key
  FROM ${table} t ${owned}
  WHERE ${owned === '' ? 't.organisation_id = $1' : where} ${isFirst ? '' : `AND (${columns}) > (${after})`}
  ORDER BY ${columns} LIMIT ${PAGE}`;
};

interface ExportedRow {
  row: { packed?: string; kind?: string; entries?: string };
  key: string[];
}

/** PostgreSQL writes bytes as "\\x…". */
const bytesOf = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');
const kindOf = (kind: string | undefined): ListKind => (kind === 'connections' ? 'connections' : 'processes');
/** A compressed block means nothing outside, nor do values without names: the lists stand in their place. */
const readable = ({ packed, ...row }: ExportedRow['row']): object => {
  if (packed !== undefined) return { ...row, lists: unpacked(bytesOf(packed)) };
  if (row.entries === undefined) return row;
  const stored = JSON.parse(row.entries) as StoredEntry<ListKind>[];
  return { ...row, entries: entriesOf(kindOf(row.kind), stored) };
};

const SERVERS = 'SELECT key, id FROM server WHERE organisation_id = $1 ORDER BY key';
/**
 * $1 server key. In one statement, because a job moves rows into blocks. Blocks first: of each time the first list stays.
 */
const LIST_HISTORY = `SELECT to_jsonb(t) AS row FROM process_quarter_block t WHERE server_key = $1
  UNION ALL SELECT to_jsonb(t) FROM server_list_history t WHERE server_key = $1
  UNION ALL SELECT to_jsonb(t) || '{"kind": "processes"}' FROM process_quarter t WHERE server_key = $1`;
interface HistoryRow {
  ts: string;
  kind: string;
  sample_at: string;
  entries: StoredEntry<ListKind>[];
}

/** Returns a time (ms) as PostgreSQL writes it in JSON. */
function timeText(milliseconds: number): string {
  const [date = '', fraction = ''] = new Date(milliseconds).toISOString().slice(0, -1).split('.');
  const digits = `${fraction}${String(Math.round(milliseconds * 1000) % 1000).padStart(3, '0')}`.replace(/0+$/, '');
  return `${date}${digits === '' ? '' : `.${digits}`}+00:00`;
}
const historyRow = ({ slot, at, processes }: QuarterList): HistoryRow => ({
  ts: timeText(slot),
  kind: 'processes',
  sample_at: timeText(at),
  entries: processes,
});

/** Yields the stored lists of each server, those of blocks as the rows they were. */
async function* listHistory(pool: Database['pool'], { organisationId }: Owner): AsyncGenerator<object> {
  const { rows: servers } = await pool.query<{ key: number; id: string }>(SERVERS, [organisationId]);
  for (const { key, id } of servers) {
    const { rows } = await pool.query<{ row: { packed?: string } & HistoryRow }>(LIST_HISTORY, [key]);
    const all = rows.flatMap(({ row }) =>
      row.packed === undefined ? [row] : unpackedQuarters(bytesOf(row.packed)).map(historyRow),
    );
    const distinct = new Map(all.toReversed().map((row) => [`${row.ts} ${row.kind}`, row]));
    for (const [, { ts, kind, sample_at, entries }] of [...distinct].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      yield { ts, kind, sample_at, entries: entriesOf(kindOf(kind), entries), server_id: id };
  }
}

export const createAccountExport = ({ pool }: Database): AccountExport => ({
  lists: EXPORTED_LISTS,
  rows: async function* ({ owner, personId }, list) {
    if (list === 'list_history') {
      yield* listHistory(pool, owner);
      return;
    }
    const source = SOURCES[list];
    const of = source.isPersonal === true ? [owner.organisationId, personId] : [owner.organisationId];
    let after: string[] = [];
    for (let isFirst = true; ; isFirst = false) {
      const found = await pool.query<ExportedRow>(pageStatement(source, isFirst), [...of, ...after]);
      for (const { row } of found.rows) yield readable(row);
      if (found.rows.length < PAGE) return;
      after = found.rows.at(-1)?.key ?? [];
    }
  },
});
