import { beforeEach, expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import * as kube from '../../testing/kubernetes.ts';
import type { Agent } from '../../servers/types.ts';
import { type OrganisationId, organisationIdOf } from '../../tenancy/ids.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = kube.NOW;
/** A value that the constraints of these tests refuse, as a defect in a sum would. */
const POISON = 66;

describeEachPostgres('a bucket that a rollup fails on', (db) => {
  let owners: Owner[];
  let agents: Agent[];
  let organisationIds: OrganisationId[];

  const send = async (agent: Agent, seq: number, at: number, cpu: number): Promise<void> => {
    const item = itemOf(seq, at);
    if (item.report.cpu) item.report.cpu.percent = cpu;
    await db.storage().reports.accept(batchOf(agent, [item], { receivedAt: at }));
  };
  const breakTable = (table: string, column: string) =>
    db.sql(`ALTER TABLE ${table} ADD CONSTRAINT poison CHECK (${column} IS DISTINCT FROM ${String(POISON)}) NOT VALID`);
  const repairTable = (table: string) => db.sql(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS poison`);
  const rollUp = (now: number) => db.storage().rollups.rollUp(now);
  const ofOwner = (index: number) => db.storage().setAside.ofOwner(owners[index] ?? ownerOf(organisationIdOf('')));
  /** Buckets that are due by then. One that waits for a wider one, of a week at most, is due when that closes. */
  const dueBefore = (at: number, level: string) =>
    db.sql('SELECT 1 FROM fleet_rollup_due WHERE level = $2 AND ts < $1', [new Date(at), level]);
  const cpuOf = async (index: number): Promise<(number | null)[]> => {
    const query = { from: NOW - HOUR, to: NOW, bucketSeconds: 300 };
    const series = await db.storage().series.hostSeries(owners[index] ?? ownerOf(organisationIdOf('')), null, query);
    return series.map(({ cpuPercent }) => cpuPercent.avg);
  };

  beforeEach(async () => {
    for (const table of ['host_rollup_5m', 'fleet_rollup', 'kube_rollup_5m']) await repairTable(table);
    await db.sql(`TRUNCATE account, server, cluster, host_sample, host_rollup_5m, host_rollup_1h, rollup_progress,
      rollup_set_aside, kube_sample, kube_rollup_5m CASCADE`);
    organisationIds = [await newAccount(db.storage()), await newAccount(db.storage())];
    owners = organisationIds.map((id) => ownerOf(id));
    agents = [];
    for (const id of organisationIds) agents.push(await enrolledAgent(db.storage(), id));
    for (const [index, agent] of agents.entries())
      for (const [seq, ago] of [50, 40, 30].entries())
        await send(agent, seq + 1, NOW - ago * MINUTE, index === 0 && ago === 40 ? POISON : 10);
  });

  it('of a fleet names its account and bucket, and lets all others through', async () => {
    await breakTable('fleet_rollup', 'cpu_avg');
    expect(await rollUp(NOW)).toBeGreaterThan(0);
    const [only, ...more] = await ofOwner(0);
    expect(more).toEqual([]);
    expect(only).toMatchObject({
      organisationId: organisationIds[0],
      level: 'fleet-5m',
      subject: null,
      at: NOW - 40 * MINUTE,
      attempts: 1,
      failedAt: NOW,
      retryAt: NOW + MINUTE,
    });
    expect(only?.error).toMatch(/^23514 .*poison/);
    expect(await ofOwner(1)).toEqual([]);
    expect(await dueBefore(NOW, '5m')).toHaveLength(1);
    expect(await cpuOf(0)).toEqual([10, POISON, 10]);
    expect(await cpuOf(1)).toEqual([10, 10, 10]);
    expect(await db.storage().setAside.count()).toEqual(new Map([['fleet-5m', 1]]));
    expect(await db.storage().setAside.since(NOW)).toEqual([only]);
    expect(await db.storage().setAside.since(NOW + 1)).toEqual([]);
  });

  it('of a fleet waits longer each time it fails, up to six hours, and is repaired when that is possible', async () => {
    await breakTable('fleet_rollup', 'cpu_avg');
    await rollUp(NOW);
    await rollUp(NOW + MINUTE - 1);
    expect((await ofOwner(0))[0]?.attempts).toBe(1);
    const waits: number[] = [];
    for (let now = NOW + MINUTE; waits.length < 10;) {
      await rollUp(now);
      const retry = (await ofOwner(0))[0]?.retryAt ?? 0;
      waits.push((retry - now) / MINUTE);
      now = retry;
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
    await repairTable('fleet_rollup');
    const later = NOW + 50 * HOUR;
    await rollUp(later);
    expect(await ofOwner(0)).toEqual([]);
    for (const level of ['5m', '1h']) expect(await dueBefore(later, level)).toEqual([]);
  });

  it('of a server is left out of its level, which goes on, and filled in when it is repaired', async () => {
    await breakTable('host_rollup_5m', 'cpu_avg');
    expect(await rollUp(NOW)).toBeGreaterThan(0);
    expect(await ofOwner(0)).toMatchObject([
      {
        organisationId: organisationIds[0],
        level: '5m',
        subject: agents[0]?.serverId,
        at: NOW - 40 * MINUTE,
        attempts: 1,
      },
    ]);
    expect(await ofOwner(1)).toEqual([]);
    expect(await cpuOf(0)).toEqual([10, 10]);
    expect(await cpuOf(1)).toEqual([10, 10, 10]);
    await rollUp(NOW + 10_000);
    expect((await ofOwner(0))[0]?.attempts).toBe(1);
    await rollUp(NOW + MINUTE);
    expect((await ofOwner(0))[0]?.attempts).toBe(2);
    await repairTable('host_rollup_5m');
    await rollUp(NOW + HOUR);
    expect(await ofOwner(0)).toEqual([]);
    expect(await cpuOf(0)).toEqual([10, POISON, 10]);
  });

  it('is set aside no more when its server is gone', async () => {
    await breakTable('host_rollup_5m', 'cpu_avg');
    await rollUp(NOW);
    const server = await db
      .storage()
      .servers.get(owners[0] ?? ownerOf(organisationIdOf('')), agents[0]?.serverId ?? '');
    if (server) await db.storage().servers.delete(server, NOW);
    await rollUp(NOW + HOUR);
    expect(await db.sql('SELECT 1 FROM rollup_set_aside')).toEqual([]);
  });

  it('of a node is left out, and filled in when it is repaired', async () => {
    const organisationId = organisationIds[0] ?? organisationIdOf('');
    const cluster = await kube.testCluster(db.storage(), organisationId, 'uid-of-cluster');
    const nodes = ['node-1', 'node-2'].map((name) => kube.nodeObject(name));
    await cluster.write(kube.listing({ nodes }));
    const usage = nodes.map(({ name }, index) => ({
      node_name: name,
      measured_at: kube.SECONDS - 600,
      window_seconds: 30,
      cpu_cores: index === 0 ? POISON : 1,
      memory_working_set_bytes: 1,
      pods: [],
    }));
    await cluster.write(kube.item({ usage }));
    await breakTable('kube_rollup_5m', 'node_cpu_avg');
    const { upkeep } = db.storage().kubernetes;
    expect(await upkeep.rollup(NOW)).toBe(1);
    expect(await ofOwner(0)).toMatchObject([
      { organisationId, level: 'kubernetes-5m', subject: 'node-1', attempts: 1 },
    ]);
    expect(await upkeep.rollup(NOW + 10_000)).toBe(0);
    await repairTable('kube_rollup_5m');
    expect(await upkeep.rollup(NOW + MINUTE)).toBe(1);
    expect(await ofOwner(0)).toEqual([]);
    expect(await db.sql('SELECT 1 FROM kube_rollup_5m')).toHaveLength(2);
  });

  it('is no excuse for an error of the whole database', async () => {
    await db.sql('ALTER TABLE fleet_rollup RENAME TO fleet_rollup_away');
    await expect(rollUp(NOW)).rejects.toThrow('fleet_rollup');
    await db.sql('ALTER TABLE fleet_rollup_away RENAME TO fleet_rollup');
    expect(await db.storage().setAside.count()).toEqual(new Map());
  });
});
