import type { CapacityAnswer, SizingAnswer } from '@plimsoll/contract/wire/capacity';
import type { CapacitySettingsAnswer } from '@plimsoll/contract/wire/capacity-settings';
import { beforeAll, describe, expect, it } from 'vitest';
import * as kube from '../../testing/kubernetes.ts';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { addValue, encodeHistogram, type Histogram, LEAST } from '../histogram.ts';
import { planClusters } from '../make-plans.ts';

const db = testStorage();
const GB = 2 ** 30;
const { NOW, listing, nodeObject, podObject } = kube;
const CLUSTER = 'cluster-settings';
const POOL = 'eks.amazonaws.com/nodegroup';

describe('settings and prices of capacity', () => {
  let app: TestApp;
  let user: TestUser;
  let cluster: kube.TestCluster;
  let at = NOW;
  const call = (method: string, path: string, body?: unknown, as: TestUser = user) =>
    app.call(method, `/api/kubernetes/${path}`, { ...as, ...(body === undefined ? {} : { body }) });
  const capacity = async (): Promise<NonNullable<CapacityAnswer['cluster']>> => {
    const { json } = await call('GET', `capacity?cluster_id=${CLUSTER}`);
    const { cluster: found } = json.data as unknown as CapacityAnswer;
    if (found === null) throw new Error('no cluster');
    return found;
  };
  /** A plan of now: the job makes one every five minutes. */
  const plan = async (): Promise<void> => {
    at += 5 * 60_000 + 1;
    const { collector, ...rest } = kube.envelope(CLUSTER);
    const newer = { ...rest, collector: { ...collector, reports_placements: true } };
    await db.storage().kubernetes.reports.open(cluster.agent, newer, at);
    app.clock.ms = at;
    await planClusters(db.storage().capacityPlans, at);
  };
  const usage = (add: (cpu: Histogram, memory: Histogram) => void): [Buffer, Buffer] => {
    const [cpu, memory]: [Histogram, Histogram] = [new Map(), new Map()];
    add(cpu, memory);
    return [encodeHistogram(cpu), encodeHistogram(memory)];
  };

  beforeAll(async () => {
    app = testApp(db.storage());
    user = await app.newUser();
    cluster = await kube.testCluster(db.storage(), user.organisationId, CLUSTER);
    const requests = { cpu_cores: 1, memory_bytes: 3 * GB };
    const containers = [kube.container({ requests, limits: { cpu_cores: 2, memory_bytes: 4 * GB } })];
    const pod = (name: string, node: string) =>
      podObject(name, { requests, containers, node_name: node, phase: 'Running' });
    await cluster.write(
      listing({
        nodes: ['a', 'b'].map((name) => nodeObject(`node-${name}`, { labels: { [POOL]: name } })),
        pods: [pod('web-1', 'node-a'), pod('web-2', 'node-b')],
      }),
    );
    // Half a core for nine minutes of ten, then two; always 1 GB.
    const [cpu, memory] = usage((cores, bytes) => {
      addValue(cores, 0.5, LEAST.cpuCores, 2600);
      addValue(cores, 2, LEAST.cpuCores, 280);
      addValue(bytes, GB, LEAST.memoryBytes, 2880);
    });
    for (const ago of [1, 9])
      await db.sql(
        `INSERT INTO capacity_container_day
          SELECT key, 'shop', 'Deployment', 'web', 'app', (to_timestamp($2::float8 / 1000) AT TIME ZONE 'UTC')::date - $3::int, $4, $5
          FROM cluster WHERE uid = $1`,
        [CLUSTER, NOW, ago, cpu, memory],
      );
    await db.sql("UPDATE cluster SET described_kinds = '{HorizontalPodAutoscaler}' WHERE uid = $1", [CLUSTER]);
    const metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 50 } } }];
    await db.sql(
      `INSERT INTO described_object (cluster_key, uid, kind, namespace, name, form, digest_key, fields, digests)
        SELECT key, 'h', 'HorizontalPodAutoscaler', 'shop', 'web-hpa', 1, '', $2, '{}' FROM cluster WHERE uid = $1`,
      [CLUSTER, JSON.stringify({ target: 'Deployment/web', metrics: JSON.stringify(metrics) })],
    );
    await plan();
  });

  it('have defaults, and no money without a price', async () => {
    const { json } = await call('GET', 'capacity/settings');
    expect(json.data).toEqual({
      advice: { cpu_percentile: 95, memory_surplus_percent: 15, days: 14, cpu_limit: 'none' },
      is_default: true,
      prices: [],
    } satisfies CapacitySettingsAnswer);
    expect(await capacity()).toMatchObject({ cost: null, advice: { days: 14 } });
  });

  it('do not hide the usage of each day of a workload, which a list of all workloads leaves out', async () => {
    const of = async (query: string) =>
      ((await call('GET', `sizing?cluster_id=${CLUSTER}${query}`)).json.data as unknown as SizingAnswer).sizing;
    const [row] = await of('&namespace=shop&kind=Deployment&name=web');
    const dayOf = (ago: number) => new Date(NOW - ago * 86_400_000).toISOString().slice(0, 10);
    expect(row?.by_day.map(({ day }) => day)).toEqual([dayOf(9), dayOf(1)]);
    expect(row?.by_day[1]?.cpu_cores.max).toBeGreaterThan(1.9);
    expect((row?.by_day[1]?.memory_bytes.p95 ?? 0) / GB).toBeCloseTo(1, 0);
    expect((await of('')).map(({ by_day: days }) => days)).toEqual([[]]);
  });

  it('change the advice with the next plan, which says what it used; an autoscaler that moves is named', async () => {
    const sizing = async () => (await call('GET', `sizing?cluster_id=${CLUSTER}`)).json.data as unknown as SizingAnswer;
    const before = await sizing();
    expect(before.sizing[0]).toMatchObject({ days: 2, cpu_cores: { limit: 2, limit_advice: null } });
    expect(before.sizing[0]?.cpu_cores.advice).toBeGreaterThan(1.9);
    const wanted = { cpu_percentile: 50, memory_surplus_percent: 100, days: 7, cpu_limit: 'as_today' };
    const changed = await call('PUT', 'capacity/settings', wanted);
    expect([changed.status, changed.json.data, changed.audited]).toMatchObject([
      200,
      { advice: wanted, is_default: false },
      ['capacity_settings_changed'],
    ]);
    expect((await sizing()).cluster?.advice.days).toBe(14);
    await plan();
    const after = await sizing();
    expect(after.cluster?.advice).toEqual(wanted);
    const [row] = after.sizing;
    expect(row).toMatchObject({ days: 1, cpu_cores: { limit_advice: 2 } });
    expect(row?.cpu_cores.advice).toBeCloseTo(0.5, 1);
    expect((row?.memory_bytes.advice ?? 0) / GB).toBeCloseTo(2, 0);
    expect(row?.autoscalers).toMatchObject([
      { name: 'web-hpa', resource: 'cpu', utilization_percent: 50, now: 0.5, after: (row?.cpu_cores.advice ?? 0) / 2 },
    ]);
  });

  it('show what a cluster costs: the share of each workload, and what is idle apart', async () => {
    const price = { currency: 'EUR', core_hour: 0.1, gb_hour: 0.01 };
    const changed = await call('PUT', `clusters/${CLUSTER}/price`, price);
    expect([changed.status, changed.json.data, changed.audited]).toMatchObject([
      200,
      { prices: [{ ...price, cluster_id: CLUSTER }] },
      ['cluster_price_changed'],
    ]);
    const { cost, resources } = await capacity();
    const cores = resources.find(({ resource }) => resource === 'cpu')?.allocatable ?? 0;
    const bytes = resources.find(({ resource }) => resource === 'memory')?.allocatable ?? 0;
    const month = (of: number, gb: number): number => (of * 0.1 + gb * 0.01) * 730;
    expect(cost).toMatchObject({
      ...price,
      month: expect.closeTo(month(cores, bytes / GB), 1) as number,
      held_month: expect.closeTo(month(2, 6), 1) as number,
      idle_month: expect.closeTo(month(cores - 2, bytes / GB - 6), 1) as number,
      workloads: [{ namespace: 'shop', name: 'web', pods: 2, cpu_cores: 2, memory_bytes: 6 * GB }],
      workloads_total: 1,
      unknown_pods: 0,
    });
    expect((await call('DELETE', `clusters/${CLUSTER}/price`)).audited).toEqual(['cluster_price_deleted']);
    expect((await call('DELETE', `clusters/${CLUSTER}/price`)).audited).toEqual([]);
    expect((await capacity()).cost).toBeNull();
  });

  it('names the pools with the trend and the worst node of each', async () => {
    expect((await capacity()).pools).toMatchObject([
      {
        pool: 'a',
        label: POOL,
        nodes: 1,
        resources: [{ resource: 'cpu', requested: 1 }, { resource: 'memory' }],
        trends: [{ date: null, reason: 'Its requests are known for 1 day; a date needs 7.' }, {}],
        worst: { node: 'node-a' },
      },
      { pool: 'b', worst: { node: 'node-b' } },
    ]);
    const rows = await db.sql(
      `SELECT pool, nodes, cpu_requested FROM capacity_day d JOIN cluster c ON c.key = d.cluster_key
        WHERE c.uid = $1 ORDER BY pool`,
      [CLUSTER],
    );
    expect(rows).toMatchObject([{ pool: '', nodes: 2, cpu_requested: 2 }, { pool: 'a', nodes: 1 }, { pool: 'b' }]);
  });

  it.each([
    [`clusters/${CLUSTER}/price`, { currency: 'EUR', core_hour: -1, gb_hour: 0 }, 'core_hour', 'Use at least 0.'],
    [`clusters/${CLUSTER}/price`, { currency: 'EUR', core_hour: 1, gb_hour: 1001 }, 'gb_hour', 'Use at most 1000.'],
    [`clusters/${CLUSTER}/price`, { currency: 'euro', core_hour: 1, gb_hour: 1 }, 'currency', undefined],
    ['capacity/settings', { ...ADVICE(), cpu_percentile: 101 }, 'cpu_percentile', 'Use at most 100.'],
    ['capacity/settings', { ...ADVICE(), memory_surplus_percent: -1 }, 'memory_surplus_percent', 'Use at least 0.'],
    ['capacity/settings', { ...ADVICE(), days: 61 }, 'days', 'Use at most 60.'],
    ['capacity/settings', { ...ADVICE(), cpu_limit: 'half' }, 'cpu_limit', 'Use one of: none, as_today.'],
  ])('PUT %s refuses %j', async (path, body, field, remedy) => {
    const answer = await call('PUT', path, body);
    expect([answer.status, answer.json.field]).toEqual([400, field]);
    expect(answer.json.remedy).toBe(remedy);
    expect(`${answer.json.detail ?? ''}${answer.json.remedy ?? ''}`).toMatch(/^\w+: .{10,}/);
    expect(answer.audited).toEqual([]);
  });

  it('are nobody else’s', async () => {
    const other = await app.newUser();
    const price = { currency: 'EUR', core_hour: 1, gb_hour: 1 };
    expect((await call('PUT', `clusters/${CLUSTER}/price`, price, other)).status).toBe(404);
    expect((await call('GET', 'capacity/settings', undefined, other)).json.data).toMatchObject({ is_default: true });
  });
});

function ADVICE() {
  return { cpu_percentile: 95, memory_surplus_percent: 15, days: 14, cpu_limit: 'none' };
}
