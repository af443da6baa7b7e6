import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, type ClientConfig } from 'pg';
import { digestTable, SESSION } from '../../../api/src/database/backup/tables.ts';
import { silentLogger } from '../../../api/src/database/connection.ts';
import { startEmbedded } from '../../../api/src/database/embedded/start-embedded.ts';
import { migrate, MIGRATIONS_DIRECTORY } from '../../../api/src/database/migrate.ts';
import type { Fault } from './fault.ts';

/** Every migration that version 0.1.0 has; later names sort after it. */
const LAST_OF_0_1_0 = '20261125000000_alerts_of_a_range';
const SAMPLES = { quick: 20_000, whole: 1_000_000 } as const;
const SERVERS = 100;

/** Rows as 0.1.0 wrote them, in the tables that later migrations change. */
const fill = (samples: number): string => `
  INSERT INTO account (email, name, created_at) SELECT 'user' || n || '@example.org', 'User ' || n, now() FROM generate_series(1, 10) n;
  INSERT INTO server (account_id, machine_hash, hostname, created_at)
    SELECT (SELECT id FROM account ORDER BY email OFFSET n % 10 LIMIT 1), sha256(n::text::bytea), 'host-' || n, now()
    FROM generate_series(1, ${String(SERVERS)}) n;
  INSERT INTO host_sample (ts, server_key, cpu_percent, memory_percent, connections_total)
    SELECT now() - (n / ${String(SERVERS)}) * interval '1 minute', 1 + n % ${String(SERVERS)}, random() * 100, random() * 100, n % 500
    FROM generate_series(0, ${String(samples - 1)}) n;
  INSERT INTO alert (server_key, rule, metric, subject, level, title, message, opened_at, updated_at, resolved_at)
    SELECT 1 + n % ${String(SERVERS)}, 'r' || n, 'cpu', '', 'warning', 'CPU', 'CPU is high', now(), now(),
      CASE WHEN n % 10 = 0 THEN NULL ELSE now() END
    FROM generate_series(1, ${String(samples / 200)}) n;
  INSERT INTO instance_run (started_at, seen_at) VALUES (now() - interval '1 hour', now());`;

/** Columns of 0.1.0 by table; `instance_run` is a view today. */
const WRITTEN: Record<string, string[]> = {
  account: ['id', 'email', 'name', 'created_at'],
  server: ['id', 'key', 'account_id', 'machine_hash', 'hostname', 'created_at'],
  host_sample: ['ts', 'server_key', 'cpu_percent', 'memory_percent', 'connections_total'],
  alert: ['id', 'server_key', 'rule', 'metric', 'level', 'title', 'opened_at', 'updated_at', 'resolved_at'],
  instance_run: ['started_at', 'seen_at'],
};
const OBJECTS = `SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS object
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable FROM information_schema.columns
    WHERE table_schema = 'public' ORDER BY 1`;

async function using<T>(connection: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(connection);
  await client.connect();
  try {
    await client.query(SESSION);
    return await work(client);
  } finally {
    await client.end();
  }
}
/** Columns of `server` that have another name since, by their name in 0.1.0. */
const RENAMED: Record<string, string> = { account_id: 'organisation_id' };

const digests = (connection: ClientConfig, isUpgraded: boolean): Promise<string> =>
  using(connection, async (client) => {
    const found: unknown[] = [];
    for (const [table, names] of Object.entries(WRITTEN)) {
      const columns = isUpgraded && table === 'server' ? names.map((name) => RENAMED[name] ?? name) : names;
      found.push([table, await digestTable(client, { table, columns })]);
    }
    return JSON.stringify(found);
  });
const objects = (connection: ClientConfig): Promise<string> =>
  using(connection, async (client) => JSON.stringify((await client.query(OBJECTS)).rows));

/** Starts the upgrade in a process and kills it right after it has committed its first migration. */
async function upgradeAndKill(connection: ClientConfig): Promise<boolean> {
  const module = JSON.stringify(new URL('../../../api/src/database/migrate.ts', import.meta.url).href);
  const script = `import { migrate } from ${module};
    const log = { warn() {}, error() {}, info: ({ migration }) => console.log(migration) };
    await migrate(${JSON.stringify(connection)}, log);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  for await (const _ of createInterface(child.stdout)) {
    child.kill('SIGKILL');
    break;
  }
  return (await ended)[1] === 'SIGKILL';
}

function migrationsOf010(home: string): string {
  const folder = join(home, 'migrations-0.1.0');
  mkdirSync(folder);
  for (const name of readdirSync(MIGRATIONS_DIRECTORY))
    if (name <= LAST_OF_0_1_0) cpSync(join(MIGRATIONS_DIRECTORY, name), join(folder, name), { recursive: true });
  return folder;
}

/** A database of version 0.1.0 becomes one of this version, although each attempt but the last is killed. */
export const upgrade: Fault = {
  name: 'upgrade',
  does: 'a database of version 0.1.0 with 1,000,000 samples is upgraded; kill −9 after each migration, in the middle of the next',
  minutes: 3,
  run: async ({ isQuick, log }) => {
    const home = mkdtempSync('/tmp/plimsoll-upgrade-');
    const embedded = await startEmbedded({ dataDir: home, logger: silentLogger });
    try {
      const samples = isQuick ? SAMPLES.quick : SAMPLES.whole;
      const old = migrationsOf010(home);
      const connection = embedded.connection as ClientConfig;
      await migrate(embedded.connection, silentLogger, old);
      await using(connection, (client) => client.query(fill(samples)));
      const before = await digests(connection, false);
      log(`${samples.toLocaleString('en')} samples are written`);
      const begun = performance.now();
      let kills = 0;
      while (await upgradeAndKill(connection)) kills += 1;
      const seconds = (performance.now() - begun) / 1000;
      const isSame = (await digests(connection, true)) === before;
      await using(connection, (client) => client.query('CREATE DATABASE fresh'));
      const fresh = { ...connection, database: 'fresh' };
      await migrate(fresh as typeof embedded.connection);
      const isWhole = (await objects(connection)) === (await objects(fresh));
      const refusal = await migrate(embedded.connection, silentLogger, old).then(
        () => 'accepted',
        (error: unknown) => String(error),
      );
      const isRefused = refusal.includes('which a newer version of Plimsoll added. Start that version again');
      return {
        isHeld: kills > 0 && isSame && isWhole && isRefused,
        figures: `${samples.toLocaleString('en')} samples, ${String(kills)} kills, up to date after ${seconds.toFixed(1)} s with all restarts; rows ${isSame ? 'unchanged' : 'CHANGED'}, tables ${isWhole ? 'equal to' : 'NOT EQUAL to'} a new database's; version 0.1.0 ${isRefused ? 'refuses' : 'DOES NOT REFUSE'} the upgraded database`,
      };
    } finally {
      await embedded.stop();
      rmSync(home, { recursive: true, force: true });
    }
  },
};
