import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { vi } from 'vitest';
import type { Connection } from '../database/connection.ts';
import { databaseUser } from '../database/embedded/run-as.ts';
import { startProgram } from './debian-programs.ts';
import { freePort } from './free-port.ts';

export type PoolMode = 'session' | 'transaction' | 'statement';
type Socket = Extract<Connection, { host: string }>;

export interface PgBouncer {
  /** URL that leads to a database through the pooler. */
  urlOf(database: string): string;
  /** Sends a command to the console, such as RECONNECT. */
  command(text: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts PgBouncer before a PostgreSQL of the tests. `size`: sessions of each database. */
export async function startPgBouncer(
  { host, port: postgresPort, user }: Socket,
  mode: PoolMode,
  size = 3,
): Promise<PgBouncer> {
  // It refuses to run as root, and only this user can enter the folder of the socket.
  const runAs = databaseUser();
  const folder = mkdtempSync('/tmp/plimsoll-pgbouncer-');
  const port = await freePort();
  const settings = [
    '[databases]',
    `* = host=${host} port=${String(postgresPort)} user=${user}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${String(port)}`,
    'unix_socket_dir =',
    'auth_type = any',
    'admin_users = console',
    `pool_mode = ${mode}`,
    `default_pool_size = ${String(size)}`,
    'max_client_conn = 200',
    'ignore_startup_parameters = extra_float_digits',
    `logfile = ${join(folder, 'log')}`,
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  if (runAs) chownSync(folder, runAs.uid, runAs.gid);
  const child = startProgram('pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], runAs ?? {});
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const command = async (text: string): Promise<void> => {
    const client = new Client({ host: '127.0.0.1', port, user: 'console', database: 'pgbouncer' });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  await vi.waitFor(() => command('SHOW VERSION'), { timeout: 30_000, interval: 20 });
  return {
    urlOf: (database) => `postgresql://${user}@127.0.0.1:${String(port)}/${database}`,
    command,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
