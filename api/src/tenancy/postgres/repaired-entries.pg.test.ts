import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { silentLogger } from '../../database/connection.ts';
import { migrate } from '../../database/migrate.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const all = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
/** The first migration that the version before did not have. */
const FIRST = '20270106001000_organisation_ids';
const earlier = mkdtempSync('/tmp/plimsoll-earlier-');
for (const name of readdirSync(all))
  if (name < FIRST) cpSync(join(all, name), join(earlier, name), { recursive: true });
afterAll(() => rmSync(earlier, { recursive: true }));

const [HOST, GUEST] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const ACCOUNT = 'INSERT INTO account (id, email, name, created_at) VALUES ($1, $2, $3, $4)';
const ENTRY = `INSERT INTO audit_log (account_id, at, action, address, detail) VALUES ($1, $2, $3, '203.0.113.1', $4)`;
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));

describeEachPostgres('entries of the version before', (db) => {
  it('stand in the log of the organisation, with the name of the guest, from the day the guest joined', async () => {
    await db.sql('CREATE DATABASE earlier TEMPLATE template0');
    const connection = { ...db.connection(), database: 'earlier' };
    await migrate(connection, silentLogger, earlier);
    const client = new Client(connection);
    await client.connect();
    try {
      await client.query(ACCOUNT, [HOST, 'host@example.com', 'Hanna', day(1)]);
      await client.query(ACCOUNT, [GUEST, 'guest@example.com', 'Gus', day(1)]);
      const joined = 'UPDATE membership SET organisation_id = $2, role = $3, created_at = $4 WHERE account_id = $1';
      await client.query(joined, [GUEST, HOST, 'viewer', day(10)]);
      // It wrote what a guest did about their own account below the guest's id, and the rest with `by`.
      await client.query(ENTRY, [GUEST, day(5), 'signed_in', { method: 'local' }]);
      await client.query(ENTRY, [GUEST, day(11), 'signed_in', { method: 'local' }]);
      await client.query(ENTRY, [HOST, day(12), 'server_changed', { id: 'x', by: GUEST }]);
      await client.query(ENTRY, [HOST, day(13), 'signed_out', {}]);
      await migrate(connection, silentLogger);
      const { rows } = await client.query(
        `SELECT extract(day FROM at AT TIME ZONE 'UTC')::int AS day, organisation_id, person_id, person_name
         FROM audit_log ORDER BY at`,
      );
      expect(rows).toEqual([
        { day: 5, organisation_id: GUEST, person_id: GUEST, person_name: 'Gus' },
        { day: 11, organisation_id: HOST, person_id: GUEST, person_name: 'Gus' },
        { day: 12, organisation_id: HOST, person_id: GUEST, person_name: 'Gus' },
        { day: 13, organisation_id: HOST, person_id: HOST, person_name: 'Hanna' },
      ]);
    } finally {
      await client.end();
      await db.sql('DROP DATABASE earlier WITH (FORCE)');
    }
  });
});
