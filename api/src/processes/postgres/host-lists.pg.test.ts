import type { EventPart, ProcessPart } from '@plimsoll/contract/wire/report';
import { expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { connectionTo } from '../../testing/process-lists.ts';
import type { AcceptedItem } from '../../reports/types.ts';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const NOW = Math.floor(Date.now() / QUARTER) * QUARTER;
const PAGE = { limit: 100, offset: 0 };

const process = (pid: number, cpu: number | null, memory = 1000): ProcessPart => ({
  pid,
  name: `p${pid}`,
  command: `/bin/p${pid} "quoted" \\ — ünï`,
  user: 'root',
  status: 'S',
  cpu_percent: cpu,
  memory_percent: 1,
  memory_bytes: memory,
  threads: 1,
  started_at: 1,
});
const event = (id: string, parts: Partial<EventPart> = {}): EventPart => ({
  id,
  event_type: 'service_stop',
  service_name: 'nginx.service',
  process_name: null,
  message: 'nginx.service stopped',
  severity: 'warning',
  ts: 0,
  ...parts,
});

describeEachPostgres('lists of hosts', (db) => {
  const fresh = async () => {
    const organisationId = await newAccount(db.storage());
    return { owner: ownerOf(organisationId), agent: await enrolledAgent(db.storage(), organisationId), organisationId };
  };
  const item = (seq: number, at: number, parts: Partial<AcceptedItem['report']>) => itemOf(seq, at, parts);

  it('rank the processes of the newest report by CPU or memory, page by page', async () => {
    const { owner, agent } = await fresh();
    const old = item(1, NOW - MINUTE, { processes: [process(9, 99)] });
    const processes = [process(1, 5, 900), process(2, null, 5000), process(3, 50, 10), process(4, 5, 901)];
    await db.storage().reports.accept(batchOf(agent, [old, item(2, NOW, { processes })]));
    const { lists } = db.storage();
    const byCpu = await lists.processes(owner, { rank: 'cpu' }, PAGE, NOW + MINUTE);
    expect(byCpu.processes.map(({ pid }) => pid)).toEqual([3, 4, 1, 2]);
    expect(byCpu.processes[0]).toEqual({
      ...process(3, 50, 10),
      serverId: agent.serverId,
      hostname: 'web-1',
      serverCpuCores: null,
      sampleAt: NOW,
    });
    const byMemory = await lists.processes(owner, { rank: 'memory' }, { limit: 2, offset: 1 }, NOW + MINUTE);
    expect(byMemory.processes.map(({ pid }) => pid)).toEqual([4, 1]);
    expect(byMemory.total).toBe(4);
    expect(await lists.processes(owner, { rank: 'cpu' }, { limit: 5, offset: 99 }, NOW + MINUTE)).toEqual({
      processes: [],
      total: 4,
    });
  });

  it('keep the newest list when a late one comes, or one without', async () => {
    const { owner, agent } = await fresh();
    await db.storage().reports.accept(batchOf(agent, [item(2, NOW, { processes: [process(1, 1)] })]));
    await db.storage().reports.accept(batchOf(agent, [item(1, NOW - MINUTE, { processes: [process(9, 1)] })]));
    await db.storage().reports.accept(batchOf(agent, [item(3, NOW + MINUTE, {})]));
    const { processes } = await db.storage().lists.processes(owner, { rank: 'cpu' }, PAGE, NOW + MINUTE);
    expect(processes.map(({ pid, sampleAt }) => [pid, sampleAt])).toEqual([[1, NOW]]);
  });

  it('keep the top 20 of each quarter of an hour, each process once, at its last sight', async () => {
    const { owner, agent } = await fresh();
    const many = Array.from({ length: 30 }, (_, index) => process(index + 1, index));
    const items = [
      item(1, NOW - 4 * QUARTER + 5000, { processes: many }),
      item(2, NOW - 4 * QUARTER + MINUTE + 5000, { processes: [process(77, 1)] }),
      item(3, NOW - 3 * QUARTER + 5000, { processes: [process(30, 3)] }),
    ];
    await db.storage().reports.accept(batchOf(agent, items.toReversed()));
    await db.storage().reports.accept(batchOf(agent, items));
    const range = { from: NOW - 5 * QUARTER, to: NOW };
    const { processes, total } = await db
      .storage()
      .lists.processes(owner, { ...range, rank: 'cpu' }, PAGE, NOW + MINUTE);
    expect(total).toBe(20);
    expect(processes.at(-1)).toMatchObject({ pid: 30, cpu_percent: 3, sampleAt: NOW - 3 * QUARTER + 5000 });
    expect(processes.some(({ pid }) => pid === 77 || pid === 10)).toBe(false);
    const none = { from: NOW - 20 * QUARTER, to: NOW - 10 * QUARTER };
    expect((await db.storage().lists.processes(owner, { ...none, rank: 'cpu' }, PAGE, NOW + MINUTE)).total).toBe(0);
  });

  it('order connections by importance', async () => {
    const { owner, agent } = await fresh();
    const connections = [connectionTo(1, 10), connectionTo(2, 90), connectionTo(3, 50), connectionTo(3, 50)];
    await db.storage().reports.accept(batchOf(agent, [item(1, NOW, { connections })]));
    const found = await db.storage().lists.connections(owner, { serverId: agent.serverId }, PAGE, NOW + MINUTE);
    expect(found.connections.map(({ remote_port: port }) => port)).toEqual([2, 3, 1]);
    expect(found.total).toBe(3);
  });

  it('page over all servers as one server’s list would be, each entry once', async () => {
    const { owner, agent, organisationId } = await fresh();
    const agents = [
      agent,
      await enrolledAgent(db.storage(), organisationId),
      await enrolledAgent(db.storage(), organisationId),
    ];
    for (const [index, one] of agents.entries()) {
      const processes = [1, 2, 3, 3].map((pid) =>
        process(pid, pid === 2 ? null : 10 * pid + index, 1000 * index + pid),
      );
      const connections = [connectionTo(1, 10 + index), connectionTo(3, 50 + index), connectionTo(3, 50 + index)];
      await db.storage().reports.accept(batchOf(one, [item(1, NOW, { processes, connections })]));
    }
    const { lists } = db.storage();
    const byCpu = await lists.processes(owner, { rank: 'cpu' }, PAGE, NOW + MINUTE);
    expect(byCpu.total).toBe(9);
    expect(byCpu.processes.map(({ cpu_percent: cpu }) => cpu)).toEqual([32, 31, 30, 12, 11, 10, null, null, null]);
    expect(byCpu.processes.map(({ serverId }) => agents.findIndex((one) => one.serverId === serverId))).toEqual([
      2, 1, 0, 2, 1, 0, 2, 1, 0,
    ]);
    const byMemory = await lists.processes(owner, { rank: 'memory' }, { limit: 2, offset: 2 }, NOW + MINUTE);
    expect(byMemory.processes.map(({ memory_bytes: bytes }) => bytes)).toEqual([2001, 1003]);
    const connections = await lists.connections(owner, {}, { limit: 4, offset: 0 }, NOW + MINUTE);
    expect(connections.connections.map(({ importance_score: score }) => score)).toEqual([52, 51, 50, 12]);
    expect(connections.total).toBe(6);
    expect(await lists.processes(ownerOf(await newAccount(db.storage())), { rank: 'cpu' }, PAGE, NOW + MINUTE)).toEqual(
      {
        processes: [],
        total: 0,
      },
    );
  });

  it('leave out of the fleet what is offline or uninstalled, and keep its last list under its own name', async () => {
    const { owner, agent, organisationId } = await fresh();
    const fast = await enrolledAgent(db.storage(), organisationId, 'fast');
    const parts = { processes: [process(1, 1)], connections: [connectionTo(1, 10)] };
    await db.storage().reports.accept(batchOf(agent, [item(1, NOW, parts)]));
    await db.storage().reports.accept(batchOf(fast, [item(1, NOW + MINUTE, parts)]));
    const { lists } = db.storage();
    const fleetAt = async (now: number) => {
      const { processes, total } = await lists.processes(owner, { rank: 'cpu' }, PAGE, now);
      const connections = await lists.connections(owner, {}, PAGE, now);
      expect([total, connections.total]).toEqual([processes.length, processes.length]);
      expect(connections.connections).toHaveLength(processes.length);
      return processes.map(({ hostname }) => hostname);
    };
    const received = NOW + 100;
    expect(await fleetAt(received + 3 * MINUTE)).toEqual(['web-1', 'fast']);
    expect(await fleetAt(received + 3 * MINUTE + 1)).toEqual(['fast']);
    expect(await fleetAt(received + 4 * MINUTE + 1)).toEqual([]);
    const own = { serverId: agent.serverId, rank: 'cpu' } as const;
    expect((await lists.processes(owner, own, PAGE, received + 9 * MINUTE)).processes).toMatchObject([
      { sampleAt: NOW },
    ]);
    const range = { from: NOW, to: NOW + MINUTE, rank: 'cpu' } as const;
    expect((await lists.processes(owner, range, PAGE, received + 9 * MINUTE)).total).toBe(1);

    await db.sql('UPDATE server SET uninstalled_at = to_timestamp($2) WHERE key = $1', [
      fast.serverKey,
      (received + MINUTE) / 1000,
    ]);
    expect(await fleetAt(received + 2 * MINUTE)).toEqual(['web-1']);
    await db.storage().reports.accept(batchOf(fast, [item(2, NOW + 2 * MINUTE, parts)]));
    expect(await fleetAt(received + 2 * MINUTE)).toEqual(['web-1', 'fast']);
  });

  it('hold an event once, placed before its report by the clock of the host', async () => {
    const { owner, agent } = await fresh();
    const events = [event('a', { ts: 940 }), event('b', { ts: 99_999, event_type: 'process_start', severity: 'info' })];
    const first = item(1, NOW, { ts: 1000, events });
    const again = item(2, NOW + MINUTE, { ts: 1060, events: [event('a', { ts: 940 })] });
    await db.storage().reports.accept(batchOf(agent, [first]));
    await db.storage().reports.accept(batchOf(agent, [first, again]));
    const all = await db.storage().activity.list(owner, {}, PAGE);
    expect(all.events.map(({ at, event_type: type }) => [at, type])).toEqual([
      [NOW, 'process_start'],
      [NOW - MINUTE, 'service_stop'],
    ]);
    expect(all.events[1]).toMatchObject({
      serverId: agent.serverId,
      hostname: 'web-1',
      message: 'nginx.service stopped',
    });
    const { activity } = db.storage();
    expect((await activity.list(owner, { severity: 'warning', serviceName: 'nginx.service' }, PAGE)).total).toBe(1);
    expect((await activity.list(owner, { eventType: 'process_crash' }, PAGE)).total).toBe(0);
    expect((await activity.list(owner, { from: NOW, to: NOW + 1 }, PAGE)).total).toBe(1);
    expect((await activity.list(owner, { from: NOW - MINUTE, to: NOW }, PAGE)).events).toMatchObject([
      { at: NOW - MINUTE },
    ]);
    expect(await activity.list(owner, {}, { limit: 1, offset: 1 })).toMatchObject({
      total: 2,
      events: [{ severity: 'warning' }],
    });
  });

  it('order events of one moment by their id, so that no page repeats one or loses one', async () => {
    const { owner, agent } = await fresh();
    const events = Array.from({ length: 12 }, (_, index) => event(`e${index}`, { ts: 1000 }));
    await db.storage().reports.accept(batchOf(agent, [item(1, NOW, { ts: 1000, events })]));
    const pages = [0, 5, 10].map((offset) => db.storage().activity.list(owner, {}, { limit: 5, offset }));
    const ids = (await Promise.all(pages)).flatMap((page) => page.events.map(({ id }) => id));
    expect(ids).toHaveLength(events.length);
    expect(ids).toEqual(ids.toSorted());
  });

  it('are empty for a stranger, an unknown id and no id at all', async () => {
    const { agent } = await fresh();
    const parts = { processes: [process(1, 1)], connections: [connectionTo(1, 1)], events: [event('x')] };
    await db.storage().reports.accept(batchOf(agent, [item(1, NOW, parts)]));
    const stranger = ownerOf(await newAccount(db.storage()));
    for (const serverId of [agent.serverId, '00000000-0000-4000-8000-000000000000', 'nonsense']) {
      expect(await db.storage().lists.processes(stranger, { serverId, rank: 'cpu' }, PAGE, NOW + MINUTE)).toEqual({
        processes: [],
        total: 0,
      });
      expect(await db.storage().lists.connections(stranger, { serverId }, PAGE, NOW + MINUTE)).toEqual({
        connections: [],
        total: 0,
      });
      expect(await db.storage().activity.list(stranger, { serverId }, PAGE)).toEqual({
        events: [],
        total: 0,
        folded: 0,
      });
    }
  });

  it('are kept as long as their account wants', async () => {
    const { owner, agent } = await fresh();
    const parts = { processes: [process(1, 1)], events: [event('old', { ts: 1000 })], ts: 1000 };
    await db.storage().reports.accept(batchOf(agent, [item(1, NOW - 2 * 24 * 60 * MINUTE, parts)]));
    const { retention } = db.storage().identity;
    await retention.put(owner, { metrics: 30, alerts: 30, events: 1, processes: 1 });
    expect(await retention.prune(NOW, null)).toMatchObject({ events: 1, process_quarters: 1 });
    expect((await db.storage().activity.list(owner, {}, PAGE)).total).toBe(0);
  });

  it('go with their server', async () => {
    const { owner, agent } = await fresh();
    const parts = { processes: [process(1, 1)], events: [event('x')] };
    await db.storage().reports.accept(batchOf(agent, [item(1, NOW + 1000, parts)]));
    const server = await db.storage().servers.get(owner, agent.serverId);
    if (!server) throw new Error('the server is not there');
    await db.storage().servers.delete(server, NOW);
    for (const table of ['server_list', 'process_quarter', 'activity_event']) {
      expect(await db.sql(`SELECT 1 FROM ${table} WHERE server_key = $1`, [agent.serverKey])).toHaveLength(0);
    }
  });
});
