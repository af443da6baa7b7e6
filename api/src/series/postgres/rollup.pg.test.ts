import type { Report } from '@plimsoll/contract/wire/report';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownerOf, type Owner } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { Agent } from '../../servers/types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Math.floor(Date.now() / HOUR) * HOUR;

const connections = (total: number): Partial<Report> => ({
  connection_counts: {
    total,
    established: total,
    listen: 0,
    time_wait: 0,
    close_wait: 0,
    syn_sent: 0,
    syn_recv: 0,
  },
});

describeEachPostgres('rolling up', (db) => {
  let owner: Owner;
  let agent: Agent;
  const rollUp = (now: number) => db.storage().rollups.rollUp(now);
  const accept = (seq: number, at: number, receivedAt = at + 100, parts: Partial<Report> = {}) =>
    db.storage().reports.accept(batchOf(agent, [itemOf(seq, at, parts)], { receivedAt }));
  /** Samples in each bucket of five minutes, as the level itself has them. */
  const rolledUp = async () => {
    const rows = await db.sql<{ at: Date; samples: number }>(
      'SELECT ts AS at, samples FROM host_rollup_5m WHERE server_key = $1 ORDER BY ts',
      [agent.serverKey],
    );
    return rows.map(({ at, samples }) => [at.getTime(), samples]);
  };

  beforeEach(async () => {
    await db.sql('TRUNCATE account, server, host_sample, host_rollup_5m, host_rollup_1h, rollup_progress CASCADE');
    const organisationId = await newAccount(db.storage());
    owner = ownerOf(organisationId);
    agent = await enrolledAgent(db.storage(), organisationId);
  });

  it('leaves the first sample of the bucket that is open to that bucket', async () => {
    await accept(1, NOW - 1, NOW + 100);
    await accept(2, NOW, NOW + 100);
    await rollUp(NOW + MINUTE);
    expect(await rolledUp()).toEqual([[NOW - 5 * MINUTE, 1]]);
    await accept(3, NOW + 5 * MINUTE, NOW + 5 * MINUTE + 100);
    await rollUp(NOW + 6 * MINUTE);
    expect(await rolledUp()).toEqual([
      [NOW - 5 * MINUTE, 1],
      [NOW, 1],
    ]);
  });

  it.each([
    ['newly closed', async () => {}],
    ['changed by late samples', async () => void (await rollUp(NOW))],
  ])('takes the first sample of a bucket and not that of the next one: %s', async (_, before) => {
    const bucket = NOW - HOUR;
    await accept(1, NOW - 2 * HOUR);
    await before();
    const received = NOW + 1000;
    for (const [index, at] of [-1, 0, 5 * MINUTE - 1, 5 * MINUTE].entries())
      await accept(2 + index, bucket + at, received);
    await rollUp(NOW + 10_000);
    expect(await rolledUp()).toEqual([
      [NOW - 2 * HOUR, 1],
      [bucket - 5 * MINUTE, 1],
      [bucket, 2],
      [bucket + 5 * MINUTE, 1],
    ]);
  });

  describe('late samples', () => {
    const late = NOW - 2 * HOUR;
    beforeEach(async () => {
      await accept(1, NOW - 3 * HOUR);
      await rollUp(NOW);
    });

    it('make a bucket that had none, even of a single one', async () => {
      await accept(2, late, NOW + 1000);
      await rollUp(NOW + 10_000);
      expect(await rolledUp()).toEqual([
        [NOW - 3 * HOUR, 1],
        [late, 1],
      ]);
    });

    it('count also when their request was under way while the run before looked', async () => {
      await accept(2, late, NOW - 15_000);
      await rollUp(NOW + 10_000);
      expect(await rolledUp()).toContainEqual([late, 1]);
    });

    it('of a bucket still open wait until it ends', async () => {
      await accept(2, NOW + MINUTE);
      await rollUp(NOW + 5 * MINUTE - 1);
      expect(await rolledUp()).toHaveLength(1);
      await rollUp(NOW + 5 * MINUTE);
      expect(await rolledUp()).toContainEqual([NOW, 1]);
    });
  });

  it('weighs connections by the samples that knew them, as the samples themselves do', async () => {
    const from = NOW - HOUR;
    // One of five knew 100, then five of five knew 10: 150 over six.
    for (let seq = 1; seq <= 10; seq += 1) {
      const parts = seq === 1 ? connections(100) : seq > 5 ? connections(10) : {};
      await accept(seq, from + (seq - 1) * MINUTE, undefined, parts);
    }
    const known = async (serverId: string | null) => {
      const query = { from, to: NOW, bucketSeconds: 600 };
      const series = await db.storage().series.networkSeries(owner, serverId, query);
      return series.map((bucket) => [bucket.at, bucket.count, bucket.connectionsTotal, bucket.connectionsEstablished]);
    };
    for (const state of ['samples', 'rolled up']) {
      for (const serverId of [agent.serverId, null])
        expect([state, await known(serverId)]).toEqual([state, [[from, 10, 25, 25]]]);
      await rollUp(NOW);
    }
  });

  it('weighs small charts by samples as well, and shows nothing of a server of somebody else', async () => {
    const from = NOW - HOUR;
    // CPU is the number of the report: 1, then 6 to 10.
    for (const seq of [1, 6, 7, 8, 9, 10]) await accept(seq, from + (seq - 1) * MINUTE);
    const { serverId } = agent;
    const sparks = (of: Owner) =>
      db.storage().series.sparks(of, [{ serverId, resource: 'cpu' }], { from, to: NOW, bucketSeconds: 600 });
    const stranger = ownerOf(await newAccount(db.storage()));
    for (const _ of ['samples', 'rolled up']) {
      expect(await sparks(owner)).toEqual([{ serverId, at: from, value: expect.closeTo(41 / 6, 5) }]);
      expect(await sparks(stranger)).toEqual([]);
      await rollUp(NOW);
    }
  });

  it('catches up days in steps, and sums every due bucket of the fleet in one run', async () => {
    const days = 3;
    for (let day = days; day > 0; day -= 1) await accept(days - day + 1, NOW - day * DAY);
    // More than one transaction of the fleet's takes.
    await db.sql(
      `INSERT INTO fleet_rollup_due SELECT $1::uuid, '5m', to_timestamp(n * 300) FROM generate_series(1, 1200) n`,
      [owner.organisationId],
    );
    await rollUp(NOW);
    expect(await rolledUp()).toEqual([3, 2, 1].map((day) => [NOW - day * DAY, 1]));
    expect(await db.sql('SELECT 1 FROM fleet_rollup_due WHERE ts < $1', [new Date(NOW)])).toEqual([]);
    const series = await db
      .storage()
      .series.hostSeries(owner, null, { from: NOW - 4 * DAY, to: NOW, bucketSeconds: 300 });
    expect(series.map(({ at, count }) => [at, count])).toEqual(await rolledUp());
  });
});
