import { beforeEach, expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { SeriesBucket } from '../types.ts';
import type { Agent } from '../../servers/types.ts';
import { founderOf, type OrganisationId } from '../../tenancy/ids.ts';
import { purgeAccount } from '../../accounts/settings/purge-account.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const START = NOW - 4 * HOUR;
const WIDTHS = [60, 120, 300, 600, 900, 1800, 3600, 7200];

const shown = ({ at, count, servers, cpuPercent: { avg }, tops }: SeriesBucket) => ({
  at,
  count,
  servers,
  avg,
  top: tops?.['cpu'] ?? undefined,
});

/** CPU of a server in per cent, one sample a minute in [from, to). */
interface Load {
  agent: Agent;
  cpu: number;
  from: number;
  to: number;
}

describeEachPostgres('figures of a fleet', (db) => {
  let owner: Owner;
  let other: Owner;

  const send = async ({ agent, cpu, from, to }: Load, receivedAt?: number): Promise<void> => {
    const items = Array.from({ length: (to - from) / MINUTE }, (_, index) => {
      const at = from + index * MINUTE;
      const item = itemOf((at - START) / MINUTE + 1, at);
      if (item.report.cpu) item.report.cpu.percent = cpu;
      return item;
    });
    await db.storage().reports.accept(batchOf(agent, items, receivedAt === undefined ? {} : { receivedAt }));
  };
  /** Each load is constant, so the mean of a bucket is the mean over the loads that are in it. */
  const expectLoads = async (of: Owner, loads: Load[]): Promise<void> => {
    for (const seconds of WIDTHS) {
      const length = seconds * 1000;
      const wanted: { at: number; count: number; servers: number; avg: number; top: number | undefined }[] = [];
      for (let at = Math.floor(START / length) * length; at < NOW; at += length) {
        const there = loads.filter(({ from, to }) => from < at + length && to > at);
        if (there.length === 0) continue;
        const samples = there.map(({ from, to }) => (Math.min(to, at + length) - Math.max(from, at)) / MINUTE);
        const avg = there.reduce((sum, { cpu }) => sum + cpu, 0) / there.length;
        const top = there.toSorted((a, b) => b.cpu - a.cpu)[0]?.agent.serverKey;
        wanted.push({ at, count: samples.reduce((a, b) => a + b, 0), servers: there.length, avg, top });
      }
      const query = { from: START, to: NOW, bucketSeconds: seconds };
      const series = await db.storage().series.hostSeries(of, null, query);
      expect(series.map(shown)).toEqual(wanted);
      // The same servers by their keys: summed, not read.
      const within = loads.map(({ agent }) => agent.serverKey);
      const summed = await db.storage().series.hostSeries(of, null, { ...query, within });
      expect(summed.map(shown)).toEqual(wanted);
    }
  };
  const rollUp = () => db.storage().rollups.rollUp(NOW);
  /** Without the buckets that wait until a wider one closes. */
  const countDue = async () => (await db.sql('SELECT 1 FROM fleet_rollup_due WHERE ts < $1', [new Date(NOW)])).length;

  beforeEach(async () => {
    await db.sql('TRUNCATE account, server, host_sample, host_rollup_5m, host_rollup_1h, rollup_progress CASCADE');
    owner = ownerOf(await newAccount(db.storage()));
    other = ownerOf(await newAccount(db.storage()));
  });
  const twoServers = async (): Promise<[Load, Load]> => {
    const [a, b] = [
      await enrolledAgent(db.storage(), owner.organisationId, 'a'),
      await enrolledAgent(db.storage(), owner.organisationId, 'b'),
    ];
    const loads: [Load, Load] = [
      { agent: a, cpu: 10, from: START, to: NOW },
      { agent: b, cpu: 30, from: NOW - 90 * MINUTE, to: NOW - 20 * MINUTE },
    ];
    for (const load of loads) await send(load);
    return loads;
  };

  it('are read ready-made, and are those of the servers', async () => {
    const loads = await twoServers();
    await expectLoads(owner, loads);
    await rollUp();
    expect(await countDue()).toBe(0);
    await expectLoads(owner, loads);
    await db.sql('UPDATE fleet_rollup SET cpu_avg = 77');
    const series = await db.storage().series.hostSeries(owner, null, { from: START, to: NOW, bucketSeconds: 300 });
    expect(new Set(series.map(({ cpuPercent }) => cpuPercent.avg))).toEqual(new Set([77]));
  });

  it('follow a server to its new owner, before they are summed again and after', async () => {
    const [a, b] = await twoServers();
    await rollUp();
    expect(await db.storage().servers.transfer(b.agent, other.organisationId)).toBe(true);
    for (const _ of ['due', 'summed']) {
      await expectLoads(owner, [a]);
      await expectLoads(other, [b]);
      await rollUp();
    }
    expect(await countDue()).toBe(0);
  });

  it('lose a deleted server', async () => {
    const [a, b] = await twoServers();
    await rollUp();
    const found = await db.storage().servers.get(owner, a.agent.serverId);
    if (found) await db.storage().servers.delete(found, NOW);
    expect(await countDue()).toBeGreaterThan(0);
    for (const _ of ['due', 'summed']) {
      await expectLoads(owner, [b]);
      await rollUp();
    }
  });

  it('of a wide bucket are there when it closes, also where nothing came until then', async () => {
    const agent = await enrolledAgent(db.storage(), owner.organisationId);
    const load: Load = { agent, cpu: 20, from: START, to: START + 10 * MINUTE };
    await send(load);
    await db.storage().rollups.rollUp(START + 15 * MINUTE);
    await rollUp();
    await expectLoads(owner, [load]);
    expect(await countDue()).toBe(0);
  });

  it('take in late samples with the next run', async () => {
    const [a, b] = await twoServers();
    await rollUp();
    const late: Load = { agent: b.agent, cpu: 30, from: NOW - 200 * MINUTE, to: NOW - 90 * MINUTE };
    await send(late, NOW + MINUTE);
    expect(await rollUp()).toBeGreaterThan(0);
    await expectLoads(owner, [a, { ...b, from: late.from }]);
    expect(await rollUp()).toBe(0);
  });

  it('of a scope are summed once, and again where a late sample arrived', async () => {
    const [, b] = await twoServers();
    await rollUp();
    const query = { from: START, to: NOW, bucketSeconds: 300, within: [b.agent.serverKey] };
    const means = async () =>
      (await db.storage().series.hostSeries(owner, null, query)).map(({ cpuPercent }) => cpuPercent.avg);
    const first = await means();
    expect(first).toEqual(first.map(() => 30));
    await db.sql('UPDATE host_rollup_5m SET cpu_avg = 77');
    expect(await means()).toEqual(first);
    await send({ agent: b.agent, cpu: 50, from: NOW - 200 * MINUTE, to: NOW - 195 * MINUTE }, NOW + MINUTE);
    await rollUp();
    expect(await means()).toEqual([50, ...first]);
  });

  it('of what enrolled before there was an account pass to the first one', async () => {
    await db.sql('TRUNCATE account CASCADE');
    const agent = await enrolledAgent(db.storage(), null as unknown as OrganisationId);
    const load: Load = { agent, cpu: 40, from: START, to: NOW };
    await send(load);
    await rollUp();
    owner = ownerOf(await newAccount(db.storage()));
    expect(await countDue()).toBeGreaterThan(0);
    await expectLoads(owner, [load]);
    await rollUp();
    await expectLoads(owner, [load]);
  });

  it('are pruned: minutes after two days, and with the account', async () => {
    await twoServers();
    await rollUp();
    const steps = async () =>
      (await db.sql<{ step: number }>('SELECT DISTINCT step_seconds AS step FROM fleet_rollup ORDER BY 1')).map(
        ({ step }) => step,
      );
    expect((await steps())[0]).toBe(60);
    expect(await db.storage().maintenance.prune(NOW + 50 * HOUR)).toMatchObject({ fleet_rollup: 240 + 120 });
    expect((await steps())[0]).toBe(300);
    await purgeAccount(db.storage(), founderOf(owner.organisationId), NOW);
    expect(await steps()).toEqual([]);
  });
});
