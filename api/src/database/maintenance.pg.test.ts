import { beforeAll, expect, it } from 'vitest';
import { ownerOf } from '../tenancy/owner.ts';
import type { Owner } from '../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../testing/batches.ts';
import { describeEachPostgres } from '../testing/postgres.ts';
import type { TestDatabase } from '../testing/postgres.ts';
import type { AcceptedItem } from '../reports/types.ts';
import type { Agent } from '../servers/types.ts';
import type { Band } from '../series/types.ts';
import { founderOf } from '../tenancy/ids.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const START = NOW - 3 * DAY;

interface Point {
  server: number;
  at: number;
  cpu: number | null;
  reads: number;
}
/** Three days of two servers, a 2 h hole in the second, every tenth CPU value unknown. */
const points: Point[] = [0, 1].flatMap((server) =>
  Array.from({ length: (3 * DAY) / MINUTE }, (_, index) => ({
    server,
    at: START + index * MINUTE + 7000,
    cpu: index % 10 === 0 ? null : (index * (server + 3)) % 97,
    reads: (index * 7) % 50,
  })).filter(({ at }) => server === 0 || at < NOW - 30 * HOUR || at >= NOW - 28 * HOUR),
);
/** Comes a day late, in one batch. */
const isLate = ({ server, at }: Point): boolean => server === 0 && at >= NOW - 25 * HOUR && at < NOW - 24 * HOUR;

const itemsOf = (of: Point[]): AcceptedItem[] =>
  of.map(({ at, cpu, reads }) => {
    const seq = Math.floor((at - START) / MINUTE) + 1;
    const disk = { read_bytes_per_second: null, write_bytes_per_second: null, busy_percent: null };
    const item = itemOf(seq, at, {
      disks: [{ device: 'vda', read_operations_per_second: reads, write_operations_per_second: 1, ...disk }],
    });
    if (item.report.cpu) item.report.cpu.percent = cpu;
    return item;
  });

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
/** The same answers, computed from the points by hand: first within a server, then over servers. */
const expected = (of: Point[], from: number, to: number, bucketSeconds: number) => {
  const length = bucketSeconds * 1000;
  const first = Math.floor(from / length) * length;
  const buckets = new Map<number, Point[]>();
  for (const point of of.filter(({ at }) => at >= first && at < to)) {
    const at = Math.floor(point.at / length) * length;
    buckets.set(at, [...(buckets.get(at) ?? []), point]);
  }
  return [...buckets.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([at, inside]) => {
      const servers = [0, 1]
        .map((server) => inside.filter((point) => point.server === server))
        .filter((s) => s.length > 0);
      const cpus = servers.map((s) => s.flatMap(({ cpu }) => (cpu === null ? [] : [cpu]))).filter((s) => s.length > 0);
      const sum = (pick: (values: number[]) => number) =>
        servers.map((s) => pick(s.map(({ reads }) => reads + 1))).reduce((a, b) => a + b, 0);
      return {
        at,
        count: inside.length,
        cpu:
          cpus.length === 0
            ? null
            : { avg: mean(cpus.map(mean)), min: Math.min(...cpus.flat()), max: Math.max(...cpus.flat()) },
        operations: { avg: sum(mean), min: sum((v) => Math.min(...v)), max: sum((v) => Math.max(...v)) },
      };
    });
};

const expectBand = (actual: Band | undefined, band: { avg: number; min: number; max: number } | null): void => {
  if (band === null) {
    expect(actual).toEqual({ avg: null, min: null, max: null });
    return;
  }
  expect(actual?.min).toBe(band.min);
  expect(actual?.max).toBe(band.max);
  expect(actual?.avg).toBeCloseTo(band.avg, 3);
};

describeEachPostgres('rollups and series', (db: TestDatabase) => {
  let owner: Owner;
  let agents: Agent[];
  const send = async (of: Point[]): Promise<void> => {
    for (const [server, agent] of agents.entries()) {
      const items = itemsOf(of.filter((point) => point.server === server));
      for (let index = 0; index < items.length; index += 60) {
        const some = items.slice(index, index + 60);
        await db.storage().reports.accept(batchOf(agent, some, isLateBatch(of) ? { receivedAt: NOW - MINUTE } : {}));
      }
    }
  };
  const isLateBatch = (of: Point[]): boolean => of.every(isLate);
  const check = async (of: Point[], from: number, to: number, bucketSeconds: number): Promise<void> => {
    const series = await db.storage().series.hostSeries(owner, null, { from, to, bucketSeconds });
    const wanted = expected(of, from, to, bucketSeconds);
    expect(series.map(({ at, count }) => ({ at, count }))).toEqual(wanted.map(({ at, count }) => ({ at, count })));
    for (const [index, bucket] of wanted.entries()) {
      expectBand(series[index]?.cpuPercent, bucket.cpu);
      expectBand(series[index]?.operationsPerSecond, bucket.operations);
    }
  };
  const onTime = points.filter((point) => !isLate(point));

  beforeAll(async () => {
    const organisationId = await newAccount(db.storage());
    owner = ownerOf(organisationId);
    agents = [await enrolledAgent(db.storage(), organisationId), await enrolledAgent(db.storage(), organisationId)];
    await send(onTime);
  });

  it('makes partitions ahead, moves rows into theirs, and makes none twice', async () => {
    const before = await db.sql('SELECT 1 FROM host_sample');
    const made = await db.storage().maintenance.makePartitions(NOW);
    expect(made).toContain(`host_sample_p${new Date(NOW + 7 * DAY).toISOString().slice(0, 10).replaceAll('-', '')}`);
    expect(await db.sql('SELECT 1 FROM host_sample_default')).toHaveLength(0);
    expect(await db.sql('SELECT 1 FROM host_sample')).toHaveLength(before.length);
    expect(await db.storage().maintenance.makePartitions(NOW)).toEqual([]);
  });

  it('answers the same from samples as by hand, before anything is rolled up', async () => {
    expect(await db.sql('SELECT 1 FROM rollup_progress')).toHaveLength(0);
    await check(onTime, START, NOW, 3600);
    await check(onTime, NOW - 2 * HOUR, NOW, 60);
  });

  it('answers the same from every level once it is rolled up', async () => {
    expect(await db.storage().rollups.rollUp(NOW - 90 * MINUTE)).toBeGreaterThan(0);
    for (const bucketSeconds of [60, 300, 900, 3600, 7200]) await check(onTime, START, NOW, bucketSeconds);
    await check(onTime, NOW - 5 * HOUR + 123_456, NOW - 100_000, 900);
    const rows = await db.sql('SELECT 1 FROM host_rollup_5m');
    expect(rows.length).toBeGreaterThan(800);
  });

  it('takes late samples into the buckets that were final, and changes nothing when it runs again', async () => {
    await send(points.filter(isLate));
    await db.storage().rollups.rollUp(NOW - 30_000);
    for (const bucketSeconds of [60, 900, 3600]) await check(points, START, NOW, bucketSeconds);
    const dump = () => db.sql('SELECT * FROM host_rollup_5m ORDER BY server_key, ts');
    const once = await dump();
    await db.storage().rollups.rollUp(NOW - 30_000);
    expect(await dump()).toEqual(once);
  });

  it('lets one of several replicas roll up', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => db.storage().rollups.rollUp(NOW)));
    expect(runs.some((rows) => rows !== null)).toBe(true);
    for (const bucketSeconds of [900, 3600]) await check(points, START, NOW, bucketSeconds);
  });

  it('answers for one server, and nothing for a foreign or unknown one', async () => {
    const query = { from: NOW - DAY, to: NOW, bucketSeconds: 900 };
    const own = await db.storage().series.hostSeries(owner, agents[0]?.serverId ?? '', query);
    expect(own.length).toBe(96);
    const stranger = ownerOf(await newAccount(db.storage()));
    for (const id of [agents[0]?.serverId ?? null, 'nonsense', '00000000-0000-4000-8000-000000000000', null]) {
      expect(await db.storage().series.hostSeries(stranger, id, query)).toEqual([]);
      expect(await db.storage().series.networkSeries(stranger, id, query)).toEqual([]);
    }
  });

  it('drops whole partitions past their retention and keeps the rollups', async () => {
    const removed = await db.storage().maintenance.prune(NOW + 6 * DAY);
    expect(removed?.['host_sample partitions']).toBe(2);
    const left = await db.sql<{ oldest: Date }>('SELECT min(ts) AS oldest FROM host_sample');
    expect(left[0]?.oldest.getTime()).toBeGreaterThanOrEqual(NOW - 2 * DAY);
    expect(await db.sql('SELECT 1 FROM host_rollup_1h')).not.toHaveLength(0);
    expect((await db.storage().maintenance.prune(NOW + 6 * DAY))?.['host_sample partitions']).toBeUndefined();
  });

  it('prunes expired secrets and the old ledger', async () => {
    await db
      .storage()
      .sessions.create(
        { personId: founderOf(owner.organisationId), tokenHash: Buffer.alloc(32, 7), expiresAt: NOW },
        NOW - DAY,
      );
    const removed = await db.storage().maintenance.prune(NOW + 20 * DAY);
    expect(removed).toMatchObject({ session: 1 });
    expect(await db.sql('SELECT 1 FROM report_ledger')).toHaveLength(0);
  });
});
