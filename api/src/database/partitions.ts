// SQL creates and drops partitions, which Prisma cannot express.
import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { TREND_HISTORY_DAYS } from '@plimsoll/contract/rules/host-metrics/disk-forecast';
import { CONTAINER_HISTORY, PROCESS_HISTORY, PROCESS_MINUTES, RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import type { PoolClient } from 'pg';
import { milliseconds, timestamp } from './time.ts';

/** A table cut into ranges of time, each a partition of this many days; a default one takes what has none. */
export interface PartitionedTable {
  name:
    | 'check_result'
    | 'check_rollup_5m'
    | 'check_rollup_1h'
    | 'container_history'
    | 'filesystem_history'
    | 'process_block'
    | 'process_quarter_block'
    | 'server_list_history'
    | 'host_sample'
    | 'host_rollup_5m'
    | 'host_rollup_1h'
    | 'kube_sample'
    | 'kube_rollup_5m';
  days: number;
  aheadDays: number;
  retentionDays: number;
}
export const PARTITIONED_TABLES: readonly PartitionedTable[] = [
  { name: 'host_sample', days: 1, aheadDays: 7, retentionDays: RETENTION_DAYS.raw },
  { name: 'host_rollup_5m', days: 7, aheadDays: 14, retentionDays: RETENTION_DAYS.fiveMinutes },
  { name: 'host_rollup_1h', days: 28, aheadDays: 56, retentionDays: RETENTION_DAYS.oneHour },
  { name: 'server_list_history', days: 1, aheadDays: 7, retentionDays: PROCESS_HISTORY.days },
  { name: 'process_quarter_block', days: 1, aheadDays: 7, retentionDays: PROCESS_HISTORY.days },
  { name: 'process_block', days: 1, aheadDays: 7, retentionDays: PROCESS_MINUTES.days },
  { name: 'container_history', days: 1, aheadDays: 7, retentionDays: CONTAINER_HISTORY.days },
  { name: 'check_result', days: 1, aheadDays: 7, retentionDays: RETENTION_DAYS.raw },
  { name: 'check_rollup_5m', days: 7, aheadDays: 14, retentionDays: RETENTION_DAYS.fiveMinutes },
  { name: 'check_rollup_1h', days: 28, aheadDays: 56, retentionDays: RETENTION_DAYS.oneHour },
  { name: 'filesystem_history', days: 1, aheadDays: 7, retentionDays: TREND_HISTORY_DAYS },
  { name: 'kube_sample', days: 1, aheadDays: 7, retentionDays: RETENTION_DAYS.raw },
  { name: 'kube_rollup_5m', days: 7, aheadDays: 14, retentionDays: RETENTION_DAYS.fiveMinutes },
];
/** The oldest sample an agent may send is 26 h old. */
const BACK_MS = 2 * DAY_MS;

const lengthOf = (table: PartitionedTable): number => table.days * DAY_MS;
const slotOf = (table: PartitionedTable, at: number): number => Math.floor(at / lengthOf(table)) * lengthOf(table);
const partitionName = (table: PartitionedTable, slot: number): string =>
  `${table.name}_p${new Date(slot).toISOString().slice(0, 10).replaceAll('-', '')}`;
const slotOfName = (name: string): number => {
  const [, year, month, day] = /_p(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
};

const LIST = `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = $1::regclass AND c.relname ~ '_p\\d{8}$'`;
const existing = async (client: PoolClient, table: PartitionedTable): Promise<Set<string>> => {
  const { rows } = await client.query<{ name: string }>(LIST, [table.name]);
  return new Set(rows.map(({ name }) => name));
};

/** Slots of rows that have no partition yet: those of a time in which nobody made any. */
const strayed = async (client: PoolClient, table: PartitionedTable, now: number): Promise<number[]> => {
  const { rows } = await client.query<{ at: number }>(
    `SELECT DISTINCT floor(extract(epoch FROM ts) / $1)::double precision * $1 * 1000 AS at FROM ${table.name}_default
     WHERE ts >= to_timestamp($2::double precision / 1000) AND ts < to_timestamp($3::double precision / 1000)`,
    [lengthOf(table) / 1000, now - table.retentionDays * DAY_MS, now + table.aheadDays * DAY_MS],
  );
  return rows.map(({ at }) => at);
};

const wantedSlots = (table: PartitionedTable, now: number): number[] => {
  const first = slotOf(table, now - BACK_MS);
  const last = slotOf(table, now + table.aheadDays * DAY_MS);
  return Array.from({ length: (last - first) / lengthOf(table) + 1 }, (_, index) => first + index * lengthOf(table));
};

/** ATTACH instead of PARTITION OF: that would lock the whole table, and the default one may hold rows of the slot. */
const makePartition = async (client: PoolClient, table: PartitionedTable, slot: number): Promise<string> => {
  const name = partitionName(table, slot);
  const [from, to] = [slot, slot + lengthOf(table)].map((at) => `'${new Date(at).toISOString()}'`);
  await client.query(`CREATE TABLE ${name} (LIKE ${table.name} INCLUDING ALL)`);
  await client.query(
    `WITH moved AS (DELETE FROM ${table.name}_default WHERE ts >= ${from} AND ts < ${to} RETURNING *)
     INSERT INTO ${name} SELECT * FROM moved`,
  );
  await client.query(`ALTER TABLE ${table.name} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`);
  return name;
};

export const makePartitions = async (client: PoolClient, now: number): Promise<string[]> => {
  const made: string[] = [];
  for (const table of PARTITIONED_TABLES) {
    const there = await existing(client, table);
    const slots = new Set([...wantedSlots(table, now), ...(await strayed(client, table, now))]);
    for (const slot of slots) {
      if (!there.has(partitionName(table, slot))) made.push(await makePartition(client, table, slot));
    }
  }
  return made;
};

/** $1 now. A time-series store that was used or tried within a day. */
const VERIFIED_TO = `SELECT ${milliseconds('verified_to')} AS "verifiedTo" FROM series_shipping
  WHERE GREATEST(succeeded_at, failed_at) > ${timestamp('$1')} - interval '1 day'`;
/** Samples that a time-series store is not known to have are kept this many times longer at most: the disk has an end. */
const MOST_RETENTIONS = 2;

/** Returns the time before which no sample is needed, by age and, with a time-series store, by its verification. */
const keptFrom = async (client: PoolClient, table: PartitionedTable, now: number): Promise<number> => {
  const byAge = now - table.retentionDays * DAY_MS;
  if (table.name !== 'host_sample') return byAge;
  const { rows } = await client.query<{ verifiedTo: number }>(VERIFIED_TO, [now]);
  const verifiedTo = rows[0]?.verifiedTo ?? byAge;
  return Math.max(Math.min(byAge, verifiedTo), now - MOST_RETENTIONS * table.retentionDays * DAY_MS);
};

/** Drops the partitions that are no longer needed, whole; answers their number. */
export const dropPartitions = async (client: PoolClient, table: PartitionedTable, now: number): Promise<number> => {
  const limit = await keptFrom(client, table, now);
  const old = [...(await existing(client, table))].filter((name) => slotOfName(name) + lengthOf(table) <= limit);
  for (const name of old) await client.query(`DROP TABLE ${name}`);
  return old.length;
};
