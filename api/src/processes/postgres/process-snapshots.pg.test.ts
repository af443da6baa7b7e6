import type { ConnectionPart } from '@plimsoll/contract/wire/connection-part';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import { expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { AlertChange } from '../../alerts/types.ts';
import type { Agent } from '../../servers/types.ts';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const NOW = Math.floor(Date.now() / QUARTER) * QUARTER;
const PAGE = { limit: 100, offset: 0 };

const process = (pid: number, cpu: number | null, memory = 1000 * pid): ProcessPart => ({
  pid,
  name: `p${pid}`,
  command: `/bin/p${pid}`,
  user: 'root',
  status: 'S',
  cpu_percent: cpu,
  memory_percent: 1,
  memory_bytes: memory,
  threads: 1,
  started_at: 1,
});
const opened = (at: number, kind: AlertChange['kind'] = 'opened'): AlertChange => ({
  kind,
  rule: 'cpu',
  metric: 'cpu_usage',
  subject: '',
  level: 'warning',
  title: 'CPU',
  message: 'CPU usage above 80 %',
  value: 91,
  threshold: 80,
  at,
});

describeEachPostgres('snapshots of processes', (db) => {
  const fresh = async () => {
    const organisationId = await newAccount(db.storage());
    const owner = ownerOf(organisationId);
    const agent = await enrolledAgent(db.storage(), organisationId);
    const server = await db.storage().servers.get(owner, agent.serverId);
    if (server === null) throw new Error('the server is not there');
    return { owner, agent, server };
  };
  const accept = (
    agent: Agent,
    seq: number,
    at: number,
    processes: ProcessPart[],
    connections: ConnectionPart[] = [],
  ) => db.storage().reports.accept(batchOf(agent, [itemOf(seq, at, { processes, connections })]));

  it('are the whole list of the newest time at or before a moment, the greediest first', async () => {
    const { agent, server } = await fresh();
    const quarters = [NOW - 3 * QUARTER, NOW - 2 * QUARTER, NOW - QUARTER].map((at) => at + 5000);
    for (const [index, at] of quarters.entries())
      await accept(agent, index + 1, at, [process(10 + index, 1), process(20 + index, null), process(30 + index, 9)]);
    await accept(agent, 4, NOW - 5 * MINUTE, [process(99, 50)]);
    const { processSnapshots } = db.storage();
    const at = async (to: number) => {
      const found = await processSnapshots.newest(server, { from: to - 2 * QUARTER, to });
      return found && [found.sampleAt, found.processes.map(({ pid }) => pid), found.list];
    };
    expect(await at(quarters[1]! + 7 * MINUTE)).toEqual([quarters[1], [31, 11, 21], 'quarter_hour']);
    expect(await at(quarters[1]!)).toEqual([quarters[1], [31, 11, 21], 'quarter_hour']);
    expect(await at(quarters[1]! - 1)).toEqual([quarters[0], [30, 10, 20], 'quarter_hour']);
    expect(await at(NOW)).toEqual([NOW - 5 * MINUTE, [99], 'newest']);
    expect(await at(quarters[0]! - 1)).toBeNull();
    expect(await processSnapshots.newest(server, { from: NOW - MINUTE, to: NOW })).toBeNull();
  });

  it('are found from a moment inside their quarter of an hour on, and rank equal CPU by memory', async () => {
    const { agent, server } = await fresh();
    const at = NOW - 3 * QUARTER + 30_000;
    await accept(agent, 1, at, [process(1, 5, 10), process(2, 5, 30), process(3, 5, 20)]);
    await accept(agent, 2, NOW, [process(9, 1)]);
    const find = (from: number, to: number) => db.storage().processSnapshots.newest(server, { from, to });
    const found = await find(at, at + MINUTE);
    expect(found?.processes.map(({ pid }) => pid)).toEqual([2, 3, 1]);
    expect(await find(at + 1, at + MINUTE)).toBeNull();
  });

  it('hold a process once and are those of one server', async () => {
    const { agent, server } = await fresh();
    const other = await fresh();
    await accept(agent, 1, NOW, [process(1, 5), process(1, 5), process(2, 1)]);
    await accept(other.agent, 1, NOW, [process(7, 5)]);
    const found = await db.storage().processSnapshots.newest(server, { from: NOW, to: NOW });
    expect(found?.processes.map(({ pid }) => pid)).toEqual([1, 2]);
  });

  it('are taken when an alert opens, and not when it goes on or ends', async () => {
    const { agent, server } = await fresh();
    const breach = NOW - QUARTER + 7 * MINUTE;
    const many = Array.from({ length: 30 }, (_, index) => process(index + 1, index));
    await accept(agent, 1, breach, many);
    const { alertStates, processSnapshots } = db.storage();
    expect(await alertStates.save(agent.serverKey, 0, {}, [opened(breach)])).toBe(true);
    await accept(agent, 2, breach + MINUTE, [process(77, 1)]);
    expect(await alertStates.save(agent.serverKey, 1, {}, [opened(breach + MINUTE, 'updated')])).toBe(true);
    await accept(agent, 3, breach + 2 * MINUTE, [process(78, 1)]);
    expect(await alertStates.save(agent.serverKey, 2, {}, [opened(breach + 2 * MINUTE, 'resolved')])).toBe(true);
    await accept(agent, 4, NOW + MINUTE, [process(79, 1)]);
    const range = { from: breach - QUARTER, to: breach + 5 * MINUTE };
    const found = await processSnapshots.newest(server, range);
    expect(found?.sampleAt).toBe(breach);
    expect(found?.processes.map(({ pid }) => pid)).toEqual(Array.from({ length: 20 }, (_, index) => 30 - index));
    expect(await db.sql('SELECT 1 FROM process_quarter WHERE server_key = $1', [agent.serverKey])).toHaveLength(1);
  });

  it('are taken once where two alerts open on the same list, and neither alert is lost', async () => {
    const { owner, agent, server } = await fresh();
    const breach = NOW - QUARTER + 7 * MINUTE;
    await accept(agent, 1, breach, [process(1, 5)]);
    const { alertStates, alerts } = db.storage();
    expect(await alertStates.save(agent.serverKey, 0, {}, [opened(breach)])).toBe(true);
    expect(await alertStates.save(agent.serverKey, 1, {}, [{ ...opened(breach), rule: 'disk' }])).toBe(true);
    expect((await alerts.list(owner, {}, PAGE, NOW)).total).toBe(2);
    expect((await db.storage().processSnapshots.newest(server, { from: breach, to: NOW }))?.sampleAt).toBe(breach);
  });

  it('of an alert on a server that never sent a list leave the alert as it is', async () => {
    const { owner, agent, server } = await fresh();
    expect(await db.storage().alertStates.save(agent.serverKey, 0, {}, [opened(NOW)])).toBe(true);
    expect((await db.storage().alerts.list(owner, {}, PAGE, NOW)).total).toBe(1);
    expect(await db.storage().processSnapshots.newest(server, { from: 0, to: NOW })).toBeNull();
  });
});
