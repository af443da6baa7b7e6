// SQL counts holes in multiranges and writes a table without a model, so that both tables have one style.
import { SAMPLE_TIME_BOUNDS } from '@plimsoll/contract/rules/limits';
import type { Maintenance } from './store.ts';
import { underLock } from './job-lock.ts';
import type { Database } from './database.ts';
import { makePartitions } from './partitions.ts';
import { prune } from './prune.ts';
import { timestamp } from './time.ts';

/** One advisory lock each, held for a transaction: of several replicas one works. A backup holds both. */
export const LOCKS = { partitions: 0x70_61_72_74, prune: 0x70_72_75_6e } as const;
/** Holes of each stream below its highest report from before $1: what is missing there will not come any more. */
const COUNT_UNEXPLAINED = `
SELECT COALESCE(sum(upper(hole) - lower(hole)), 0)::double precision AS missing
FROM report_stream s
CROSS JOIN LATERAL (
  SELECT max(seq) AS seq FROM report_ledger l WHERE l.stream_key = s.key AND l.sample_at < ${timestamp('$1')}
) old
CROSS JOIN LATERAL unnest(int8multirange(int8range(1, old.seq)) - s.settled) AS hole
WHERE old.seq > 1`;

export const createMaintenance = ({ pool }: Database): Maintenance => ({
  makePartitions: (now) => underLock(pool, LOCKS.partitions)((client) => makePartitions(client, now)),
  prune: (now) => prune(underLock(pool, LOCKS.prune), now),
  countUnexplained: async (now) => {
    const { rows } = await pool.query<{ missing: number }>(COUNT_UNEXPLAINED, [now - SAMPLE_TIME_BOUNDS.past * 1000]);
    return rows[0]?.missing ?? 0;
  },
  startRun: async (now, version) => {
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO api_uptime (started_at, seen_at, version)
       VALUES (${timestamp('$1')}, ${timestamp('$1')}, $2) RETURNING id`,
      [now, version],
    );
    return rows[0]?.id ?? '';
  },
  recordRun: async (id, now, jobs) => {
    const statement = `UPDATE api_uptime SET seen_at = ${timestamp('$2')}, jobs = $3 WHERE id = $1`;
    await pool.query(statement, [id, now, JSON.stringify(jobs)]);
  },
});
