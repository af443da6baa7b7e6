import { clusterItem } from '@plimsoll/contract/wire/cluster-report';
import { reportItem, type ReportAnswer } from '@plimsoll/contract/wire/report';
import type { ClusterAnswer } from '@plimsoll/contract/wire/cluster-report';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import { arbitraryOf } from '../testing/arbitrary-of.ts';
import { fullReport } from '../testing/full-report.ts';
import * as kube from '../testing/kubernetes.ts';
import { testStorage } from '../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../testing/reporting-cluster.ts';
import { accountJobs } from '../accounts/jobs.ts';
import { kubernetesJobs } from '../kubernetes/jobs.ts';
import { rollupJob } from '../series/jobs.ts';
import { storageJobs } from '../database/jobs.ts';

/** Each run stores many reports in a real database, runs every job and reads every answer. */
const RUNS = 4;
const REPORTS_PER_SERVER = 12;
const HOUR = 3_600_000;
type Item = Record<string, unknown>;
const HOST_READS = [
  '/api/servers/list',
  '/api/servers/ID',
  '/api/data/metrics',
  '/api/data/metrics?server_id=ID',
  ...[1, 24, 168, 2160, 8760].flatMap((hours) =>
    ['metrics', 'network'].flatMap((chart) => [
      `/api/data/${chart}/timeseries?hours=${String(hours)}`,
      `/api/data/${chart}/timeseries?server_id=ID&hours=${String(hours)}`,
    ]),
  ),
  '/api/data/metrics/sparks?server_ids=ID',
  '/api/data/metrics/compare?server_ids=ID&figure=cpu',
  '/api/data/network/metrics',
  '/api/data/network/metrics?server_id=ID',
  '/api/data/network/connections',
  '/api/data/network/connections?server_id=ID',
  '/api/data/notifications',
  '/api/data/activity',
  '/api/data/processes',
  '/api/data/processes?server_id=ID',
  '/api/data/processes?rank_type=memory',
  '/api/data/processes/at?server_id=ID&at=NOW',
  '/api/user/export',
];
const CLUSTER_READS = [
  '/api/kubernetes/clusters',
  '/api/kubernetes/cluster/overview',
  '/api/kubernetes/events',
  '/api/kubernetes/permissions',
  '/api/kubernetes/nodes',
  '/api/kubernetes/nodes/recent',
  '/api/kubernetes/pods',
  '/api/kubernetes/owners',
  '/api/kubernetes/at?at=NOW',
  '/api/kubernetes/nodes/node-1',
  '/api/kubernetes/nodes/node-1/pods',
  '/api/kubernetes/nodes/node-1/metrics/history?hours=1',
  '/api/kubernetes/nodes/node-1/metrics/history?hours=168',
  '/api/kubernetes/pods/shop/web-1',
  '/api/kubernetes/pods/shop/web-1/metrics/history?hours=1',
  '/api/kubernetes/pods/shop/web-1/metrics/history?hours=168',
];

const db = testStorage();
let app: TestApp;
let user: TestUser;
let agents: TestAgent[];
let serial = 0;

/** Runs every job of the API, and throws where one fails. */
const runJobs = async (now: number): Promise<void> => {
  const { maintenance, rollups, kubernetes } = db.storage();
  const jobs = [
    ...storageJobs(maintenance, { version: '0.1.0', jobs: () => [] }),
    rollupJob(rollups),
    ...kubernetesJobs(kubernetes.upkeep),
  ];
  for (const job of [...jobs, ...accountJobs(db.storage(), null)]) await job.run(now);
  expect(await db.storage().setAside.count()).toEqual(new Map());
};
const readAll = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const real = path.replace('ID', agents[0]?.serverId ?? '').replace('NOW', String(app.clock.now() / 1000));
    const answer = await app.call('GET', real, { token: user.token });
    expect(`${String(answer.status)} ${answer.status === 200 ? '' : `${real} ${answer.text}`}`).toBe('200 ');
  }
};
/** Sends reports of the last minutes, a minute apart; none is rejected. */
const send = async (agent: TestAgent, items: readonly Item[]): Promise<void> => {
  const timed = items.map((item, index) => ({
    ...item,
    seq: index + 1,
    ts: app.clock.now() / 1000 - 60 * index,
    up: 100_000 - 60 * index,
    boot_id: undefined,
  }));
  const body = reportsBody(agent, app.clock.now(), timed);
  const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  expect(`${String(answer.status)} ${answer.status === 200 ? '' : answer.text}`).toBe('200 ');
  expect((answer.json as unknown as ReportAnswer).rejected).toEqual([]);
};

beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW - 4 * HOUR;
  user = await app.newUser();
  agents = [await app.newAgent(user), await app.newAgent(user)];
});
afterEach(async () => {
  await db.sql(`TRUNCATE account, server, cluster, host_sample, host_rollup_5m, host_rollup_1h, rollup_progress,
    server_list_history, process_quarter, process_quarter_block, kube_sample, kube_rollup_5m CASCADE`);
});

describe('any report that the schema accepts', () => {
  it('survives every job and every answer that reads it, at the largest counts of connections', async () => {
    const most = 2_147_483_647;
    const counts = { established: most, listen: 0, time_wait: 0, close_wait: 0, syn_sent: 0, syn_recv: 0 };
    for (const agent of agents)
      await send(agent, [
        { ...fullReport('a', app.clock.now() / 1000), connection_counts: { total: most, ...counts } },
      ]);
    app.clock.pass(7200);
    await runJobs(app.clock.now());
    await readAll(HOST_READS);
    const sums = await db.sql('SELECT DISTINCT connections_total AS total FROM fleet_rollup');
    // A rollup keeps the mean of each server in 24 bits, which round 2^31 - 1 up.
    expect(sums).toEqual([{ total: 2 ** 32 }]);
  });

  it('of a host survives every job and every answer that reads it', async () => {
    const some = fc.array(arbitraryOf(reportItem) as fc.Arbitrary<Item>, {
      minLength: REPORTS_PER_SERVER,
      maxLength: REPORTS_PER_SERVER,
    });
    const reports = fc.tuple(some, some);
    await fc.assert(
      fc
        .asyncProperty(reports, async (items) => {
          for (const [index, agent] of agents.entries()) await send(agent, items[index] ?? []);
          await readAll(HOST_READS);
          app.clock.pass(7200);
          await runJobs(app.clock.now());
          await readAll(HOST_READS);
          expect((await db.sql('SELECT 1 FROM host_sample')).length).toBeGreaterThan(0);
        })
        .beforeEach(async () => {
          serial += 1;
          user = await app.newUser(`any${String(serial)}`);
          agents = [await app.newAgent(user, `a${String(serial)}`), await app.newAgent(user, `b${String(serial)}`)];
        }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('of a cluster survives every job and every answer that reads it', async () => {
    const { from, to } = { from: kube.SECONDS - 86_400, to: kube.SECONDS - 86_400 + 600 };
    const historyOf = ({ history }: Item): Item => {
      const numbers = (history as { nodes: { cpu_cores: unknown[]; memory_bytes: unknown[] }[] } | undefined)?.nodes;
      const two = (values: unknown[] | undefined): unknown[] => [values?.[0] ?? null, values?.[1] ?? null];
      const [cpu, memory] = [two(numbers?.[0]?.cpu_cores), two(numbers?.[0]?.memory_bytes)];
      const node = { node_name: 'node-1', cpu_cores: cpu, memory_bytes: memory };
      const pods = { pods: ['web-1-uid'], pod_cpu_cores: cpu, pod_memory_bytes: memory };
      return { from, to, complete: true, nodes: [{ ...node, ...pods }] };
    };
    const sendAll = async (cluster: ReportingCluster, items: Item[]): Promise<void> => {
      const answer = await cluster.report(items);
      expect(`${String(answer.status)} ${answer.status === 200 ? '' : answer.text}`).toBe('200 ');
      expect((answer.json as unknown as ClusterAnswer).rejected).toEqual([]);
    };
    const named = (list: unknown, fixed: Item): unknown =>
      Array.isArray(list) ? list.map((one: Item, index) => (index === 0 ? { ...one, ...fixed } : one)) : list;
    const inPlace = (item: Item, seq: number): Item => {
      const pod = { uid: 'web-1-uid', namespace: 'shop', name: 'web-1', node_name: 'node-1' };
      const usage = Array.isArray(item.usage)
        ? item.usage.map((one: Item) => ({
            ...one,
            node_name: 'node-1',
            pods: named(one.pods, { uid: pod.uid }),
          }))
        : item.usage;
      return {
        ...item,
        seq,
        nodes: named(item.nodes, { uid: 'node-1-uid', name: 'node-1' }),
        pods: named(item.pods, pod),
        usage,
        deleted: undefined,
        listing: undefined,
        history: historyOf(item),
      };
    };
    const items = fc.array(arbitraryOf(clusterItem) as fc.Arbitrary<Item>, { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc
        .asyncProperty(items, arbitraryOf(reportItem) as fc.Arbitrary<Item>, async (reports, host) => {
          app.clock.ms = kube.NOW;
          const cluster = await reportingCluster(app, user);
          const first = { nodes: [kube.nodeObject('node-1', { uid: 'node-1-uid' })], pods: [podOf()] };
          await sendAll(cluster, [kube.listing(first)]);
          await sendAll(
            cluster,
            reports.map((one, index) => inPlace(one, index + 1)),
          );
          const enrolled = await app.call('POST', '/api/agent/v1/nodes/enrol', {
            token: cluster.token,
            body: { node_name: 'node-1', boot_id: 'b', hostname: 'node-1' },
          });
          const node = enrolled.json as unknown as { server_id: string; agent_token: string };
          await send({ serverId: node.server_id, token: node.agent_token }, [host]);
          await sendAll(cluster, [kube.item(first)]);
          await readAll([...CLUSTER_READS, ...HOST_READS]);
          app.clock.pass(7200);
          await runJobs(app.clock.now());
          await sendAll(cluster, [kube.item(first)]);
          await readAll([...CLUSTER_READS, ...HOST_READS]);
        })
        .beforeEach(async () => {
          serial += 1;
          user = await app.newUser(`any${String(serial)}`);
          agents = [await app.newAgent(user, `c${String(serial)}`)];
        }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});

const podOf = () => kube.restartedPod('web-1', 2, { uid: 'web-1-uid' });
