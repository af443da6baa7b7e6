// SQL locks the one row of ingest_watch, so that replicas look one after another.
import type { Database } from '../../database/database.ts';
import { underLock } from '../../database/job-lock.ts';
import { inTransaction } from '../../database/database.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import { type IngestWatchState, nextIngestWatch } from '../incidents/ingest-pause.ts';
import type { IngestWatch } from '../store.ts';

const LOCKS = { look: 0x6c_6f_6f_6b, judge: 0x6a_75_64_67 } as const;
const READ = `SELECT ${ms('seen_at')} AS "seenAt", ${ms('received_at')} AS "receivedAt", ${ms('paused_until')} AS "pausedUntil"
  FROM ingest_watch`;
const RECEIVED = `SELECT ${ms('max(last_received_at)')} AS at FROM report_stream`;
const WRITE = `INSERT INTO ingest_watch (seen_at, received_at, paused_until) VALUES (${at('$1')}, ${at('$2')}, ${at('$3')})
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, received_at = excluded.received_at,
    paused_until = excluded.paused_until`;

const LOOK = [`SELECT pg_advisory_xact_lock(${String(LOCKS.look)})`, READ, RECEIVED];

export const createIngestWatch = ({ pool }: Database): IngestWatch => ({
  look: (now, intervalMs) =>
    inTransaction(
      pool,
      async (client, [, known, newest]) => {
        const [before = null] = (known?.rows ?? []) as IngestWatchState[];
        const [received] = (newest?.rows ?? []) as { at: number | null }[];
        const next = nextIngestWatch(before, { now, receivedAt: received?.at ?? null }, intervalMs);
        await client.query(WRITE, [next.seenAt, next.receivedAt, next.pausedUntil]);
        return next;
      },
      LOOK,
    ),
  judge: (work) => underLock(pool, LOCKS.judge)(() => work()),
});
