import { PROCESS_HISTORY } from '@plimsoll/contract/rules/limits';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import * as fc from 'fast-check';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { Page } from '../../page.ts';
import { createProcessQuarters } from './process-quarters.ts';
import { topListSnapshots } from './process-snapshots.ts';
import { founderOf } from '../../tenancy/ids.ts';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BLOCK = PROCESS_HISTORY.blockSeconds * 1000;
const START = Math.floor(Date.now() / BLOCK) * BLOCK - 4 * BLOCK;
const NOW = START + 4 * BLOCK;
const SERVERS = 2;

const process = (pid: number, cpu: number | null, memory: number, restarts = 0): ProcessPart => ({
  pid,
  name: `p${String(pid)}`,
  command: `/bin/p${String(pid)} "quoted" \\ — ünï`,
  user: 'root',
  status: 'S',
  cpu_percent: cpu,
  memory_percent: 100 / 3,
  memory_bytes: memory,
  threads: null,
  started_at: 1_790_000_000.25 + restarts,
});

/** One step of a history. */
type Step =
  | { do: 'report'; server: number; at: number; window: number; processes: ProcessPart[] }
  | { do: 'replay'; report: number }
  | { do: 'alert'; server: number }
  /** A row of a version before process_quarter. */
  | { do: 'old row'; server: number; slot: number; delay: number; processes: ProcessPart[] }
  | { do: 'prune'; now: number }
  | { do: 'pack'; now: number };

const anyServer = fc.nat(SERVERS - 1);
const anyProcesses = fc.array(
  fc
    .record({ pid: fc.nat(30), cpu: fc.option(fc.constantFrom(0, 0.3, 12.5)), memory: fc.nat(3), restarts: fc.nat(1) })
    .map(({ pid, cpu, memory, restarts }) => process(pid, cpu, memory * 1001, restarts)),
  { maxLength: 25 },
);
/** Most near the start of a quarter of an hour, some of them exactly there, and several of one quarter. */
const anyDelay = fc.oneof(fc.constant(0), fc.nat(59_999), fc.nat(59_999), fc.nat(QUARTER - 1));
/** Few, so that some reports are of one quarter, and some about the ends of windows. */
const anySlot = fc.constantFrom(0, 1, 22, 23, 24, 47, 48).map((quarter) => START + quarter * QUARTER);
const anyReport: fc.Arbitrary<Step> = fc
  .record({
    server: anyServer,
    slot: anySlot,
    delay: anyDelay,
    window: fc.constantFrom(5, 60),
    processes: anyProcesses,
  })
  .map(({ slot, delay, ...rest }) => ({ do: 'report', ...rest, at: slot + delay }));
const anyMoment = fc.nat(NOW - START).map((after) => START + after);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: anyReport },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replay' as const), report: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('alert' as const), server: anyServer }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('old row' as const),
      server: anyServer,
      slot: anySlot,
      delay: anyDelay,
      processes: anyProcesses,
    }),
  },
  // A day after the moment, as accounts keep lists for a day here.
  { weight: 2, arbitrary: anyMoment.map((moment) => ({ do: 'prune' as const, now: moment + DAY })) },
);
const anyPacking: fc.Arbitrary<Step> = fc
  .nat(NOW + BLOCK - START)
  .map((after) => ({ do: 'pack' as const, now: START + after }));
const anyHistory = fc.array(fc.oneof({ weight: 3, arbitrary: anyStep }, { weight: 1, arbitrary: anyPacking }), {
  minLength: 4,
  maxLength: 25,
});
interface Question {
  from: number;
  length: number;
  rank: 'cpu' | 'memory';
  page: Page;
}
const anyQuestion: fc.Arbitrary<Question> = fc.record({
  from: anyMoment,
  length: fc.nat(8 * HOUR),
  rank: fc.constantFrom('cpu' as const, 'memory' as const),
  page: fc.record({ limit: fc.integer({ min: 1, max: 30 }), offset: fc.nat(10) }),
});

describeEachPostgres('the processes of every quarter of an hour', (db) => {
  let pool: Pool;
  beforeAll(() => {
    pool = new Pool({ ...db.connection(), max: 2 });
  });
  afterEach(() => db.sql('TRUNCATE process_quarter, process_quarter_block, server_list_history, retention_setting'));
  afterAll(() => pool.end());
  const count = async (table: string) => (await db.sql(`SELECT FROM ${table}`)).length;
  /** An account, as `play` and `answers` use it. */
  const fresh = async () => {
    const owner = ownerOf(await newAccount(db.storage()));
    await db.storage().identity.retention.put(owner, { metrics: 30, alerts: 30, events: 30, processes: 1 });
    const agents = [];
    for (let server = 0; server < SERVERS; server += 1)
      agents.push(await enrolledAgent(db.storage(), owner.organisationId, `host-${String(server)}`));
    return { owner, agents, seq: 0 };
  };
  type Fleet = Awaited<ReturnType<typeof fresh>>;

  const INSERT_OLD = `INSERT INTO server_list_history SELECT to_timestamp($1::float8 / 1000), $2, 'processes', to_timestamp($3::float8 / 1000), $4
    WHERE NOT EXISTS (SELECT FROM process_quarter WHERE server_key = $2 AND ts = to_timestamp($1::float8 / 1000)) ON CONFLICT DO NOTHING`;
  const play = async (fleet: Fleet, history: readonly Step[]): Promise<void> => {
    const { agents } = fleet;
    const sent: (() => Promise<unknown>)[] = [];
    for (const step of history)
      if (step.do === 'report') {
        const agent = agents[step.server]!;
        fleet.seq += 1;
        const item = itemOf(fleet.seq, step.at, { processes: step.processes, window_seconds: step.window });
        const send = () => db.storage().reports.accept(batchOf(agent, [item]));
        sent.push(send);
        await send();
      } else if (step.do === 'replay') await sent[step.report]?.();
      else if (step.do === 'alert')
        await db.transaction((client) => topListSnapshots.take(client, agents[step.server]!.serverKey));
      else if (step.do === 'old row')
        await db.sql(INSERT_OLD, [
          step.slot,
          agents[step.server]!.serverKey,
          step.slot + step.delay,
          JSON.stringify(step.processes),
        ]);
      else if (step.do === 'prune') await db.storage().identity.retention.prune(step.now, null);
      else await createProcessQuarters({ pool }).pack(step.now);
  };

  /** Everything that anyone can ask about the lists; servers go by their names. */
  const answers = async ({ owner, agents }: Fleet, questions: readonly Question[]): Promise<unknown[]> => {
    const { lists, processSnapshots, servers, identity } = db.storage();
    const given: unknown[] = [];
    const named = (text: unknown): unknown =>
      JSON.parse(
        agents.reduce(
          (all, { serverId }, index) => all.replaceAll(serverId, `server ${String(index)}`),
          JSON.stringify(text),
        ),
      );
    for (const { from, length, rank, page } of questions) {
      const range = { from, to: from + length };
      const serverId = agents[0]!.serverId;
      for (const filter of [range, { ...range, serverId }, { from }, { to: range.to }])
        given.push(named(await lists.processes(owner, { ...filter, rank }, page, NOW)));
      for (const agent of agents) {
        const server = await servers.get(owner, agent.serverId);
        if (server === null) throw new Error('the server is not there');
        given.push(await processSnapshots.newest(server, range));
        given.push(await processSnapshots.next(server, range));
        given.push(await processSnapshots.lists(server, range));
      }
    }
    for await (const row of identity.export.rows(
      { owner: owner, personId: founderOf(owner.organisationId) },
      'list_history',
    ))
      given.push(named(row));
    return given;
  };

  it('are the same for every reader whenever they are packed', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyHistory,
        fc.array(anyQuestion, { minLength: 1, maxLength: 3 }),
        async (history, questions) => {
          const [unpacked, packed] = [await fresh(), await fresh()];
          await play(
            unpacked,
            history.filter((step) => step.do !== 'pack'),
          );
          const expected = await answers(unpacked, questions);
          await play(packed, history);
          expect(await answers(packed, questions)).toEqual(expected);
          await createProcessQuarters({ pool }).pack(NOW + BLOCK);
          expect(await count('process_quarter')).toBe(0);
          expect(await answers(packed, questions)).toEqual(expected);
          await db.sql('TRUNCATE process_quarter, process_quarter_block, server_list_history, retention_setting');
        },
      ),
      { numRuns: 20 },
    );
  });

  it('are one row of each server and six hours, late lists and those of an older version included', async () => {
    const fleet = await fresh();
    const [agent] = fleet.agents;
    const of = (table: string) =>
      db.sql(`SELECT * FROM ${table} WHERE server_key = $1 ORDER BY ts`, [agent!.serverKey]);
    const counts = async () =>
      Promise.all(
        ['server_list_history', 'process_quarter', 'process_quarter_block'].map(async (t) => (await of(t)).length),
      );
    const report = (slot: number): Step => ({
      do: 'report',
      server: 0,
      at: START + slot * QUARTER,
      window: 60,
      processes: [process(slot, 1, 1)],
    });
    const old = (slot: number): Step => ({
      do: 'old row',
      server: 0,
      slot: START + slot * QUARTER,
      delay: 0,
      processes: [process(slot, 1, 1)],
    });
    await play(fleet, [report(0), report(23), report(24), old(1), old(25), old(60)]);
    expect(await counts()).toEqual([3, 3, 0]);
    await play(fleet, [{ do: 'pack', now: START + BLOCK + MINUTE }]);
    expect(await counts()).toEqual([3, 3, 0]);
    await play(fleet, [{ do: 'pack', now: START + BLOCK + 2 * MINUTE }]);
    expect(await counts()).toEqual([2, 1, 1]);
    await play(fleet, [
      { ...report(2) },
      { do: 'alert', server: 0 },
      { do: 'pack', now: START + 2 * BLOCK + 2 * MINUTE },
    ]);
    expect(await counts()).toEqual([1, 0, 2]);
    await play(fleet, [{ do: 'pack', now: NOW }]);
    expect(await counts()).toEqual([0, 0, 3]);
    expect((await of('process_quarter_block')).map(({ lists }) => lists as number)).toEqual([4, 2, 1]);
    const server = await db.storage().servers.get(fleet.owner, agent!.serverId);
    const lists = await db.storage().processSnapshots.lists(server!, { from: START, to: NOW });
    expect(lists.map(({ at, processes }) => [(at - START) / QUARTER, processes[0]?.pid])).toEqual(
      [0, 1, 2, 23, 24, 25, 60].map((slot) => [slot, slot]),
    );
  });

  it('are those of the first list of their quarter, also while a later one waits to be merged', async () => {
    const fleet = await fresh();
    const [agent] = fleet.agents;
    const server = await db.storage().servers.get(fleet.owner, agent!.serverId);
    const report = (slot: number, seconds: number, pid: number): Step => {
      const at = START + slot * QUARTER + seconds * 1000;
      return { do: 'report', server: 0, at, window: 60, processes: [process(pid, 1, 1)] };
    };
    await play(fleet, [report(0, 5, 1), report(1, 5, 3), { do: 'pack', now: NOW }, report(0, 30, 2)]);
    expect(await count('process_quarter')).toBe(1);
    const range = { from: START, to: START + QUARTER };
    const { lists, processSnapshots, identity } = db.storage();
    const pids = (of: readonly ProcessPart[] | undefined) => of?.map(({ pid }) => pid);
    expect(pids((await processSnapshots.newest(server!, range))?.processes)).toEqual([1]);
    expect((await processSnapshots.lists(server!, range)).map(({ processes }) => pids(processes))).toEqual([[1]]);
    expect(await processSnapshots.next(server!, { ...range, from: START + 6000 })).toBeNull();
    const ranked = await lists.processes(fleet.owner, { ...range, rank: 'cpu' }, { limit: 9, offset: 0 }, NOW);
    expect([pids(ranked.processes), ranked.total]).toEqual([[1], 1]);
    const exported: unknown[] = [];
    for await (const row of identity.export.rows(
      { owner: fleet.owner, personId: founderOf(fleet.owner.organisationId) },
      'list_history',
    ))
      exported.push(row);
    const slot = (index: number) => new Date(START + index * QUARTER).toISOString();
    expect(exported).toMatchObject([
      { ts: slot(0).replace('.000Z', '+00:00'), kind: 'processes', entries: [{ pid: 1 }], server_id: agent!.serverId },
      { ts: slot(1).replace('.000Z', '+00:00'), kind: 'processes', entries: [{ pid: 3 }] },
    ]);
  });

  it('are kept as long as their account wants, and not six hours longer', async () => {
    const fleet = await fresh();
    const server = await db.storage().servers.get(fleet.owner, fleet.agents[0]!.serverId);
    const slots = async () =>
      (await db.storage().processSnapshots.lists(server!, { from: START, to: NOW })).map(
        ({ at }) => (at - START) / QUARTER,
      );
    const reports = [0, 10, 11, 23].map((slot): Step => {
      const processes = [process(1, 1, 1)];
      return { do: 'report', server: 0, at: START + slot * QUARTER, window: 60, processes };
    });
    await play(fleet, [...reports, { do: 'pack', now: NOW }, { do: 'prune', now: START + 11 * QUARTER + DAY }]);
    expect(await slots()).toEqual([11, 23]);
    await play(fleet, [{ do: 'prune', now: START + 23 * QUARTER + DAY + 1 }]);
    expect(await slots()).toEqual([]);
    expect(await count('process_quarter_block')).toBe(0);
  });

  it('go with their server, whose block is not written again', async () => {
    const fleet = await fresh();
    const [agent] = fleet.agents;
    const rows = async () =>
      (await db.sql('SELECT FROM process_quarter_block WHERE server_key = $1', [agent!.serverKey])).length;
    const report: Step = { do: 'report', server: 0, at: START, window: 60, processes: [process(1, 1, 1)] };
    await play(fleet, [report, { do: 'pack', now: NOW }]);
    expect(await rows()).toBe(1);
    await play(fleet, [{ ...report, at: START + QUARTER }]);
    const server = await db.storage().servers.get(fleet.owner, agent!.serverId);
    await db.storage().servers.delete(server!, NOW);
    expect([await rows(), await count('process_quarter')]).toEqual([0, 0]);
    await db.sql("INSERT INTO process_quarter VALUES (to_timestamp($1), $2, now(), '[]')", [
      START / 1000,
      agent!.serverKey,
    ]);
    await play(fleet, [{ do: 'pack', now: NOW }]);
    expect([await rows(), await count('process_quarter')]).toEqual([0, 0]);
  });
});
