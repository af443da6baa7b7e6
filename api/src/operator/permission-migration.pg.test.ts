import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { silentLogger } from '../database/connection.ts';
import { migrate } from '../database/migrate.ts';
import { describeEachPostgres } from '../testing/postgres.ts';

const all = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
const FIRST = '20270106004100_organisation_rules';
const earlier = mkdtempSync('/tmp/plimsoll-earlier-');
for (const name of readdirSync(all))
  if (name < FIRST) cpSync(join(all, name), join(earlier, name), { recursive: true });
afterAll(() => rmSync(earlier, { recursive: true }));

const HOST = '00000000-0000-4000-8000-00000000000a';
const RULE = `INSERT INTO alert_rule (organisation_id, metric, target, cluster_id, lines, for_seconds, keep_firing_for_seconds,
    hysteresis_points, created_at, updated_at, object_cluster_key, object_namespace, object_name)
  SELECT $1, 'pod_pending', $3, $4, '[]', 0, 0, 0, now(), now(), key, 'plimsoll', 'x' FROM cluster WHERE uid = $2`;

describeEachPostgres('clusters of the version before', (db) => {
  it('keep the permission where their objects set rules of the whole organisation', async () => {
    await db.sql('CREATE DATABASE without_permission TEMPLATE template0');
    const connection = { ...db.connection(), database: 'without_permission' };
    await migrate(connection, silentLogger, earlier);
    const client = new Client(connection);
    await client.connect();
    try {
      const account = "INSERT INTO account (id, email, name, created_at) VALUES ($1, 'h@example.com', 'Hanna', now())";
      await client.query(account, [HOST]);
      for (const uid of ['wide', 'own', 'none']) {
        const cluster =
          'INSERT INTO cluster (organisation_id, uid, first_seen_at, last_seen_at) VALUES ($1, $2, now(), now())';
        await client.query(cluster, [HOST, uid]);
      }
      await client.query(RULE, [HOST, 'wide', 'all', null]);
      await client.query(RULE, [HOST, 'own', 'cluster', 'own']);
      await migrate(connection, silentLogger);
      const { rows } = await client.query('SELECT uid, rules_organisation AS allowed FROM cluster ORDER BY uid');
      expect(rows).toEqual([
        { uid: 'none', allowed: false },
        { uid: 'own', allowed: false },
        { uid: 'wide', allowed: true },
      ]);
    } finally {
      await client.end();
      await db.sql('DROP DATABASE without_permission WITH (FORCE)');
    }
  });
});
