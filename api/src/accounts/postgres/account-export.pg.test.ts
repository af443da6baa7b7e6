import { beforeAll, expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { changeAt, newChannel, saveChanges } from '../../testing/notify.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { EXPORTED_LISTS } from '../types.ts';
import { openPage } from '../../testing/status-page.ts';
import { founderOf } from '../../tenancy/ids.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
/** More than two pages. */
const MANY = 2100;

/** A cluster with a node, a pod, a workload and events of the account, and what each measured. */
const KUBERNETES = [
  `INSERT INTO cluster (organisation_id, uid, first_seen_at, last_seen_at) VALUES ($1, $2 || '-cluster', now(), now())`,
  `INSERT INTO kube_node (cluster_key, uid, name, server_id, first_seen_at, object)
    SELECT key, $2 || '-node', 'n', gen_random_uuid(), now(), '{}' FROM cluster WHERE organisation_id = $1`,
  `INSERT INTO kube_pod (cluster_key, uid, namespace, name, phase, restart_count, created_at, object)
    SELECT key, $2 || '-pod', 's', 'p', 'Running', 0, now(), '{}' FROM cluster WHERE organisation_id = $1`,
  `INSERT INTO kube_workload (cluster_key, uid, kind, namespace, name, object)
    SELECT key, $2 || '-workload', 'Job', 's', 'w', '{}' FROM cluster WHERE organisation_id = $1`,
  `INSERT INTO kube_event (cluster_key, uid, type, reason, message, namespace, kind, name, count, first_at, last_at)
    SELECT key, $2 || '-event-' || n, 'Normal', 'Pulled', 'm', 's', 'Pod', 'p', 1, now(), now()
    FROM cluster, generate_series(1, ${MANY}) n WHERE organisation_id = $1`,
  `INSERT INTO kube_job (cluster_key, uid, namespace, name, failed_at)
    SELECT key, $2 || '-job', 's', 'j', now() FROM cluster WHERE organisation_id = $1`,
  `INSERT INTO last_words (cluster_key, pod_uid, container, run, at, namespace, pod, requested_at, lines)
    SELECT key, $2 || '-pod', 'app', 0, now(), 's', 'p', now(), '{bye}' FROM cluster WHERE organisation_id = $1`,
  `INSERT INTO cluster_price SELECT key, $2 || '-EUR', 1, 2, now() FROM cluster WHERE organisation_id = $1`,
  `INSERT INTO capacity_setting SELECT $1, 95, 15, 14, $2 || '-limit', now()`,
  `INSERT INTO kube_sample SELECT to_timestamp(n), n.key, 0, 1, 1, '{}', '{}', '{}'
    FROM (SELECT n, k.key FROM kube_node k, generate_series(1, 3) n WHERE k.uid = $2 || '-node' AND $1 = $1) n`,
  `INSERT INTO kube_rollup_5m SELECT to_timestamp(n), n.key, 1, 1, 1, '{}', '{}', '{}', '{}', '{}', '{}', '{}'
    FROM (SELECT n, k.key FROM kube_node k, generate_series(1, 3) n WHERE k.uid = $2 || '-node' AND $1 = $1) n`,
];

describeEachPostgres('the export of an account', (db) => {
  let owner: Owner;
  let serverId = '';

  beforeAll(async () => {
    for (const name of ['theirs', 'mine']) {
      owner = ownerOf(await newAccount(db.storage()));
      const agent = await enrolledAgent(db.storage(), owner.organisationId, name);
      serverId = agent.serverId;
      const process = { pid: 1, name, command: name, user: name, status: 'S', cpu_percent: 1, memory_percent: 1 };
      const processes = [{ ...process, memory_bytes: 1, threads: 1, started_at: 1 }];
      const items = [1, 2].map((seq) => itemOf(seq, NOW - 3 * HOUR + seq * MINUTE, { processes }));
      await db.storage().reports.accept(batchOf(agent, items));
      await db.storage().processMinutes.pack(NOW);
      await db.storage().processQuarters.pack(NOW + 24 * HOUR);
      await db.storage().reports.accept(batchOf(agent, [itemOf(3, NOW - 3 * HOUR + 3 * MINUTE, { processes })]));
      await db.sql(
        `INSERT INTO server_list_history SELECT to_timestamp(n), $1, 'processes', now(), '[]' FROM generate_series(1, ${MANY}) n`,
        [agent.serverKey],
      );
      await db.sql(
        "INSERT INTO filesystem_history SELECT to_timestamp(n), $1, '{/}', '{1}' FROM generate_series(1, 2) n",
        [agent.serverKey],
      );
      await db.sql(
        "INSERT INTO container_history SELECT to_timestamp(n), $1, '{a}', '{1}', '{1}' FROM generate_series(1, 2) n",
        [agent.serverKey],
      );
      await db.sql(
        `WITH made AS (INSERT INTO check_definition (organisation_id, name, kind, runs_on_api, retries, interval_seconds, is_enabled,
            created_at, updated_at, secrets, key_hash)
          VALUES ($1, $2::text || '-check', 'http', true, 1, 60, true, now(), now(), '\\x01', sha256($2::text::bytea)) RETURNING key)
        INSERT INTO check_outage (check_key, kind, began_at, failed, voted) SELECT key, 'down', now(), 1, 1 FROM made`,
        [owner.organisationId, name],
      );
      await db.sql(
        `INSERT INTO change (at, seen_at, source, action, organisation_id, server_key, kind, name, title)
         VALUES (now(), now(), 'host', 'changed', $1, $2, 'package', 'openssl', '')`,
        [owner.organisationId, agent.serverKey],
      );
      await db.sql("INSERT INTO hidden_part VALUES ($1, 'container', 'web', now())", [agent.serverKey]);
      const said = { role: 'user', content: `${name}-talk`, at: NOW, sources: [], charts: [] } as const;
      await db
        .storage()
        .ai.conversations.append(
          { personId: founderOf(owner.organisationId), owner },
          crypto.randomUUID(),
          `${name}-talk`,
          [said],
        );
      await db.sql(
        `INSERT INTO alert_rule (organisation_id, metric, target, server_id, lines, for_seconds, keep_firing_for_seconds, hysteresis_points, created_at, updated_at)
         VALUES ($1, 'cpu_usage', 'server', $2, '[]', 0, 0, 0, now(), now())`,
        [owner.organisationId, serverId],
      );
      await db.sql(
        `INSERT INTO alert_silence (organisation_id, server_id, starts_at, ends_at, comment, created_at, updated_at)
         VALUES ($1, $2, now(), now(), '', now(), now())`,
        [owner.organisationId, serverId],
      );
      await db.sql(
        `INSERT INTO maintenance (organisation_id, name, schedule, zone, duration_seconds, server_ids, check_ids, cluster_ids,
           created_at, updated_at)
         VALUES ($1, $2, '{}', 'UTC', 60, ARRAY[$3::uuid], '{}', '{}', now(), now())`,
        [owner.organisationId, `${name}-night`, serverId],
      );
      const { statusPages } = db.storage();
      const made = { slug: name, createdBy: null };
      const published = await statusPages.create(owner, openPage(`${name}-page`, serverId), made, NOW);
      await db.sql(
        `INSERT INTO status_page_check (page_id, check_id, position, label)
         SELECT $1, id, 0, $2::text || '-check' FROM check_definition WHERE organisation_id = $3`,
        [published.id, name, owner.organisationId],
      );
      await statusPages.incidents.create(
        published,
        { title: name, impact: 'none', serverIds: [serverId], checkIds: [], startedAt: NOW, nextUpdateAt: null },
        { state: 'investigating', text: name },
        { by: null, now: NOW },
      );
      await newChannel(db.storage(), owner.organisationId, NOW);
      await db.sql(`UPDATE notify_channel SET name = $2 WHERE organisation_id = $1`, [
        owner.organisationId,
        `${name}-channel`,
      ]);
      await saveChanges(db.storage(), agent.serverKey, changeAt(NOW));
      await saveChanges(db.storage(), agent.serverKey, changeAt(NOW, { kind: 'updated', level: 'error' }));
      for (const text of KUBERNETES)
        await db.sql(text.replaceAll('$1', '$1::uuid').replaceAll('$2', '$2::text'), [owner.organisationId, name]);
    }
    await db.sql(
      `INSERT INTO incident_cause (incident_id, organisation_id, started_at, members, answer)
       SELECT i.id, s.organisation_id, now(), 1, '{}' FROM incident i JOIN server s ON s.key = i.server_key`,
    );
    await db.storage().rollups.rollUp(NOW);
  });

  it('has every list whole, each row once, and nothing of others', async () => {
    const counts: Record<string, number> = {};
    for (const list of EXPORTED_LISTS) {
      const texts: string[] = [];
      for await (const row of db
        .storage()
        .identity.export.rows({ owner, personId: founderOf(owner.organisationId) }, list))
        texts.push(JSON.stringify(row));
      expect(new Set(texts).size).toBe(texts.length);
      for (const text of texts)
        expect(text).toMatch(
          new RegExp(`"server_id": ?"${serverId}"|mine-(cluster|channel|talk|page|check|night|limit)`),
        );
      for (const text of texts)
        expect(text).not.toMatch(/theirs|"(server|cluster|node)_key"|organisation_id|account_id|token|secrets|sealed/);
      counts[list] = texts.length;
    }
    expect(counts).toEqual({
      rollups_5m: 1,
      rollups_1h: 1,
      lists: 1,
      // The opening of the alert keeps the lists.
      list_history: MANY + 1,
      filesystem_history: 2,
      container_history: 2,
      hidden_parts: 1,
      changes: 1,
      checks: 1,
      check_outages: 1,
      check_rollups: 0,
      process_minutes: 1,
      process_blocks: 1,
      clusters: 1,
      kubernetes_nodes: 1,
      kubernetes_pods: 1,
      kubernetes_workloads: 1,
      kubernetes_events: MANY,
      kubernetes_jobs: 1,
      kubernetes_samples: 3,
      kubernetes_rollups: 3,
      last_words: 1,
      capacity_settings: 1,
      cluster_prices: 1,
      conversations: 1,
      conversation_messages: 1,
      status_pages: 1,
      status_page_servers: 1,
      status_page_checks: 1,
      status_incidents: 1,
      status_incident_updates: 1,
      alert_rules: 1,
      alert_silences: 1,
      maintenance: 1,
      alert_operations: 0,
      alert_events: 1,
      alert_black_boxes: 1,
      incident_causes: 1,
      notify_channels: 1,
      notify_outbox: 2,
      notify_deliveries: 0,
    });
  });
});
