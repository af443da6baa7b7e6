import type { ConnectionPart } from '@plimsoll/contract/wire/connection-part';
import type { EventPart, ProcessPart } from '@plimsoll/contract/wire/report';
import { expect, it } from 'vitest';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { AcceptedBatch } from '../types.ts';
import type { Agent } from '../../servers/types.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
/** The first minute of a quarter of an hour, for which the top of the lists goes into history too. */
const NOW = Math.floor(Date.now() / QUARTER) * QUARTER;

const process = (pid: number): ProcessPart => ({
  pid,
  name: `p${pid}`,
  command: `/bin/p${pid} "quoted" \\ — ünï`,
  user: 'root',
  status: 'S',
  cpu_percent: pid % 2 === 0 ? null : pid,
  memory_percent: 1,
  memory_bytes: pid * 1000,
  threads: 1,
  started_at: 1,
});
const connection: ConnectionPart = {
  remote_ip: '203.0.113.0',
  remote_port: 4000,
  local_port: 443,
  protocol: 'tcp',
  family: 'ipv4',
  state: 'ESTABLISHED',
  pid: -1,
  importance_score: 7,
};
const event: EventPart = {
  id: 'stop-1',
  event_type: 'service_stop',
  service_name: 'nginx.service',
  process_name: null,
  message: 'nginx.service stopped',
  severity: 'warning',
  ts: 0,
};
const lists = { processes: [process(1), process(2)], connections: [connection, connection] };
const later = itemOf(2, NOW + 7 * MINUTE);

/** Sequences that a server may send, the outcome last. Several servers send each at once. */
const SITUATIONS: Record<string, { sends: ((agent: Agent) => AcceptedBatch)[]; outcome: string }> = {
  'one report': { sends: [(agent) => batchOf(agent, [later])], outcome: 'stored' },
  'a report with lists': { sends: [(agent) => batchOf(agent, [itemOf(3, NOW, lists)])], outcome: 'stored' },
  'lists, without their history': {
    sends: [(agent) => batchOf(agent, [itemOf(3, NOW + 2 * MINUTE, lists)])],
    outcome: 'stored',
  },
  'four reports, one of them with events, and losses': {
    sends: [
      (agent) =>
        batchOf(agent, [itemOf(1, NOW), later, itemOf(3, NOW + MINUTE, { events: [event] }), itemOf(9, NOW + 4)], {
          dropped: [{ from: 4, to: 5, n: 2, why: 'age' }],
          rejected: [{ seq: 6, code: 'invalid_item' }],
          clockSkewSeconds: 3,
        }),
    ],
    outcome: 'stored',
  },
  'a replay': {
    sends: [(agent) => batchOf(agent, [later]), (agent) => batchOf(agent, [later])],
    outcome: 'stored',
  },
  'a late one': {
    sends: [(agent) => batchOf(agent, [later]), (agent) => batchOf(agent, [itemOf(1, NOW - MINUTE, lists)])],
    outcome: 'stored',
  },
  'another content of a known seq': {
    sends: [
      (agent) => batchOf(agent, [later]),
      (agent) => batchOf(agent, [itemOf(2, NOW, { up: 77 }), itemOf(3, NOW)]),
    ],
    outcome: 'conflict',
  },
  'a token nobody has': {
    sends: [(agent) => batchOf({ ...agent, tokenHash: Buffer.alloc(32, 7) }, [later])],
    outcome: 'token_unknown',
  },
  'a stream that has no id': {
    sends: [(agent) => batchOf(agent, [later], { streamId: 'nonsense' })],
    outcome: 'invalid input syntax for type uuid: "nonsense"',
  },
};
const EACH = 6;
const TABLES = [
  'report_stream',
  'host_sample',
  'server_latest',
  'server_parts',
  'server_fact',
  'server_list',
  'server_list_history',
  'process_quarter',
  'activity_event',
];
const IN_STREAM = ['report_ledger', 'dropped_report'];

describeEachPostgres('reports of many servers at once', (db) => {
  const rowsOf = async ({ serverKey }: Agent): Promise<unknown[]> => {
    const own = TABLES.map(
      (table) => `SELECT '${table}' AS source, to_jsonb(t) AS kept FROM ${table} t WHERE server_key = $1`,
    );
    const ofStream = IN_STREAM.map(
      (table) =>
        `SELECT '${table}', to_jsonb(t) FROM ${table} t JOIN report_stream s ON s.key = t.stream_key WHERE s.server_key = $1`,
    );
    return await db.sql(
      `SELECT source, kept - 'key' - 'id' - 'server_key' - 'stream_key' AS kept
       FROM (${[...own, ...ofStream].join(' UNION ALL ')}) AS all_rows ORDER BY source, kept::text`,
      [serverKey],
    );
  };
  const outcomeOf = async (batch: AcceptedBatch): Promise<string> =>
    db
      .storage()
      .reports.accept(batch)
      .then(
        ({ outcome }) => outcome,
        (error: Error) => error.message,
      );
  const agentsFor = (organisationId: OrganisationId, count: number): Promise<Agent[]> =>
    Promise.all(Array.from({ length: count }, () => enrolledAgent(db.storage(), organisationId)));

  it('leave what they leave one after another, whatever their neighbours send', async () => {
    const organisationId = await newAccount(db.storage());
    const situations = Object.entries(SITUATIONS).map(([name, situation]) => ({ name, ...situation }));
    const expected = new Map<string, unknown[]>();
    for (const { name, sends, outcome } of situations) {
      const [agent] = await agentsFor(organisationId, 1);
      if (!agent) throw new Error('nobody enrolled');
      const outcomes: string[] = [];
      for (const send of sends) outcomes.push(await outcomeOf(send(agent)));
      expect([name, outcomes.at(-1)]).toEqual([name, outcome]);
      expected.set(name, await rowsOf(agent));
    }
    expect(expected.get('a report with lists')?.length).toBeGreaterThan(9);

    const agents = await agentsFor(organisationId, situations.length * EACH);
    const crowd = situations.flatMap((situation, index) =>
      agents.slice(index * EACH, (index + 1) * EACH).map((agent) => ({ agent, ...situation })),
    );
    const last: (string | undefined)[] = crowd.map(() => undefined);
    const rounds = Math.max(...situations.map(({ sends }) => sends.length));
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(
        crowd.map(async ({ agent, sends }, index) => {
          const send = sends[round];
          if (send) last[index] = await outcomeOf(send(agent));
        }),
      );
    expect(crowd.map(({ name }, index) => [name, last[index]])).toEqual(
      crowd.map(({ name, outcome }) => [name, outcome]),
    );
    for (const { agent, name } of crowd) expect([name, await rowsOf(agent)]).toEqual([name, expected.get(name)]);
  });

  it('lose none when a server is deleted in the middle of it', async () => {
    const organisationId = await newAccount(db.storage());
    const crowd = await agentsFor(organisationId, 24);
    const [gone] = crowd;
    if (!gone) throw new Error('nobody enrolled');
    await db.storage().reports.accept(batchOf(gone, [itemOf(1, NOW)]));
    const [, ...outcomes] = await Promise.all([
      db.sql('DELETE FROM server WHERE key = $1', [gone.serverKey]),
      ...crowd.map((agent) => outcomeOf(batchOf(agent, [later]))),
    ]);
    expect(outcomes.slice(1)).toEqual(crowd.slice(1).map(() => 'stored'));
    expect(['stored', 'server_deleted', 'token_unknown']).toContain(outcomes[0]);
    const kept = await db.sql('SELECT 1 FROM host_sample WHERE server_key = ANY($1) AND server_key <> $2', [
      crowd.map(({ serverKey }) => serverKey),
      gone.serverKey,
    ]);
    expect(kept).toHaveLength(23);
  });
});
