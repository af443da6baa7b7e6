import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { asDatabaseUser, databaseUser } from '../../../../api/src/database/embedded/run-as.ts';
import { serverBinaries } from '../../../../api/src/testing/postgres-clusters.ts';
import { freePort, until } from '../../../e2e/product.ts';

const USER = 'plimsoll';

/** One PostgreSQL on a port of loopback: a primary or its standby. */
export interface PostgresNode {
  port: number;
  /** Creates an empty cluster. */
  create(): void;
  /** Replaces what it has with a copy of a running primary, which it follows from its start. */
  copyFrom(primary: PostgresNode): void;
  start(): Promise<void>;
  /** SIGINT ends it in order, SIGKILL at once. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Makes the standby a primary. */
  promote(): Promise<void>;
  query(text: string, database?: string): Promise<Record<string, unknown>[]>;
}

export async function createPostgresNode(folder: string, name: string): Promise<PostgresNode> {
  const bin = serverBinaries();
  if (bin === null) throw new Error('apt-get install postgresql');
  const runAs = databaseUser();
  const home = join(folder, name);
  const data = join(home, 'data');
  mkdirSync(home, { mode: 0o700 });
  if (runAs) chownSync(home, runAs.uid, runAs.gid);
  const port = await freePort();
  const run = (program: string, ...args: string[]): void =>
    void execFileSync(join(bin, program), args, {
      ...asDatabaseUser(runAs),
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  let child: ChildProcess | null = null;
  const query: PostgresNode['query'] = async (text, database = 'postgres') => {
    const client = new Client({ host: '127.0.0.1', port, user: USER, database });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const isUp = (): Promise<boolean> =>
    query('SELECT 1').then(
      () => true,
      () => false,
    );
  return {
    port,
    create: () => run('initdb', '-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'),
    copyFrom: (primary) => {
      rmSync(data, { recursive: true, force: true });
      const source = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', USER];
      run('pg_basebackup', ...source, '-D', data, '--write-recovery-conf', '--checkpoint=fast');
    },
    start: async () => {
      const settings = {
        listen_addresses: '127.0.0.1',
        port: String(port),
        unix_socket_directories: home,
        shared_buffers: '64MB',
      };
      const flags = Object.entries(settings).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]);
      child = spawn(join(bin, 'postgres'), ['-D', data, ...flags], { ...asDatabaseUser(runAs), stdio: 'ignore' });
      await until(name, isUp);
    },
    end: async (signal) => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      if (signal === 'SIGKILL') killPostmaster(data);
      else child.kill(signal);
      await ended;
    },
    promote: async () => {
      run('pg_ctl', 'promote', '-D', data, '--wait');
      await until(name, isUp);
    },
    query,
  };
}

/** Kills the postmaster, and with it what it started: its processes end when they notice. */
export function killPostmaster(data: string): void {
  process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]), 'SIGKILL');
}
