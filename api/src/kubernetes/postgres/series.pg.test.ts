import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { newAccount } from '../../testing/batches.ts';
import { clusterOfItsOwn, listing, nodeObject, nodePart, NOW, podObject } from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { writeNode } from '../../testing/node-report.ts';
import type { NodeRecord } from '../node-records.ts';
import type { PodRecord } from '../pod-records.ts';
import type { SeriesRange, UsageBucket } from '../types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FROM = NOW - 2 * HOUR;
const MB = 2 ** 20;

/** One report of the node's agent: figures of a pod, in exact eighths. */
interface Told {
  at: number;
  cpu: number | null;
  memory: number | null;
}
const eighths = fc.option(
  fc.integer({ min: 0, max: 16 }).map((n) => n / 8),
  { freq: 5 },
);
/** At whole and half minutes, the edges of five-minute buckets among them; unordered, some twice. */
const reports: fc.Arbitrary<Told[]> = fc.array(
  fc.record({
    at: fc.oneof(
      fc.integer({ min: 0, max: 239 }).map((n) => FROM + n * 30_000),
      fc.integer({ min: 0, max: 23 }).map((n) => FROM + n * 5 * MINUTE - 1),
    ),
    cpu: eighths,
    memory: fc.option(
      fc.integer({ min: 1, max: 64 }).map((n) => n * MB),
      { freq: 5 },
    ),
  }),
  { minLength: 1, maxLength: 40 },
);

type Band = UsageBucket['cpuCores'];
const bandOf = (values: (number | null)[]): Band => {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return { avg: null, min: null, max: null };
  const sum = known.reduce((total, value) => total + value, 0);
  return { avg: sum / known.length, min: Math.min(...known), max: Math.max(...known) };
};
/** The buckets by hand: a report counts once, in the bucket its moment falls into. */
function naive(told: Told[], { from, to, bucketSeconds }: SeriesRange): UsageBucket[] {
  const width = bucketSeconds * 1000;
  const inside = told.filter(({ at }) => at >= from && at < to);
  const buckets = Map.groupBy(inside, ({ at }) => Math.floor(at / width) * width);
  return [...buckets.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([at, of]) => ({
      at,
      count: of.length,
      isTold: false,
      cpuCores: bandOf(of.map(({ cpu }) => cpu)),
      memoryBytes: bandOf(of.map(({ memory }) => memory)),
    }));
}
/** Single precision keeps seven digits: of means, less than half a unit of the given place may be off. */
const nearly = (band: Band, places: number): unknown => ({
  ...band,
  avg: band.avg === null ? null : expect.closeTo(band.avg, places),
});
const about = (buckets: UsageBucket[]): unknown =>
  buckets.map((bucket) => ({
    ...bucket,
    cpuCores: nearly(bucket.cpuCores, 4),
    memoryBytes: nearly(bucket.memoryBytes, -2),
  }));

describeEachPostgres('usage over time', (db) => {
  const views = () => db.storage().kubernetes.views;
  const rollUp = () => db.storage().kubernetes.upkeep.rollup(NOW + 5 * MINUTE);
  /** Reports of the one pod of a new cluster, written in the order they stand in. */
  const write = async (told: Told[]) => {
    const { owner, cluster } = await clusterOfItsOwn(db.storage());
    const pod = podObject('web');
    await cluster.write(listing({ nodes: [nodeObject('node-1')], pods: [pod] }));
    const node = { name: 'node-1', hostname: 'n', tokenHash: randomBytes(32) };
    const enrolled = await db.storage().kubernetes.reports.enrolNode(cluster.agent, node, NOW);
    const send = async (some: Told[]): Promise<void> => {
      for (const { at, cpu, memory } of some) {
        const part = nodePart([pod]);
        const pods = part.pods.map((one) => ({ ...one, cpu_cores: cpu, memory_working_set_bytes: memory }));
        await writeNode(db, enrolled?.serverId ?? '', at, { ...part, pods });
      }
    };
    await send(told);
    const record = (await views().pod({ owner }, 'shop', 'web', NOW)) as PodRecord;
    const [nodeRecord] = (await views().nodes({ owner }, NOW)) as [NodeRecord];
    const series = (range: SeriesRange) => views().podSeries(record, owner, range);
    return { owner, send, series, record, nodeRecord };
  };
  /** A report that is sent again, or another one of the same moment, changes nothing. */
  const unique = (told: Told[]): Told[] => [...new Map(told.toReversed().map((one) => [one.at, one])).values()];
  const filled = (one: Told): Told => ({ ...one, cpu: one.cpu ?? 0.5, memory: one.memory ?? MB });
  const ranges: SeriesRange[] = [
    { from: FROM, to: NOW, bucketSeconds: 60 },
    { from: FROM + 7 * MINUTE, to: NOW - 11 * MINUTE, bucketSeconds: 60 },
    { from: FROM, to: NOW, bucketSeconds: 300 },
    { from: FROM, to: NOW, bucketSeconds: 1800 },
  ];
  const coarse = ranges.filter(({ bucketSeconds }) => bucketSeconds >= 300);

  it('is that of the samples by hand, in whatever order they came and however often', async () => {
    await fc.assert(
      fc.asyncProperty(reports, async (told) => {
        const { series } = await write([...told, ...told.slice(0, 3)]);
        for (const range of ranges) expect(await series(range)).toEqual(about(naive(unique(told), range)));
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });

  it('is the same from the rollups, also after late samples, and rolling up again changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(reports, reports, fc.boolean(), async (some, more, known) => {
        const [onTime, late] = known ? [some.map(filled), more.map(filled)] : [some, more];
        const { send, series } = await write(onTime);
        await rollUp();
        const fresh = late.filter(({ at }) => !onTime.some((one) => one.at === at));
        await send(fresh);
        await rollUp();
        expect(await rollUp()).toBe(0);
        const told = unique([...onTime, ...fresh]);
        // Older than what samples are kept for: a range that begins there is read from the rollups.
        const old = NOW - 8 * 24 * HOUR;
        // In a bucket wider than a stored one, unknown values weigh as much as known ones: not tested here.
        const isWhole = told.every(({ cpu, memory }) => cpu !== null && memory !== null);
        for (const range of coarse.filter(({ bucketSeconds }) => bucketSeconds === 300 || isWhole))
          expect(await series({ ...range, from: old })).toEqual(about(naive(told, { ...range, from: old })));
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('is nobody else’s', async () => {
    const { record, nodeRecord } = await write([{ at: NOW - MINUTE, cpu: 1, memory: MB }]);
    const stranger = ownerOf(await newAccount(db.storage()));
    const [range] = ranges as [SeriesRange];
    await expect(views().podSeries(record, stranger, range)).rejects.toMatchObject({ code: 'not_found' });
    await expect(views().nodeSeries(nodeRecord, stranger, range)).rejects.toMatchObject({ code: 'not_found' });
    await expect(views().terminations(record, stranger, 0)).rejects.toMatchObject({ code: 'not_found' });
  });
});
