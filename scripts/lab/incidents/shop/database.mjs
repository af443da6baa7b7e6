import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { log, required, untilReady } from './parts.mjs';

const BIN = '/app/native/bin';

const SCHEMA = `
CREATE TABLE items (name text PRIMARY KEY, price int NOT NULL);
INSERT INTO items VALUES ('anchor', 120), ('compass', 40), ('rope', 15);
CREATE TABLE orders (id serial PRIMARY KEY, item text, done boolean NOT NULL DEFAULT false);
GRANT ALL ON items, orders, orders_id_seq TO shop;
ALTER TABLE items OWNER TO shop;
ALTER TABLE orders OWNER TO shop;
`;

/** PostgreSQL in a folder of the pod. The role `shop` has the password of the Secret from the first start on. */
export async function database(environment) {
  const data = join(environment.DATA_DIR ?? '/data', 'pg');
  const password = required(environment, 'DATABASE_PASSWORD');
  const isNew = !existsSync(join(data, 'PG_VERSION'));
  if (isNew) {
    const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
    execFileSync(join(BIN, 'initdb'), options, { stdio: ['ignore', 'ignore', 'inherit'] });
    writeFileSync(join(data, 'pg_hba.conf'), 'local all all trust\nhost all all all scram-sha-256\n');
    appendFileSync(
      join(data, 'postgresql.conf'),
      "listen_addresses = '*'\nshared_buffers = 16MB\nmax_connections = 60\n",
    );
  }
  const server = spawn(join(BIN, 'postgres'), ['-D', data, '-k', '/tmp'], { stdio: ['ignore', 'inherit', 'inherit'] });
  server.on('exit', (code) => process.exit(code ?? 1));
  process.removeAllListeners('SIGTERM');
  process.on('SIGTERM', () => server.kill('SIGINT'));
  if (!isNew) return;
  await untilReady('PostgreSQL', 60, () => run('postgres', 'SELECT 1'));
  await run('postgres', `CREATE ROLE shop LOGIN PASSWORD '${password}'`);
  await run('postgres', 'CREATE DATABASE shop OWNER shop');
  await run('shop', SCHEMA);
  log('INFO', 'the database is new and ready');
}

async function run(name, text) {
  const client = new Client({ host: '/tmp', user: 'postgres', database: name });
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end().catch(() => {});
  }
}
