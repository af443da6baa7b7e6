import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Connection } from '../../../../api/src/database/connection.ts';
import { httpStandIn, type HttpStandIn } from '../../../../api/src/testing/http-stand-in.ts';
import { clusterOf, DURABLE, serverBinaries, stopClusters } from '../../../../api/src/testing/postgres-clusters.ts';
import { ADMIN, send, signIn, type AgentCredentials } from '../api-process.ts';
import { startProxy, type Proxy } from './proxy.ts';
import { createReplica, type Replica } from './replica.ts';

const NAMES = ['replica-1', 'replica-2', 'replica-3'] as const;
const ENROLLED_AT_ONCE = 8;

/** Three replicas behind HAProxy on a PostgreSQL of their own, and a receiver of webhooks. */
export interface Installation {
  folder: string;
  connection: Connection;
  replicas: readonly Replica[];
  proxy: Proxy;
  webhooks: HttpStandIn;
  /** Ends everything. `keep`: the folder with the logs stays. */
  remove(keep: boolean): Promise<void>;
}

/** A PostgreSQL with an empty database. */
export interface StartedDatabase {
  url: string;
  connection: Connection;
  stop(): Promise<void>;
}

async function startDatabase(folder: string): Promise<StartedDatabase> {
  const { host, port, user } = await clusterOf(serverBinaries() === null ? 'bundled' : 'server', folder, DURABLE);
  await createDatabase({ host, port, user, database: 'postgres' });
  return {
    url: `postgresql://${user}@localhost/plimsoll?host=${encodeURIComponent(host)}`,
    connection: { host, port, user, database: 'plimsoll' },
    stop: () => stopClusters(folder),
  };
}

export async function startInstallation(
  reportSeconds: number,
  begin: (folder: string) => Promise<StartedDatabase> = startDatabase,
): Promise<Installation> {
  const folder = mkdtempSync('/tmp/plimsoll-replicas-');
  chmodSync(folder, 0o755);
  const databaseFolder = join(folder, 'postgres');
  mkdirSync(databaseFolder, { mode: 0o755 });
  const webhooks = await httpStandIn();
  const database = await begin(databaseFolder);
  const env = {
    PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
    PLIMSOLL_ALLOWED_PRIVATE_RANGES: '127.0.0.1',
    PLIMSOLL_REPORT_INTERVAL_SECONDS: String(reportSeconds),
    PLIMSOLL_ADMIN_EMAIL: ADMIN.email,
    PLIMSOLL_ADMIN_PASSWORD: ADMIN.password,
  };
  const replicas = await Promise.all(NAMES.map((name) => createReplica(name, folder, database.url, env)));
  await Promise.all(replicas.map((replica) => replica.start()));
  const proxy = await startProxy(folder, replicas);
  return {
    folder,
    connection: database.connection,
    replicas,
    proxy,
    webhooks,
    remove: async (keep) => {
      for (const replica of replicas) replica.signal('SIGCONT');
      await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
      await proxy.stop();
      webhooks.close();
      await database.stop();
      if (!keep) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createDatabase(connection: {
  host: string;
  port: number;
  user: string;
  database: string;
}): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  await client.query('CREATE DATABASE plimsoll');
  await client.end();
}

/** Enrols servers through the proxy, each from a network of its own: the rate of enrolments counts networks. */
export async function enrolFleet(url: string, count: number): Promise<AgentCredentials[]> {
  const session = await signIn(url);
  const issued = await send<{ data: { token: string } }>('POST', `${url}/api/user/enrolment-tokens`, {}, session);
  const agents: AgentCredentials[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const body = {
        enrolment_token: issued.data.token,
        machine_hash: randomBytes(32).toString('hex'),
        hostname: `replicas-${String(index)}`,
      };
      const from = {
        'x-forwarded-for': `10.${String(index >> 16)}.${String((index >> 8) & 255)}.${String(index & 255)}`,
      };
      const answer = await send<{ server_id: string; agent_token: string }>(
        'POST',
        `${url}/api/agent/v1/enrol`,
        body,
        undefined,
        from,
      );
      agents[index] = { serverId: answer.server_id, token: answer.agent_token };
    }
  };
  await Promise.all(Array.from({ length: ENROLLED_AT_ONCE }, lane));
  return agents;
}

/** Adds a webhook, and a rule that fires as soon as a server reports a busy CPU. */
export async function watchCpu(url: string, webhookUrl: string): Promise<void> {
  const session = await signIn(url);
  const channel = { type: 'webhook', name: 'faults', settings: { url: webhookUrl } };
  await send('POST', `${url}/api/notify/channels`, { ...channel, routing: { repeat_minutes: null } }, session);
  await send(
    'POST',
    `${url}/api/alerts/rules`,
    {
      metric: 'cpu_usage',
      target: 'all',
      lines: [{ level: 'critical', threshold: 90 }],
      for_seconds: 0,
      keep_firing_for_seconds: 0,
    },
    session,
  );
}

/** Makes the first servers busy, and the last ones silent. */
export function setFleet(folder: string, { busy, silent }: { busy: number; silent: number }): void {
  for (const [name, count] of Object.entries({ hot: busy, silent })) {
    const file = join(folder, name);
    // The collectors read a file at any moment; one that is cut off would say 0.
    writeFileSync(`${file}.new`, String(count));
    renameSync(`${file}.new`, file);
  }
}
