import { afterAll, beforeAll, expect, it } from 'vitest';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { fullReport } from '../../testing/full-report.ts';
import { testStorage } from '../../testing/postgres.ts';
import { silentLogger } from '../../database/connection.ts';
import type { AcceptedBatch } from '../types.ts';
import type { Agent } from '../../servers/types.ts';
import { STATEMENT_SIZES } from './report-insert-sql.ts';
import { openDatabase, type Database } from '../../database/database.ts';
import { createReportStore } from './reports.ts';

const db = testStorage();
const MEGABYTE = 2 ** 20;
/** On a machine of 2 GB the sixteen connections of an API must leave room for the rest. */
const MOST_MEGABYTES = 12;
const START = 1_769_990_400_000;
const MINUTE = 60_000;
/** While two statements run, the rest is gathered: enough servers for each size to occur. */
const SERVERS = 24;
const ROUNDS = 2;

let database: Database;
let agents: Agent[];
beforeAll(async () => {
  database = openDatabase(db.connection(), silentLogger, { poolSize: 1 });
  const organisationId = await newAccount(db.storage());
  agents = [];
  for (let n = 0; n < SERVERS; n += 1)
    agents.push(await enrolledAgent(db.storage(), organisationId, `host-${String(n)}`));
});
afterAll(async () => {
  await database.prisma.$disconnect();
  await database.pool.end();
});

/** Each mix of what a report may carry or lack, four ways at once. */
const mixes = (): Partial<Record<string, unknown>>[] => {
  const { processes, connections, events } = fullReport('host', START / 1000);
  const parts = Object.entries({ processes, connections, events });
  return Array.from({ length: 2 ** parts.length }, (_, mask) =>
    Object.fromEntries(parts.filter((_part, bit) => (mask & (1 << bit)) !== 0)),
  );
};

it('of the statements that accept reports stays small in a connection, whatever reports carry', async () => {
  const none = { write: () => Promise.resolve() };
  const ports = { kubeletParts: none, describedSections: none, reportedResults: none };
  const reports = createReportStore(database, ports);
  let seq = 0;
  const batch = (agent: Agent, parts: object, isLossy: boolean): AcceptedBatch => {
    const lost = { from: 1e6 + seq, to: 1e6 + seq, n: 1, why: 'spool_full' };
    return batchOf(agent, [itemOf(seq, START + seq * MINUTE, parts)], isLossy ? { dropped: [lost] } : {});
  };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const parts of mixes())
      for (const isLossy of [false, true])
        for (const count of STATEMENT_SIZES.map((size) => Math.min(SERVERS, size * 3))) {
          seq += 1;
          const sent = agents.slice(0, count).map((agent) => reports.accept(batch(agent, parts, isLossy)));
          const results = await Promise.all(sent);
          expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['stored']));
        }
  const { rows: prepared } = await database.pool.query<{ name: string }>('SELECT name FROM pg_prepared_statements');
  expect(prepared.length).toBeGreaterThanOrEqual(STATEMENT_SIZES.length);
  expect(prepared.length).toBeLessThanOrEqual(STATEMENT_SIZES.length * 2);
  const { rows } = await database.pool.query<{ bytes: number }>(
    "SELECT sum(total_bytes)::float8 AS bytes FROM pg_backend_memory_contexts WHERE name LIKE 'CachedPlan%'",
  );
  expect((rows[0]?.bytes ?? Infinity) / MEGABYTE).toBeLessThan(MOST_MEGABYTES);
});
