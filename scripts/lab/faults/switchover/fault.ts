import { setTimeout as delay } from 'node:timers/promises';
import { MISSING_SERVER_HINT, serverBinaries } from '../../../../api/src/testing/postgres-clusters.ts';
import { until } from '../../../e2e/product.ts';
import type { Fault, Verdict } from '../fault.ts';
import { startInstallation, type Installation } from '../replicas/installation.ts';
import { underFleet } from '../replicas/under-fleet.ts';
import { createPostgresNode, type PostgresNode } from './postgres-node.ts';

const SERVERS = { quick: 100, whole: 1000 } as const;
const REPORT_SECONDS = 10;
const CALM_MS = 20_000;
/** Time until somebody, or a program such as Patroni, promotes the standby. */
const DECIDES_MS = 10_000;
/** Reports are acknowledged again within this time of the promotion. */
const BACK_MS = 15_000;

interface Pair {
  primary: PostgresNode;
  standby: PostgresNode;
}

/** A PostgreSQL with a standby loses its primary, then is switched back in order, while a fleet reports. */
export const switchover: Fault = {
  name: 'switchover',
  does: 'three replicas on a PostgreSQL with a synchronous standby, 1,000 servers: the primary is killed with −9 and the standby promoted 10 s later; the old primary follows and is switched back to in order',
  minutes: 4,
  programs: ['haproxy'],
  missing: () => (serverBinaries() === null ? MISSING_SERVER_HINT : null),
  run: async ({ isQuick, log }) => {
    const nodes: PostgresNode[] = [];
    const endAll = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.end('SIGKILL'))));
    const installation = await startInstallation(REPORT_SECONDS, async (folder) => {
      const pair = await startPair(folder, nodes).catch(async (error: unknown) => {
        await endAll();
        throw error;
      });
      const hosts = nodes.map(({ port }) => `127.0.0.1:${String(port)}`).join(',');
      return {
        url: `postgresql://plimsoll@${hosts}/plimsoll`,
        connection: { host: '127.0.0.1', port: pair.primary.port, user: 'plimsoll', database: 'plimsoll' },
        stop: endAll,
      };
    });
    let isHeld = false;
    try {
      const verdict = await switchTwice(installation, nodes, isQuick ? SERVERS.quick : SERVERS.whole, log);
      isHeld = verdict.isHeld;
      return verdict;
    } finally {
      if (!isHeld) log(`the logs of the replicas are kept in ${installation.folder}`);
      await installation.remove(!isHeld);
    }
  },
};

async function startPair(folder: string, nodes: PostgresNode[]): Promise<Pair> {
  const [primary, standby] = [await createPostgresNode(folder, 'a'), await createPostgresNode(folder, 'b')];
  nodes.push(primary, standby);
  primary.create();
  await primary.start();
  await primary.query('CREATE DATABASE plimsoll');
  await follow({ primary, standby });
  return { primary, standby };
}

/**
 * Lets a node follow the primary, which from then on commits on both. The standby is copied before, so that it waits for
 * nobody when it is promoted.
 */
async function follow({ primary, standby }: Pair): Promise<void> {
  standby.copyFrom(primary);
  await standby.start();
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await primary.query('SELECT pg_reload_conf()');
  await until('replication', async () => {
    const rows = await primary.query(`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`);
    return rows.length > 0;
  });
}

async function switchTwice(
  installation: Installation,
  nodes: readonly PostgresNode[],
  servers: number,
  log: (line: string) => void,
): Promise<Verdict> {
  const [first, second] = nodes;
  if (first === undefined || second === undefined) throw new Error('no pair');
  return underFleet({ installation, servers, reportSeconds: REPORT_SECONDS, log }, async (fleet) => {
    /** Returns milliseconds from the promotion until reports are acknowledged again. */
    const promote = async (node: PostgresNode): Promise<number> => {
      const before = fleet.acknowledged();
      const begun = performance.now();
      await node.promote();
      await until('acknowledgements', () => fleet.acknowledged() > before, 120);
      return performance.now() - begun;
    };
    log('kill −9 of the primary');
    await first.end('SIGKILL');
    await delay(DECIDES_MS);
    const killedMs = await promote(second);
    log(`reports are acknowledged ${String(Math.round(killedMs))} ms after the promotion`);
    await delay(CALM_MS);
    await follow({ primary: second, standby: first });
    log('the old primary follows; the new one ends in order');
    await delay(CALM_MS);
    await second.end('SIGINT');
    const switchedMs = await promote(first);
    log(`reports are acknowledged ${String(Math.round(switchedMs))} ms after the promotion`);
    await delay(CALM_MS);
    return {
      isHeld: Math.max(killedMs, switchedMs) <= BACK_MS,
      figures: `reports were acknowledged ${(killedMs / 1000).toFixed(1)} s after the promotion, and ${(switchedMs / 1000).toFixed(1)} s after the switch back`,
    };
  });
}
