import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Observed, serveTelemetry } from './telemetry.ts';
import type { ClusterCollector } from './report/cluster-collector.ts';

const counts = { lists: 1, watches: 2, events: 30, brokenLines: 0, unreadable: 4, failures: 5 };
/** A collector whose reader of pods is in the given state. */
const collectorWith = (state: string): ClusterCollector =>
  ({
    state: { pods: { objects: new Map([['a', {}]]) }, nodes: { objects: new Map() } },
    reporter: { deliveredAt: 1_795_000_000_500, counts: { failures: 3 } },
    reflectors: [
      { name: 'nodes', counts, status: { state: 'forbidden' } },
      { name: 'pods', counts, status: { state } },
    ],
  }) as unknown as ClusterCollector;

describe('telemetry of the cluster collector', () => {
  let observed: Observed;
  let address: string;
  let loopAge: number;
  const ask = async (path: string): Promise<[number, string]> => {
    const answer = await fetch(address + path);
    return [answer.status, await answer.text()];
  };
  const figure = async (name: string): Promise<string | undefined> =>
    new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (.*)$`, 'm').exec((await ask('/metrics'))[1])?.[1];

  beforeEach(async () => {
    loopAge = 1;
    const connection = { requests: 12 } as Observed['connection'];
    observed = { connection, collector: null, leading: false, loopAgeSeconds: () => loopAge };
    const server = await serveTelemetry(observed, 0);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  it('a replica that stands by is alive and ready', async () => {
    expect([await ask('/healthz'), await ask('/readyz')]).toEqual([
      [200, 'ok\n'],
      [200, 'ok\n'],
    ]);
  });

  it('an election loop that has not turned for a minute is dead, and ready for nothing', async () => {
    loopAge = 59.9;
    expect((await ask('/healthz'))[0]).toBe(200);
    loopAge = 60;
    expect([await ask('/healthz'), await ask('/readyz')]).toEqual([
      [503, 'not ok\n'],
      [503, 'not ok\n'],
    ]);
  });

  it('a leader is ready when each resource was listed or refused, and alive before', async () => {
    observed.leading = true;
    expect((await ask('/readyz'))[0]).toBe(503);
    observed.collector = collectorWith('starting');
    expect([(await ask('/readyz'))[0], (await ask('/healthz'))[0]]).toEqual([503, 200]);
    observed.collector = collectorWith('ok');
    expect((await ask('/readyz?verbose'))[0]).toBe(200);
  });

  it('figures of its process come with the others, however often they are read', async () => {
    expect(await figure('nodejs_eventloop_lag_seconds')).toMatch(/^[0-9.e-]+$/);
    expect(Number(await figure('process_cpu_seconds_total'))).toBeGreaterThan(0);
  });

  it('there is nothing else', async () => {
    for (const path of ['/', '/metrics/x', '/healthz/../etc/passwd', '/debug'])
      expect(await ask(path)).toEqual([404, 'not found\n']);
  });

  it('tells of itself while it stands by', async () => {
    expect([
      await figure('plimsoll_cluster_leading'),
      await figure('plimsoll_cluster_api_requests'),
      await figure('plimsoll_cluster_pods'),
      await figure('plimsoll_cluster_delivered_timestamp_seconds'),
    ]).toEqual(['0', '12', '0', '0']);
  });

  it('tells of what it watches while it leads, and no more when it stopped', async () => {
    observed.leading = true;
    observed.collector = collectorWith('ok');
    const pods = (what: string) => figure(`plimsoll_cluster_reflector{resource="pods",what="${what}"}`);
    expect([
      await figure('plimsoll_cluster_leading'),
      await figure('plimsoll_cluster_pods'),
      await figure('plimsoll_cluster_nodes'),
      await figure('plimsoll_cluster_delivered_timestamp_seconds'),
      await figure('plimsoll_cluster_report_failures'),
      await pods('events'),
      await pods('unreadable'),
      await pods('ok'),
      await figure('plimsoll_cluster_reflector{resource="nodes",what="ok"}'),
    ]).toEqual(['1', '1', '0', '1795000000.5', '3', '30', '4', '1', '0']);
    observed.collector = null;
    expect(await pods('events')).toBeUndefined();
  });

  it('a port that is taken is an error, not a silence', async () => {
    await expect(serveTelemetry(observed, Number(new URL(address).port))).rejects.toThrow('EADDRINUSE');
  });

  it('has exactly the metrics that docs/metrics.md describes', async () => {
    const docs = readFileSync(join(import.meta.dirname, '../../../docs/metrics.md'), 'utf8');
    const described = [...docs.matchAll(/^\| `(plimsoll_cluster_\w+)`/gm)].map(([, name]) => name);
    const [, served] = await ask('/metrics');
    const declared = [...served.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name = '', type]) => [name, type]);
    expect(
      declared
        .map(([name = '']) => name)
        .filter((name) => name.startsWith('plimsoll_'))
        .toSorted(),
    ).toEqual(described);
    expect(declared.filter(([name, type]) => type !== 'counter' && name?.endsWith('_total'))).toEqual([]);
  });
});
