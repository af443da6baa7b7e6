import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { silentLogger } from '../../database/connection.ts';
import { migrate } from '../../database/migrate.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const all = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
/** The migration that adds the creator. */
const FIRST = '20270106004000_creators';
const earlier = mkdtempSync('/tmp/plimsoll-earlier-');
for (const name of readdirSync(all))
  if (name < FIRST) cpSync(join(all, name), join(earlier, name), { recursive: true });
afterAll(() => rmSync(earlier, { recursive: true }));

const [HOST, GUEST, MADE, OLD] = ['a', 'b', 'c', 'd'].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`);
const TOKEN = `INSERT INTO cluster_token (id, organisation_id, token_hash, last_four, created_at)
  VALUES ($1, $2, $3, 'abcd', now())`;

describeEachPostgres('rows of the version before', (db) => {
  it('get their creator from the audit log, else none', async () => {
    await db.sql('CREATE DATABASE without_creators TEMPLATE template0');
    const connection = { ...db.connection(), database: 'without_creators' };
    await migrate(connection, silentLogger, earlier);
    const client = new Client(connection);
    await client.connect();
    try {
      await client.query(
        "INSERT INTO account (id, email, name, created_at) VALUES ($1, 'h@example.com', 'Hanna', now())",
        [HOST],
      );
      for (const id of [MADE, OLD]) await client.query(TOKEN, [id, HOST, Buffer.from(String(id))]);
      const entry = `INSERT INTO audit_log (organisation_id, at, person_id, action, detail)
        VALUES ($1, now(), $2, 'cluster_token_created', $3)`;
      await client.query(entry, [HOST, GUEST, { id: MADE, name: 'prod' }]);
      // Another organisation says nothing about this token.
      await client.query(entry, [GUEST, GUEST, { id: OLD, name: 'old' }]);
      await migrate(connection, silentLogger);
      const { rows } = await client.query('SELECT id, created_by, by_plimsoll FROM cluster_token ORDER BY id');
      expect(rows).toEqual([
        { id: MADE, created_by: GUEST, by_plimsoll: false },
        { id: OLD, created_by: null, by_plimsoll: false },
      ]);
    } finally {
      await client.end();
      await db.sql('DROP DATABASE without_creators WITH (FORCE)');
    }
  });
});
