import type { ProcessPart } from '@plimsoll/contract/wire/report';
import { expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Math.floor(Date.now() / HOUR) * HOUR + 10 * MINUTE;
const START = NOW - 3 * HOUR - 10 * MINUTE;

const process = (pid: number, cpu: number): ProcessPart => ({
  pid,
  name: `p${String(pid)}`,
  command: `/bin/p${String(pid)} "quoted" \\ — ünï`,
  user: 'root',
  status: 'S',
  cpu_percent: cpu,
  memory_percent: 1.25,
  memory_bytes: 1024 * pid,
  threads: 1,
  started_at: 1,
});

describeEachPostgres('the processes of every minute', (db) => {
  const fresh = async () => {
    const owner = ownerOf(await newAccount(db.storage()));
    const agent = await enrolledAgent(db.storage(), owner.organisationId);
    const server = await db.storage().servers.get(owner, agent.serverId);
    if (server === null) throw new Error('the server is not there');
    const accept = (seq: number, at: number, processes: ProcessPart[], window = 60) =>
      db.storage().reports.accept(batchOf(agent, [itemOf(seq, at, { processes, window_seconds: window })]));
    const lists = async (from: number, to: number) =>
      (await db.storage().processMinutes.lists(server, { from, to })).map(({ at, processes }) => ({
        at,
        processes: processes.toSorted((a, b) => a.pid - b.pid),
      }));
    const count = async (table: string) =>
      (await db.sql(`SELECT FROM ${table} WHERE server_key = $1`, [agent.serverKey])).length;
    return { agent, accept, lists, count };
  };

  it('are the same before and after they are packed, and a late list joins its hour', async () => {
    const { accept, lists, count } = await fresh();
    const times = [1, 2, 59, 61, 175].map((minute) => START + minute * MINUTE + 5000);
    for (const [index, at] of times.entries()) await accept(index + 1, at, [process(1, index), process(2, 0.5)]);
    const before = await lists(START, NOW);
    expect(before.map(({ at }) => at)).toEqual(times);
    expect(before[2]?.processes).toEqual([process(1, 2), process(2, 0.5)]);
    await db.storage().processMinutes.pack(NOW);
    expect([await count('process_minute'), await count('process_block')]).toEqual([0, 3]);
    expect(await lists(START, NOW)).toEqual(before);
    expect((await lists(times[1]!, times[2]!)).map(({ at }) => at)).toEqual([times[1], times[2]]);

    await accept(9, START + 30 * MINUTE, [process(7, 1)]);
    await db.storage().processMinutes.pack(NOW);
    expect(await count('process_block')).toBe(3);
    expect((await lists(START, START + HOUR)).map(({ processes }) => processes[0]?.pid)).toEqual([1, 1, 7, 1]);
  });

  it('are all stored when a collector sends several minutes at once', async () => {
    const { agent, lists } = await fresh();
    const minutes = [3, 1, 4, 2];
    const items = minutes.map((minute) =>
      itemOf(minute, START + minute * MINUTE, { processes: [process(minute, 1)], window_seconds: 60 }),
    );
    await db.storage().reports.accept(batchOf(agent, items));
    const stored = await lists(START, NOW);
    expect(stored.map(({ processes }) => processes)).toEqual([1, 2, 3, 4].map((minute) => [process(minute, 1)]));
    expect(stored.map(({ at }) => at)).toEqual([1, 2, 3, 4].map((minute) => START + minute * MINUTE));
  });

  it('stay unpacked while their hour is open', async () => {
    const { accept, count } = await fresh();
    await accept(1, NOW - 5 * MINUTE, [process(1, 1)]);
    await db.storage().processMinutes.pack(NOW);
    expect([await count('process_minute'), await count('process_block')]).toEqual([1, 0]);
  });

  it('are the top ten by CPU and by memory, once a minute, and never twice', async () => {
    const { accept, lists } = await fresh();
    const many = Array.from({ length: 40 }, (_, index) => process(index + 1, 100 - index));
    await accept(1, NOW - 5 * MINUTE, many);
    await accept(1, NOW - 5 * MINUTE, many);
    for (const [index, seconds] of [5, 10, 15].entries())
      await accept(index + 2, NOW - 4 * MINUTE + seconds * 1000 - 1000, [process(1, 1)], 5);
    const found = await lists(NOW - HOUR, NOW);
    expect(found.map(({ at, processes }) => [at - NOW, processes.length])).toEqual([
      [-5 * MINUTE, 20],
      [-4 * MINUTE + 4000, 1],
    ]);
  });

  it('go with their server', async () => {
    const { agent, accept, count } = await fresh();
    await accept(1, START, [process(1, 1)]);
    await db.storage().processMinutes.pack(NOW);
    await accept(2, NOW, [process(1, 1)]);
    await db.sql('DELETE FROM server WHERE key = $1', [agent.serverKey]);
    await db.storage().processMinutes.pack(NOW + 2 * HOUR);
    expect(await count('process_minute')).toBe(0);
    expect(await count('process_block')).toBe(1);
  });
});
