import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import { LINE_DAYS } from '@plimsoll/contract/rules/lines';
import { beforeAll, describe, expect, it } from 'vitest';
import { enrolledAgent, newAccount } from '../testing/batches.ts';
import { testCluster } from '../testing/kubernetes.ts';
import { describeEachPostgres } from '../testing/postgres.ts';

const DAY = 86_400_000;
const NOW = Math.floor(Date.now() / 1000) * 1000;
const { raw, fiveMinutes, oneHour } = RETENTION_DAYS;
/** A range of samples is explained by a ledger that reaches a day further. */
const LEDGER = raw + 1;

interface Kept {
  table: string;
  days: number;
  /** The column that makes a row old. */
  column: string;
  /** The other columns of a row. $1: its time, $2: a number of its own, $3: a server, $4: a cluster, $5: an account. */
  values: Record<string, string>;
}
const HASH = `decode(lpad(to_hex($2::int), 64, '0'), 'hex')`;
const OF_POD = { cluster_key: '$4', namespace: `'shop'`, name: `'web-' || $2` };
const KEPT: Kept[] = [
  {
    table: 'report_ledger',
    days: LEDGER,
    column: 'sample_at',
    values: { stream_key: '1', boot: '1', seq: '$2::int', received_at: 'now()', up_seconds: '1', content_hash: HASH },
  },
  {
    table: 'dropped_report',
    days: LEDGER,
    column: 'recorded_at',
    values: { stream_key: '1', seq_from: '$2::int', seq_to: '$2::int', count: '1', why: `'spool_full'` },
  },
  {
    table: 'external_reading',
    days: 1,
    column: 'received_at',
    values: {
      organisation_id: '$5',
      source_hash: HASH,
      agent: `'prometheus'`,
      identity: '$2::text',
      name: `'web-1'`,
      interval_at: 'to_timestamp(0)',
      reading_values: `'[]'`,
      growths: `'[]'`,
    },
  },
  {
    table: 'external_reading',
    days: 90,
    column: 'received_at',
    values: {
      organisation_id: '$5',
      source_hash: HASH,
      agent: `'prometheus'`,
      identity: '$2::text',
      name: `'two machines'`,
      interval_at: 'to_timestamp(0)',
      is_reported: 'true',
      reading_values: `'[]'`,
      growths: `'[]'`,
      machines: `'[{},{}]'`,
    },
  },
  { table: 'agent_sign_off', days: LEDGER, column: 'at', values: { server_key: '$3', reason: `'restart'` } },
  { table: 'database_size', days: 90, column: 'at', values: { bytes: '1' } },
  { table: 'api_uptime', days: LEDGER, column: 'seen_at', values: { started_at: 'to_timestamp(0)' } },
  {
    table: 'activity_event',
    days: oneHour,
    column: 'at',
    values: {
      server_key: '$3',
      stream_key: '1',
      event_id: '$2::text',
      event_type: `'boot'`,
      severity: `'info'`,
      message: `'m'`,
    },
  },
  {
    table: 'session',
    days: 0,
    column: 'expires_at',
    values: { account_id: '$5', token_hash: HASH, created_at: 'to_timestamp(0)' },
  },
  { table: 'sign_in_code', days: 0, column: 'expires_at', values: { code_hash: HASH, created_at: 'to_timestamp(0)' } },
  {
    table: 'enrolment_token',
    days: 30,
    column: 'expires_at',
    values: { organisation_id: '$5', token_hash: HASH, created_at: 'to_timestamp(0)' },
  },
  {
    table: 'api_token',
    days: 30,
    column: 'expires_at',
    values: {
      account_id: '$5',
      name: '$2::text',
      token_hash: HASH,
      last_four: `'abcd'`,
      scopes: `'{read}'`,
      created_at: 'to_timestamp(0)',
    },
  },
  {
    table: 'cluster_token',
    days: 30,
    column: 'expires_unused_at',
    values: { organisation_id: '$5', token_hash: HASH, last_four: `'abcd'`, created_at: 'to_timestamp(0)' },
  },
  { table: 'revoked_agent_token', days: 90, column: 'revoked_at', values: { token_hash: HASH, server_key: '$3' } },
  {
    table: 'cluster_token',
    days: 30,
    column: 'ends_at',
    values: {
      organisation_id: '$5',
      token_hash: HASH,
      last_four: `'abcd'`,
      created_at: 'to_timestamp(0)',
      last_used_at: 'to_timestamp(0)',
    },
  },
  { table: 'deleted_agent_token', days: 400, column: 'deleted_at', values: { token_hash: HASH } },
  {
    table: 'kube_event',
    days: raw,
    column: 'last_at',
    values: {
      ...OF_POD,
      uid: '$2::text',
      type: `'Normal'`,
      reason: `'Pulled'`,
      message: `'m'`,
      kind: `'Pod'`,
      count: '1',
      first_at: 'to_timestamp(0)',
    },
  },
  {
    table: 'alert',
    days: 730,
    column: 'resolved_at',
    values: {
      server_key: '$3',
      rule: '$2::text',
      metric: `'cpu_usage'`,
      subject: `''`,
      level: `'warning'`,
      title: `'t'`,
      message: `'m'`,
      opened_at: 'to_timestamp(0)',
      updated_at: 'to_timestamp(0)',
    },
  },
  {
    table: 'incident',
    days: 1,
    column: 'resolved_at',
    values: {
      server_key: '$3',
      root: `'server:' || $2`,
      cause: `'offline'`,
      level: `'critical'`,
      title: `'t'`,
      opened_at: 'to_timestamp(0)',
      updated_at: 'to_timestamp(0)',
    },
  },
  {
    table: 'alert_silence',
    days: 730,
    column: 'ends_at',
    values: {
      organisation_id: '$5',
      server_id: '(SELECT id FROM server WHERE key = $3)',
      starts_at: 'to_timestamp(0)',
      comment: `''`,
      created_at: 'to_timestamp(0)',
      updated_at: 'to_timestamp(0)',
    },
  },
  {
    table: 'alert_bulk',
    days: 30,
    column: 'at',
    values: { id: 'gen_random_uuid()', organisation_id: '$5', action: `'acknowledge'`, changes: `'[]'` },
  },
  {
    table: 'kube_job',
    days: raw,
    column: 'failed_at',
    values: { ...OF_POD, uid: '$2::text' },
  },
  {
    table: 'kube_pod',
    days: raw,
    column: 'gone_at',
    values: {
      ...OF_POD,
      uid: '$2::text',
      phase: `'Running'`,
      restart_count: '0',
      created_at: 'to_timestamp(0)',
      object: `'{}'`,
    },
  },
  {
    table: 'kube_volume_usage',
    days: raw,
    column: 'measured_at',
    values: { cluster_key: '$4', namespace: `'shop'`, claim: '$2::text', used_bytes: '1', capacity_bytes: '2' },
  },
  {
    table: 'last_words',
    days: LINE_DAYS,
    column: 'at',
    values: {
      cluster_key: '$4',
      pod_uid: '$2::text',
      container: `'app'`,
      run: '1',
      namespace: `'shop'`,
      pod: `'web'`,
      requested_at: 'now()',
    },
  },
  {
    table: 'kube_container_end',
    days: fiveMinutes,
    column: 'at',
    values: {
      cluster_key: '$4',
      pod_uid: '$2::text',
      container: `'app'`,
      run: '1',
      restarted: 'true',
      namespace: `'shop'`,
      pod_name: `'web'`,
    },
  },
  {
    table: 'kube_node',
    days: fiveMinutes,
    column: 'gone_at',
    values: {
      cluster_key: '$4',
      uid: '$2::text',
      name: `'node-' || $2`,
      server_id: 'gen_random_uuid()',
      first_seen_at: 'to_timestamp(0)',
      object: `'{}'`,
    },
  },
];
/** Names every parameter, so that PostgreSQL can infer its type where a table does not use it. */
const insertOf = ({ table, column, values }: Kept): string =>
  `INSERT INTO ${table} (${column}, ${Object.keys(values).join(', ')})
   SELECT to_timestamp($1::float8 / 1000), ${Object.values(values).join(', ')}
   WHERE ($2::int, $3::int, $4::int, $5::uuid) IS NOT NULL`;

describeEachPostgres('what is pruned', (db) => {
  let of: unknown[];
  const insert = (kept: Kept, at: number | null, number: number) => db.sql(insertOf(kept), [at, number, ...of]);
  const prune = (now = NOW) => db.storage().maintenance.prune(now);
  const timesOf = async ({ table, column }: Kept) => {
    const rows = await db.sql<{ at: Date | null }>(`SELECT ${column} AS at FROM ${table} ORDER BY 1`);
    return rows.map(({ at }) => at?.getTime() ?? null);
  };

  beforeAll(async () => {
    const organisationId = await newAccount(db.storage());
    const { serverKey } = await enrolledAgent(db.storage(), organisationId);
    const { clusterKey } = await testCluster(db.storage(), organisationId, 'pruned');
    of = [serverKey, clusterKey, organisationId];
    await db.sql('DELETE FROM enrolment_token');
    await db.sql('DELETE FROM cluster_token');
    await db.sql('DELETE FROM api_token');
  });

  describe.each(KEPT)('$table', (kept) => {
    it(`goes when it is ${kept.days} days old, and not a millisecond before`, async () => {
      const limit = NOW - kept.days * DAY;
      for (const [number, at] of [limit - 1, limit, NOW].entries()) await insert(kept, at, number);
      expect(await prune()).toMatchObject({ [kept.table]: 1 });
      expect(await timesOf(kept)).toEqual(kept.days === 0 ? [NOW, NOW] : [limit, NOW]);
      expect(await prune(NOW + (kept.days + 1) * DAY)).toMatchObject({ [kept.table]: 2 });
      expect(await timesOf(kept)).toEqual([]);
    });
  });

  it.each(['kube_pod', 'kube_node'])('is no %s that is still there', async (table) => {
    const kept = KEPT.find((one) => one.table === table)!;
    await insert(kept, null, 1);
    await prune(NOW + 1000 * DAY);
    expect(await timesOf(kept)).toEqual([null]);
  });

  it('is an incident with its last alert, and what belongs to the alert; an open or newer one stays', async () => {
    const alertAt = KEPT.find(({ table }) => table === 'alert')!;
    const incidentAt = KEPT.find(({ table }) => table === 'incident')!;
    const old = NOW - 731 * DAY;
    for (const [number, at] of [old, NOW, null].entries()) {
      await insert(incidentAt, at, number);
      await insert(alertAt, at, number);
    }
    await db.sql(
      `UPDATE alert a SET incident_id = i.id FROM incident i
        WHERE i.resolved_at IS NOT DISTINCT FROM a.resolved_at`,
    );
    await db.sql(`INSERT INTO alert_event (alert_id, at, kind) SELECT id, now(), 'acknowledged' FROM alert`);
    await db.sql(`INSERT INTO alert_black_box (alert_id, taken_at, body) SELECT id, now(), '{}' FROM alert`);
    expect(await prune()).toEqual({ alert: 1, incident: 1 });
    for (const table of ['alert', 'incident', 'alert_event', 'alert_black_box'])
      expect([table, await db.sql(`SELECT FROM ${table}`)]).toEqual([table, [{}, {}]]);
    expect(await prune(NOW + 400 * DAY)).toEqual({});
    expect(await prune(NOW + 731 * DAY)).toEqual({ alert: 1, incident: 1 });
    expect(await timesOf(incidentAt)).toEqual([null]);
    await db.sql('DELETE FROM alert');
    await db.sql('DELETE FROM incident');
  });

  it('is a silence that was deleted long ago, and no active one', async () => {
    const silence = KEPT.find(({ table }) => table === 'alert_silence')!;
    await insert(silence, NOW + 1000 * DAY, 1);
    expect(await prune()).toEqual({});
    await db.sql('UPDATE alert_silence SET deleted_at = to_timestamp($1 / 1000.0)', [NOW - 731 * DAY]);
    expect(await prune()).toEqual({ alert_silence: 1 });
  });

  it('is all that is old, in one run, however much it is', async () => {
    const count = 10_001;
    await db.sql(
      `INSERT INTO deleted_agent_token SELECT decode(lpad(to_hex(n), 64, '0'), 'hex'), to_timestamp(0)
       FROM generate_series(1, $1::int) n`,
      [count],
    );
    expect(await prune()).toEqual({ deleted_agent_token: count });
    expect(await prune()).toEqual({});
  });
});

describeEachPostgres('partitions of samples beside a time-series store', (db) => {
  const ago = (days: number) => new Date(NOW - days * DAY);
  const samplesOf = async (days: readonly number[]) => {
    const { serverKey } = await enrolledAgent(db.storage(), await newAccount(db.storage()));
    for (const age of days) {
      const name = `host_sample_p${ago(age).toISOString().slice(0, 10).replaceAll('-', '')}`;
      await db.sql(`CREATE TABLE IF NOT EXISTS ${name} (LIKE host_sample INCLUDING ALL)`);
      const from = Math.floor((NOW - age * DAY) / DAY) * DAY;
      const bounds = [from, from + DAY].map((at) => `'${new Date(at).toISOString()}'`).join(') TO (');
      await db.sql(`ALTER TABLE host_sample ATTACH PARTITION ${name} FOR VALUES FROM (${bounds})`);
      await db.sql('INSERT INTO host_sample (server_key, ts) VALUES ($1, $2)', [serverKey, ago(age)]);
    }
  };
  const kept = async () => {
    await db.storage().maintenance.prune(NOW);
    const rows = await db.sql<{ age: number }>(
      `SELECT round(extract(epoch FROM to_timestamp($1) - ts) / 86400)::integer AS age FROM host_sample ORDER BY ts`,
      [NOW / 1000],
    );
    return rows.map(({ age }) => age);
  };
  const verified = (age: number, triedAt: number) =>
    db.sql(
      `INSERT INTO series_shipping (since, shipped_to, verified_to, rechecked_to, failed_at) VALUES ($1, $1, $2, $1, $3)
       ON CONFLICT (id) DO UPDATE SET verified_to = $2, failed_at = $3`,
      [ago(20), ago(age), ago(triedAt)],
    );

  it('stay until the store has their samples, and at most twice as long', async () => {
    await samplesOf([raw * 2 + 2, raw + 4, raw + 2]);
    await verified(raw + 3, 0.5);
    expect(await kept()).toEqual([raw + 2]);
  });

  it('stay while the store is away', async () => {
    await samplesOf([raw * 2 + 2, raw + 4]);
    await verified(raw * 2 + 1, 0);
    expect(await kept()).toEqual([raw + 4, raw + 2]);
  });

  it('go by their age when the store is no longer used', async () => {
    await verified(raw * 2 + 1, 2);
    expect(await kept()).toEqual([]);
  });
});
