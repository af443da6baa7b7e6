import { setTimeout as delay } from 'node:timers/promises';
import { MISSING_SERVER_HINT, serverBinaries } from '../../../../api/src/testing/postgres-clusters.ts';
import { until } from '../../../e2e/product.ts';
import type { Fault } from '../fault.ts';
import { startInstallation } from '../replicas/installation.ts';
import { type Fleet, underFleet } from '../replicas/under-fleet.ts';
import { type PatroniNode, TIMES, createDatabase, startPatroni } from './cluster.ts';

const SERVERS = { quick: 100, whole: 1000 } as const;
const REPORT_SECONDS = 10;
const CALM_MS = 20_000;
/** Patroni promotes once the lease has ended; then reports are acknowledged within 15 s, as after a promotion by hand. */
const LOST_MS = (TIMES.ttl + TIMES.loop_wait + 15) * 1000;
/** The old primary ends in order, writes a checkpoint and hands over. */
const SWITCHED_MS = 20_000;

/** A PostgreSQL under Patroni loses its primary, then is switched back in order, while a fleet reports. */
export const patroni: Fault = {
  name: 'patroni',
  does: 'three replicas on two PostgreSQL under Patroni and etcd, 1,000 servers: the machine of the primary is lost (kill −9 of Patroni and PostgreSQL) and comes back after the failover, then a switchover back; nobody touches Plimsoll',
  minutes: 4,
  programs: ['haproxy', 'etcd', 'patroni'],
  missing: () => (serverBinaries() === null ? MISSING_SERVER_HINT : null),
  run: async ({ isQuick, log }) => {
    let nodes: readonly PatroniNode[] = [];
    const installation = await startInstallation(REPORT_SECONDS, async (folder) => {
      const cluster = await startPatroni(folder);
      ({ nodes } = cluster);
      const [first] = cluster.nodes;
      await createDatabase(first);
      const hosts = nodes.map(({ port }) => `127.0.0.1:${String(port)}`).join(',');
      return {
        url: `postgresql://plimsoll@${hosts}/plimsoll`,
        connection: { host: '127.0.0.1', port: first.port, user: 'plimsoll', database: 'plimsoll' },
        stop: () => cluster.stop(),
      };
    });
    let isHeld = false;
    try {
      const servers = isQuick ? SERVERS.quick : SERVERS.whole;
      const under = { installation, servers, reportSeconds: REPORT_SECONDS, log };
      const verdict = await underFleet(under, (fleet) => failOverAndBack(nodes, fleet, log));
      isHeld = verdict.isHeld;
      return verdict;
    } finally {
      if (!isHeld) log(`the logs of the replicas and of Patroni are kept in ${installation.folder}`);
      await installation.remove(!isHeld);
    }
  },
};

async function failOverAndBack([first, second]: readonly PatroniNode[], fleet: Fleet, log: (line: string) => void) {
  if (first === undefined || second === undefined) throw new Error('no pair');
  log('the machine of the primary is lost');
  const lost = await fleet.longestPause(async () => {
    await first.lose();
    await until('the failover', () => second.is('primary'), 90);
    await delay(CALM_MS);
  });
  log(`no report was acknowledged for ${(lost / 1000).toFixed(1)} s`);
  first.start();
  await until('the old primary as a synchronous standby', () => first.is('sync'), 120);
  log('the machine is back as the standby; switchover');
  const switched = await fleet.longestPause(async () => {
    await first.switchOver(second);
    await until('the switchover', () => first.is('primary'), 60);
    await delay(CALM_MS);
  });
  log(`no report was acknowledged for ${(switched / 1000).toFixed(1)} s`);
  return {
    isHeld: lost <= LOST_MS && switched <= SWITCHED_MS,
    figures: `none was acknowledged for ${(lost / 1000).toFixed(1)} s after the loss (Patroni's ttl is ${String(TIMES.ttl)} s), and for ${(switched / 1000).toFixed(1)} s of the switchover`,
  };
}
