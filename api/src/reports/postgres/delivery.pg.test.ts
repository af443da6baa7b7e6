import type { Report } from '@plimsoll/contract/wire/report';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { inOrder, play, schedules } from '../../testing/schedules.ts';
import type { Request, Wire } from '../../testing/schedules.ts';
import type { Agent } from '../../servers/types.ts';
import type { AcceptedBatch } from '../types.ts';

const MINUTE = 60_000;
/** Each of some 500 crashes cuts every connection; on a busy machine that is a minute and more. */
const TIMEOUT_MS = 300_000;
const START = Math.floor(Date.now() / MINUTE) * MINUTE - 40 * MINUTE;

/** Everything a delivery leaves behind, without the handles that differ from server to server. */
const DUMP = `
  SELECT 'ledger', seq::text, sample_at::text, encode(content_hash, 'hex') FROM report_ledger l
    JOIN report_stream s ON s.key = l.stream_key WHERE s.server_key = $1
  UNION ALL SELECT 'settled', settled::text, '', '' FROM report_stream WHERE server_key = $1
  UNION ALL SELECT 'loss', seq_from || '-' || seq_to, count::text, why FROM dropped_report l
    JOIN report_stream s ON s.key = l.stream_key WHERE s.server_key = $1
  UNION ALL SELECT 'sample', ts::text, (to_jsonb(h) - 'server_key')::text, '' FROM host_sample h WHERE server_key = $1
  UNION ALL SELECT 'latest', sample_at::text, (to_jsonb(l) - 'server_key')::text, '' FROM server_latest l WHERE server_key = $1
  UNION ALL SELECT 'parts', sample_at::text, (to_jsonb(p) - 'server_key')::text, '' FROM server_parts p WHERE server_key = $1
  UNION ALL SELECT 'list', kind, sample_at::text, entries::text FROM server_list WHERE server_key = $1
  UNION ALL SELECT 'history', kind || ts, sample_at::text, entries::text FROM server_list_history WHERE server_key = $1
  UNION ALL SELECT 'quarter', ts::text, sample_at::text, entries::text FROM process_quarter WHERE server_key = $1
  UNION ALL SELECT 'event', event_id, at::text, message FROM activity_event WHERE server_key = $1
  UNION ALL SELECT 'fact', name, sample_at::text, value::text FROM server_fact WHERE server_key = $1
  ORDER BY 1, 2, 3, 4`;

/** Lists and events, so that every table a report fills takes part. */
const listsOf = (seq: number): Partial<Report> => ({
  connections: [
    {
      remote_ip: '203.0.113.0',
      remote_port: seq,
      local_port: 443,
      protocol: 'tcp',
      family: 'ipv4',
      state: 'ESTABLISHED',
      pid: -1,
      importance_score: 50,
    },
  ],
  events: [
    {
      id: `event-${seq}`,
      event_type: 'service_start',
      service_name: null,
      process_name: null,
      message: `event ${seq}`,
      severity: 'info',
      ts: START / 1000,
    },
  ],
});

const isCutOff = (error: unknown): boolean =>
  error instanceof Error && /terminat|not queryable|ECONNRESET|EPIPE/.test(error.message);
/** As an agent does: a request that got no answer is sent again. */
const untilAnswered = async <T>(send: () => Promise<T>): Promise<T> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      if (!isCutOff(error) || tries > 50) throw error;
    }
  }
};

describeEachPostgres('delivery', (db) => {
  const batch = (agent: Agent, { seqs, rejected, dropped }: Request): AcceptedBatch =>
    batchOf(
      agent,
      seqs.map((seq) => itemOf(seq, START + seq * MINUTE, { ts: START / 1000, ...listsOf(seq) })),
      {
        receivedAt: START + 60 * MINUTE,
        rejected: rejected.map((seq) => ({ seq, code: 'out_of_range' })),
        dropped: dropped.map(({ from, to }) => ({ from, to, n: to - from + 1, why: 'spool_full' })),
      },
    );
  const wireOf = (agent: Agent): Wire => ({
    send: async (request) => {
      const answer = await untilAnswered(() => db.storage().reports.accept(batch(agent, request)));
      if (answer.outcome !== 'stored') throw new Error(`a replay was answered with ${answer.outcome}`);
      return { upto: answer.ackUpto, also: answer.ackAlso };
    },
    /** Cuts the connections while the statement runs: it may have committed, and nobody gets an answer. */
    crash: async (request) => {
      const sent = db
        .storage()
        .reports.accept(batch(agent, request))
        .catch(() => 'cut off');
      await db.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'plimsoll'",
      );
      await sent;
    },
  });

  it(
    'ends 200 random schedules as one delivery in order',
    async () => {
      const organisationId = await newAccount(db.storage());
      await fc.assert(
        fc.asyncProperty(schedules(14), async (schedule) => {
          const [random, ordered] = [
            await enrolledAgent(db.storage(), organisationId),
            await enrolledAgent(db.storage(), organisationId),
          ];
          await play(schedule, wireOf(random));
          await wireOf(ordered).send(inOrder(schedule));
          expect(await db.sql(DUMP, [random.serverKey])).toEqual(await db.sql(DUMP, [ordered.serverKey]));
        }),
        { numRuns: 200, endOnFailure: true },
      );
    },
    TIMEOUT_MS,
  );
});
