import type { ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { databaseUser } from '../../../../api/src/database/embedded/run-as.ts';
import { startProgram } from '../../../../api/src/testing/debian-programs.ts';
import { serverBinaries } from '../../../../api/src/testing/postgres-clusters.ts';
import { freePort, until } from '../../../e2e/product.ts';
import { killPostmaster } from '../switchover/postgres-node.ts';

const USER = 'plimsoll';

/** Settings of Patroni, in seconds. `ttl` is the lease of the primary, which takes at least 20. */
export const TIMES = { ttl: 20, loop_wait: 2, retry_timeout: 3 } as const;

/** A PostgreSQL under Patroni, on ports of loopback. */
export interface PatroniNode {
  name: string;
  port: number;
  /** Starts Patroni, which starts PostgreSQL as what the cluster needs. */
  start(): void;
  /** As if its machine lost its power: Patroni and PostgreSQL end at once. */
  lose(): Promise<void>;
  /** Asks Patroni's health checks: true on a 200. */
  is(role: 'primary' | 'sync'): Promise<boolean>;
  /** Requests a switchover. Resolves when the other node is the primary. */
  switchOver(from: PatroniNode): Promise<void>;
}

export interface PatroniCluster {
  nodes: readonly [PatroniNode, PatroniNode];
  stop(): Promise<void>;
}

/** Starts etcd and two nodes. The first becomes the primary, the second its synchronous standby. */
export async function startPatroni(folder: string): Promise<PatroniCluster> {
  const [client, peer] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${String(port)}`);
  const log = openSync(join(folder, 'etcd.log'), 'a');
  const etcd = startProgram(
    'etcd',
    Object.entries({
      name: 'etcd',
      'data-dir': join(folder, 'etcd'),
      logger: 'zap',
      'listen-client-urls': client ?? '',
      'advertise-client-urls': client ?? '',
      'listen-peer-urls': peer ?? '',
      'initial-advertise-peer-urls': peer ?? '',
      'initial-cluster': `etcd=${peer ?? ''}`,
    }).map(([option, value]) => `--${option}=${value}`),
    { stdio: ['ignore', log, log] },
  );
  const started: { lose(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const node of started) await node.lose();
    await ended(etcd, 'SIGTERM');
  };
  try {
    await until('etcd', () =>
      fetch(`${client ?? ''}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const nodes = [
      await createNode(folder, 'a', new URL(client ?? '').host),
      await createNode(folder, 'b', new URL(client ?? '').host),
    ] as const;
    for (const node of nodes) {
      node.start();
      started.push(node);
      await until(`${node.name} of Patroni`, () => node.is(node === nodes[0] ? 'primary' : 'sync'), 60);
    }
    return { nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}

async function createNode(folder: string, name: string, etcd: string): Promise<PatroniNode> {
  const runAs = databaseUser();
  const home = join(folder, name);
  mkdirSync(home, { mode: 0o700 });
  if (runAs) chownSync(home, runAs.uid, runAs.gid);
  const [port, restPort] = [await freePort(), await freePort()];
  const data = join(home, 'data');
  const file = join(home, 'patroni.json');
  const [listen, rest] = [port, restPort].map((number) => `127.0.0.1:${String(number)}`);
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({
      scope: 'plimsoll',
      name,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { host: etcd },
      bootstrap: {
        dcs: { ...TIMES, synchronous_mode: true, postgresql: { use_pg_rewind: true } },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen,
        connect_address: listen,
        data_dir: data,
        bin_dir: serverBinaries(),
        pgpass: join(home, 'pgpass'),
        authentication: { superuser: { username: USER }, replication: { username: USER } },
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust', 'local all all trust'],
        parameters: { unix_socket_directories: home, shared_buffers: '64MB' },
      },
    }),
  );
  if (runAs) chownSync(file, runAs.uid, runAs.gid);
  const log = openSync(join(folder, `${name}.log`), 'a');
  let child: ChildProcess | null = null;
  const ask = (path: string, options?: RequestInit): Promise<Response> => fetch(`http://${rest ?? ''}${path}`, options);
  return {
    name,
    port,
    start: () => {
      const identity = runAs ? { uid: runAs.uid, gid: runAs.gid } : {};
      child = startProgram('patroni', [file], { ...identity, cwd: home, stdio: ['ignore', log, log] });
    },
    lose: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      await ended(child, 'SIGKILL');
      killPostmaster(data);
    },
    is: (role) =>
      ask(`/${role}`).then(
        ({ ok }) => ok,
        () => false,
      ),
    switchOver: async (from) => {
      const body = JSON.stringify({ leader: from.name, candidate: name });
      const answer = await ask('/switchover', { method: 'POST', body });
      if (!answer.ok) throw new Error(`Patroni: ${await answer.text()}`);
    },
  };
}

/** Makes an empty database on the primary. */
export async function createDatabase({ port }: PatroniNode): Promise<void> {
  const client = new Client({ host: '127.0.0.1', port, user: USER, database: 'postgres' });
  await client.connect();
  await client.query('CREATE DATABASE plimsoll');
  await client.end();
}
