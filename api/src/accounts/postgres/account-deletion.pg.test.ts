import { exampleAnswer } from '../../testing/cause.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { ownerOf, type Owner } from '../../tenancy/owner.ts';
import { reportsBody, type TestAgent } from '../../testing/app.ts';
import { fullCluster, type FullCluster } from '../../testing/full-cluster.ts';
import { fullReport } from '../../testing/full-report.ts';
import { updateDiskTrends } from '../../series/update-disk-trends.ts';
import { NOW } from '../../testing/kubernetes.ts';
import { newChannel } from '../../testing/notify.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { countRows, tablesWith } from '../../testing/tables.ts';
import { founderOf } from '../../tenancy/ids.ts';
import { purgeAccount } from '../settings/purge-account.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Tables of the installation, without an account; a running sign-in has no account yet. */
const NOBODYS = [
  '_prisma_migrations',
  'ingest_watch',
  'api_uptime',
  'database_size',
  'rate_limit',
  'rollup_progress',
  'series_shipping',
  'sign_in_flow',
  'check_tick',
  // Hours whose results are rolled up again.
  'check_rollup_state',
  'check_rollup_due',
  // Numbers of tenants, and ids of servers until the remote store has deleted them.
  'series_deletion',
  'series_hour',
];

describeEachPostgres('deletion, retention and audit log of an account', (db) => {
  const storage = () => db.storage();
  let empty: Record<string, number>;
  /** Rows of the two accounts that stay, of three that did the same. */
  let rest: Record<string, number>;
  let mine: FullCluster;
  let agent: TestAgent;
  let owner: Owner;
  let neighbour: Owner;
  let brief: Owner;

  /** An account with a row in every table an account can have one in. */
  const live = async (hostname: string): Promise<[FullCluster, TestAgent]> => {
    const world = await fullCluster(storage());
    const { app, user } = world;
    const of = ownerOf(user.organisationId);
    const host = await app.newAgent(user, hostname);
    const dropped = [{ from: 2, to: 3, n: 2, why: 'spool_full' }];
    for (const [seq, ago] of [
      [1, 2 * HOUR],
      [4, 0],
    ] as const) {
      const item = {
        ...fullReport(hostname, (NOW - ago) / 1000),
        seq,
        ts: (NOW - ago) / 1000,
        up: 100_000 - ago / 1000,
      };
      const body = reportsBody(host, NOW, [item], { dropped });
      const sent = await app.call('POST', '/api/agent/v1/reports', { token: host.token, body });
      if (sent.status !== 200) throw new Error(sent.text);
    }
    await updateDiskTrends(storage().filesystemHistory, NOW);
    await storage().processMinutes.pack(NOW);
    const bye = { token: host.token, body: { reason: 'restart' } };
    await app.call('POST', '/api/agent/v1/bye', bye);
    const server = await storage().servers.get(of, host.serverId);
    const opened = { kind: 'opened', rule: 'r', metric: 'cpu_usage', subject: hostname, level: 'warning' } as const;
    const rule = { metric: 'cpu_usage', target: 'all', lines: [{ level: 'warning', threshold: 70 }] };
    await app.call('POST', '/api/alerts/rules', { ...user, body: rule });
    const channelId = await newChannel(storage(), user.organisationId, NOW);
    const key = server?.server.key ?? 0;
    // The reports above were judged already.
    const { version } = await storage().alertStates.load(key, []);
    await storage().alertStates.save(key, version, { k: [{ phase: 'ok' }] }, [
      { ...opened, title: hostname, message: 'm', value: 81, threshold: 80, at: NOW },
    ]);
    const silence = { server_id: host.serverId, ends_at: new Date(NOW + DAY).toISOString() };
    const silenced = await app.call('POST', '/api/alerts/silences', { ...user, body: silence });
    if (silenced.status !== 200) throw new Error(silenced.text);
    const night = {
      name: hostname,
      // Three days from now: no period ends before the retention is tried.
      schedule: { kind: 'weekly', weekdays: [(new Date(NOW).getUTCDay() + 3) % 7 || 7], time: '02:00' },
      zone: 'UTC',
      duration_seconds: 7200,
      server_ids: [host.serverId],
    };
    const maintained = await app.call('POST', '/api/maintenance', { ...user, body: night });
    if (maintained.status !== 200) throw new Error(maintained.text);
    const statusPage = { title: hostname, servers: [{ server_id: host.serverId }] };
    const published = await app.call('POST', '/api/status-pages', { ...user, body: statusPage });
    if (published.status !== 200) throw new Error(published.text);
    const { status_page: page } = published.json.data as unknown as { status_page: { page_id: string } };
    const incident = { title: hostname, impact: 'offline', text: 'x' };
    const told = await app.call('POST', `/api/status-pages/${page.page_id}/incidents`, { ...user, body: incident });
    if (told.status !== 200) throw new Error(told.text);
    const probe = { kind: 'tcp', host: 'db.example', port: 5432 };
    const checked = await app.call('POST', '/api/checks', { ...user, body: { name: hostname, probe } });
    if (checked.status !== 200) throw new Error(checked.text);
    const { check } = checked.json.data as unknown as { check: { check_id: string } };
    const shown = await app.call('PUT', `/api/status-pages/${page.page_id}`, {
      ...user,
      body: { ...statusPage, checks: [{ check_id: check.check_id }] },
    });
    if (shown.status !== 200) throw new Error(shown.text);
    await db.sql(
      `INSERT INTO check_result SELECT now(), organisation_id, 0, ARRAY[key], '{1}', '{0}', '{true}', '{NULL}', '{NULL}',
        '{NULL}', '{NULL}', '{1}', '{1}', '{1}', '{1}', '{1}', '{5}' FROM check_definition WHERE organisation_id = $1`,
      [user.organisationId],
    );
    for (const level of ['5m', '1h'])
      await db.sql(
        `INSERT INTO check_rollup_${level} (ts, check_key, results, good)
          SELECT now(), key, 1, 1 FROM check_definition WHERE organisation_id = $1`,
        [user.organisationId],
      );
    await db.sql('INSERT INTO server_day SELECT key, current_date, 1, 0, 0 FROM server WHERE id = $1', [host.serverId]);
    const invited = await app.call('POST', '/api/team/invitations', { ...user, body: { role: 'viewer' } });
    if (invited.status !== 200) throw new Error(invited.text);
    const [alert] = (await storage().alerts.list(of, {}, { limit: 1, offset: 0 }, NOW)).alerts;
    const bulk = { action: 'acknowledge', alert_ids: [alert?.id] };
    const done = await app.call('POST', '/api/alerts/bulk', { ...user, body: bulk });
    if (done.status !== 200) throw new Error(done.text);
    await db.sql(
      `INSERT INTO notify_delivered SELECT channel_id, alert_id, level, at FROM notify_outbox WHERE channel_id = $1`,
      [channelId],
    );
    const kept = { answer: exampleAnswer(), findings: [hostname] };
    if (alert?.incident == null) throw new Error('the alert has no incident');
    await storage().incidentCauses.save(of, alert.incident.id, kept, NOW);
    await db.sql('INSERT INTO notify_cause VALUES ($1, $2, now())', [channelId, alert.incident.id]);
    await storage().notify.settings.put(of, { quotesLogLines: true });
    const delivery = `INSERT INTO notify_delivery (channel_id, at, outcome, detail, hostname, alert_ids, attempt)
      VALUES ($1, now(), 'delivered', '', $2, '{}', 1)`;
    await db.sql(delivery, [channelId, hostname]);
    await app.call('POST', '/api/user/generate-auth-token', user);
    const question = { question: 'Are there any active alerts?', conversation_id: randomUUID() };
    await app.call('POST', '/api/ai/chat', { ...user, body: question });
    const model = { provider: 'anthropic', base_url: 'https://m.example/v1', model: hostname, api_key: 'k' };
    await app.call('PUT', '/api/ai/settings', { ...user, body: model });
    const device = { deviceHash: randomBytes(32), personId: user.personId, expiresAt: NOW + DAY };
    await storage().identity.devices.create(device, 20, NOW);
    const aside = `INSERT INTO rollup_set_aside (level, subject_key, ts, failed_at, retry_at, error)
      SELECT '5m', key, $2::timestamptz, $2::timestamptz, $3::timestamptz, 'e' FROM server WHERE id = $1
      UNION ALL SELECT 'kubernetes-5m', key, $2, $2, $3, 'e' FROM kube_node WHERE server_id = $1`;
    const [failedAt, retryAt] = [new Date(NOW), new Date(NOW + DAY)];
    for (const id of [host.serverId, world.serverId]) await db.sql(aside, [id, failedAt, retryAt]);
    await db.sql("INSERT INTO report_refusal SELECT key, now(), now(), 'invalid_item', 'x' FROM server WHERE id = $1", [
      host.serverId,
    ]);
    for (const text of [
      "INSERT INTO hidden_part SELECT key, 'container', 'web', now() FROM server WHERE id = $1",
      "INSERT INTO described_section SELECT key, 'ports', 1, now(), '{}' FROM server WHERE id = $1",
      `INSERT INTO change (at, seen_at, source, action, server_key, kind, name, title)
        SELECT now(), now(), 'host', 'changed', key, 'ports', 'h', 't' FROM server WHERE id = $1`,
      "INSERT INTO container_history SELECT now(), key, '{a}', '{1}', '{1}' FROM server WHERE id = $1",
      `INSERT INTO activity_event (server_key, stream_key, event_id, at, event_type, severity, message)
        SELECT key, key, 'line-1', now(), 'journal_error', 'error', 'm' FROM server WHERE id = $1`,
      'INSERT INTO server_usage (server_key, computed_at, hours) SELECT key, now(), 1 FROM server WHERE id = $1',
    ])
      await db.sql(text, [host.serverId]);
    await db.sql(
      'INSERT INTO revoked_agent_token SELECT sha256(id::text::bytea), key, now() FROM server WHERE id = $1',
      [host.serverId],
    );
    for (const text of [
      `INSERT INTO external_reading (organisation_id, source_hash, agent, identity, name, interval_at, received_at, reading_values,
        growths) VALUES ($1, 'x', 'prometheus', 'i', 'n', now(), now(), '[]', '[]')`,
      `INSERT INTO kube_log_request (cluster_key, namespace, pod, container, previous, requested_at)
        SELECT key, 'n', 'p', 'c', false, now() FROM cluster WHERE organisation_id = $1`,
      `INSERT INTO last_words (cluster_key, pod_uid, container, run, at, namespace, pod, requested_at, lines)
        SELECT key, 'u', 'c', 0, now(), 'n', 'p', now(), '{bye}' FROM cluster WHERE organisation_id = $1`,
      `INSERT INTO kube_placement SELECT key, 'h', '{}' FROM cluster WHERE organisation_id = $1`,
      `INSERT INTO capacity_reading SELECT n.key, now(), '{}', '{}', '{}', '{}' FROM kube_node n
        JOIN cluster c ON c.key = n.cluster_key WHERE c.organisation_id = $1`,
      `INSERT INTO capacity_container_day SELECT key, 'n', 'Deployment', 'w', 'c', current_date, '', '' FROM cluster
        WHERE organisation_id = $1`,
      `INSERT INTO capacity_plan SELECT key, now(), '{}', '{}' FROM cluster WHERE organisation_id = $1`,
      `INSERT INTO capacity_day SELECT key, '', current_date, 1, 1 FROM cluster WHERE organisation_id = $1`,
      `INSERT INTO cluster_price SELECT key, 'EUR', 1, 1, now() FROM cluster WHERE organisation_id = $1`,
      `INSERT INTO capacity_setting VALUES ($1, 95, 15, 14, 'none', now())`,
      `INSERT INTO change (at, seen_at, source, action, organisation_id, kind, name, title)
        VALUES (now(), now(), 'deploy', 'deployed', $1, 'deploy', 'n', 't')`,
      `INSERT INTO alert_cluster_track (cluster_key, tracks, evaluated_at)
        SELECT key, '{}', now() FROM cluster WHERE organisation_id = $1 ON CONFLICT DO NOTHING`,
    ])
      await db.sql(text, [user.organisationId]);
    const code = { codeHash: randomBytes(32), bindingHash: null, expiresAt: NOW + HOUR };
    await storage().signInCodes.create({ ...code, personId: user.personId }, NOW);
    await db.sql(
      "INSERT INTO sign_in_identity (provider, subject, account_id, created_at) VALUES ('github', $1, $2, now())",
      [hostname, user.organisationId],
    );
    await storage().identity.retention.put(of, { metrics: 7, alerts: 7, events: 7, processes: 7 });
    return [world, host];
  };

  beforeAll(async () => {
    empty = await countRows(db);
    const [theirs] = await live('theirs');
    const [others] = await live('others');
    [mine, agent] = await live('mine-to-delete');
    [owner, neighbour, brief] = [mine, theirs, others].map(({ user }) => ownerOf(user.organisationId)) as [
      Owner,
      Owner,
      Owner,
    ];
    // Lists in both forms, packed and not.
    await storage().processQuarters.pack(NOW + DAY);
    await db.sql("INSERT INTO process_quarter SELECT to_timestamp($1), key, to_timestamp($1), '[]' FROM server", [
      NOW / 1000 - 1,
    ]);
    await storage().kubernetes.upkeep.rollup(NOW + HOUR);
    await storage().rollups.rollUp(NOW + HOUR);
    // Samples after the last run of the rollups are still to be summed.
    for (const { organisationId } of [owner, neighbour, brief])
      await db.sql(`INSERT INTO fleet_rollup_due VALUES ($1, '5m', now())`, [organisationId]);
    const all = await countRows(db);
    rest = Object.fromEntries(
      Object.entries(all).map(([name, n]) => [name, NOBODYS.includes(name) ? n : n - (n - (empty[name] ?? 0)) / 3]),
    );
  });

  it('reaches every table there is but those that are nobody’s: the tests below can see a row that is left', () => {
    const untouched = Object.keys(empty).filter((name) => rest[name] === empty[name]);
    expect(untouched.filter((name) => !NOBODYS.includes(name))).toEqual(['deleted_agent_token']);
  });

  it('is planned, found when it is due, and taken back', async () => {
    const { accountDeletion } = storage().identity;
    await accountDeletion.planDeletion(founderOf(owner.organisationId), NOW + DAY);
    expect(await accountDeletion.deletionAt(founderOf(owner.organisationId))).toBe(NOW + DAY);
    expect(await accountDeletion.listDue(NOW + DAY - 1)).toEqual([]);
    expect(await accountDeletion.listDue(NOW + DAY)).toEqual([owner.organisationId]);
    await accountDeletion.planDeletion(founderOf(owner.organisationId), null);
    expect(await accountDeletion.deletionAt(founderOf(owner.organisationId))).toBeNull();
    expect(await accountDeletion.listDue(NOW + 365 * DAY)).toEqual([]);
  });

  it('ends without a row left in any table, and without a row of another account gone', async () => {
    for (const text of [owner.organisationId, 'mine-to-delete', agent.serverId])
      expect(await tablesWith(db, text)).not.toEqual([]);
    await purgeAccount(storage(), founderOf(owner.organisationId), NOW);
    const left = await countRows(db);
    // Hashes of the agents' tokens stay, so that the agents get the answer to stop.
    expect(left['deleted_agent_token']).toBe(2);
    expect({ ...left, deleted_agent_token: 0 }).toEqual(rest);
    for (const text of [owner.organisationId, 'mine-to-delete', agent.serverId, mine.serverId])
      expect([text, await tablesWith(db, text)]).toEqual([text, []]);
    expect((await storage().agents.findByToken(randomBytes(32))).state).toBe('unknown');
  });

  it('ends again without harm when it was cut off', async () => {
    await purgeAccount(storage(), founderOf(owner.organisationId), NOW);
    expect({ ...(await countRows(db)), deleted_agent_token: 0 }).toEqual(rest);
  });

  it('keeps for less than everyone what its owner wants so, and of its own data only', async () => {
    const { retention } = storage().identity;
    const theirs = await countRows(db);
    await db.sql('DELETE FROM retention_setting WHERE organisation_id <> $1', [brief.organisationId]);
    const removed = await retention.prune(NOW + 7 * DAY + 2 * HOUR, null);
    expect(removed).toEqual({
      samples: 3,
      rollups_5m: 3,
      rollups_1h: 3,
      filesystems: expect.any(Number),
      containers: expect.any(Number),
      fleet_rollups: expect.any(Number),
      events: expect.any(Number),
      lines: expect.any(Number),
      last_words: expect.any(Number),
      changes: 4,
      processes: expect.any(Number),
      process_minutes: expect.any(Number),
      process_blocks: expect.any(Number),
      process_quarters: expect.any(Number),
      process_quarter_blocks: expect.any(Number),
      kube_samples: 1,
      kube_rollups: 1,
      kube_events: 1,
      kube_jobs: 1,
      container_ends: 3,
    });
    const left = await countRows(db);
    expect(left['kube_sample']).toBe((theirs['kube_sample'] ?? 0) - 1);
    expect(left['kube_event']).toBe(1);
  });

  it.each([
    [
      'metrics',
      [
        'containers',
        'filesystems',
        'fleet_rollups',
        'kube_rollups',
        'kube_samples',
        'rollups_1h',
        'rollups_5m',
        'samples',
      ],
    ],
    ['alerts', ['alerts', 'last_words', 'lines']],
    ['events', ['changes', 'container_ends', 'events', 'kube_events', 'kube_jobs']],
    ['processes', ['process_blocks', 'process_minutes', 'process_quarter_blocks', 'process_quarters', 'processes']],
  ])('keeps %s for as long as that setting says, whatever the others say', async (setting, kinds) => {
    const { retention } = storage().identity;
    await db.sql(
      `UPDATE alert a SET resolved_at = opened_at FROM server s WHERE s.key = a.server_key AND s.organisation_id = $1`,
      [neighbour.organisationId],
    );
    await retention.put(neighbour, { metrics: 365, alerts: 365, events: 365, processes: 365, [setting]: 1 });
    expect(Object.keys(await retention.prune(NOW + DAY + 3 * HOUR, null)).toSorted()).toEqual(kinds);
  });
});
