// SQL reads the stored lists of many servers: the tables are partitioned, and the lists of an hour are packed.
import { setImmediate } from 'node:timers/promises';
import { PROCESS_MINUTES } from '@plimsoll/contract/rules/limits';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import type { Pool } from 'pg';
import type { Database } from '../../database/database.ts';
import { milliseconds, SHOWN_NAME, timestamp } from '../../database/time.ts';
import { inScope } from '../../servers/scope-sql.ts';
import { minuteOf } from '../fleet-snapshot.ts';
import { namedProcesses, type StoredProcesses } from '../list-entries.ts';
import { nearestOfBlock, type ProcessList } from '../process-block.ts';
import type { FleetSnapshots } from '../store.ts';
import type { NearestList, ProcessSnapshot } from '../types.ts';
import { kindOfQuarter } from './process-snapshots.ts';
import { quartersOf, readQuarters } from './process-quarters.ts';

const BLOCK = `interval '${PROCESS_MINUTES.blockSeconds} seconds'`;
const MINUTE_MS = PROCESS_MINUTES.stepSeconds * 1000;

/** $1 account  $2 server keys or null  $3 moment, ms */
const SERVERS = `SELECT s.key, s.id, ${SHOWN_NAME} AS hostname, (SELECT (value->>'cpu_cores')::double precision
    FROM server_fact f WHERE f.server_key = s.key AND f.name = 'system') AS "cpuCores",
    s.created_at <= ${timestamp('$3')} AND (s.uninstalled_at IS NULL OR s.uninstalled_at > ${timestamp('$3')}) AS existed
  FROM server s WHERE s.organisation_id = $1 AND ${inScope('s.key', '$2')} ORDER BY s.key`;

/** $1 server keys  $2 from, ms  $3 to, ms, both included */
const IN_RANGE = (column: string): string =>
  `server_key = ANY($1) AND ${column} >= ${timestamp('$2')} AND ${column} <= ${timestamp('$3')}`;
const MINUTES = `SELECT server_key AS key, ${milliseconds('ts')} AS at, entries::json AS entries FROM process_minute
  WHERE ${IN_RANGE('ts')}`;
const BLOCKS = `SELECT server_key AS key, packed FROM process_block
  WHERE server_key = ANY($1) AND ts > ${timestamp('$2')} - ${BLOCK} AND ts <= ${timestamp('$3')}`;
const NEWEST = `SELECT server_key AS key, ${milliseconds('sample_at')} AS at, entries::json AS entries FROM server_list
  WHERE kind = 'processes' AND ${IN_RANGE('sample_at')}`;

/** Servers that one statement reads: their lists of an hour are some 300 kB. */
const AT_ONCE = 50;

interface Moment {
  at: number;
  from: number;
  to: number;
}
type Listed = StoredProcesses & { key: number };
type Candidate = ProcessList & { list: ProcessSnapshot['list'] };

const asCandidates = (rows: readonly Listed[], key: number, list: ProcessSnapshot['list']): Candidate[] =>
  rows.filter((row) => row.key === key).map((row) => ({ ...namedProcesses(row), list }));

/** Returns the minute lists and newest lists of each server; of a packed hour the list nearest to the moment. */
async function readMinutes(pool: Pool, keys: readonly number[], { at, from, to }: Moment) {
  const range = [keys, from, to];
  // Blocks last: what is packed between the two statements is then read twice and not missed.
  const fresh = await pool.query<Listed>(MINUTES, range);
  const newest = await pool.query<Listed>(NEWEST, range);
  const blocks = await pool.query<{ key: number; packed: Buffer }>(BLOCKS, range);
  return (key: number): Candidate[] => {
    const packed = blocks.rows.filter((row) => row.key === key).map((row) => nearestOfBlock(row.packed, at));
    return [
      // The newest list is whole, so it comes before the top of the same moment.
      ...asCandidates(newest.rows, key, 'newest'),
      ...asCandidates(fresh.rows, key, 'minute'),
      ...packed.filter((list) => list !== null).map((list) => ({ ...list, list: 'minute' as const })),
    ].filter((list) => list.at >= from && list.at <= to);
  };
}

async function readQuarterLists(pool: Pool, keys: readonly number[], { from, to }: Moment) {
  const stored = await readQuarters(pool, keys, { from, to });
  return (key: number): Candidate[] =>
    quartersOf(stored, key)
      .map((quarter) => ({ ...quarter, list: kindOfQuarter(quarter) }))
      .filter((list) => list.at >= from && list.at <= to);
}

const byCpu = (a: ProcessPart, b: ProcessPart): number =>
  (b.cpu_percent ?? -1) - (a.cpu_percent ?? -1) || b.memory_bytes - a.memory_bytes || a.pid - b.pid;

/** Returns the candidate nearest to the moment, of two equally near the first. */
function nearestOf(candidates: readonly Candidate[], moment: number): ProcessSnapshot | null {
  const [first, ...rest] = candidates;
  if (first === undefined) return null;
  const { at, list, processes } = rest.reduce(
    (best, each) => (Math.abs(each.at - moment) < Math.abs(best.at - moment) ? each : best),
    first,
  );
  const distinct = new Map(processes.map((entry) => [entry.pid, entry]));
  return { sampleAt: at, list, processes: [...distinct.values()].toSorted(byCpu) };
}

interface ServerRow {
  key: number;
  id: string;
  hostname: string;
  cpuCores: number | null;
  existed: boolean;
}

/** Two steps: most servers have a list of that minute, and only the others need what was stored around it. */
async function* nearestLists(pool: Pool, servers: readonly ServerRow[], moment: Moment): AsyncIterable<NearestList> {
  const { at } = moment;
  const minute = { at, from: minuteOf(at), to: Math.min(moment.to, minuteOf(at) + MINUTE_MS - 1) };
  const keys = servers.map(({ key }) => key);
  const inMinute = await readMinutes(pool, keys, minute);
  const found = new Map<number, ProcessSnapshot | null>();
  for (const key of keys) {
    found.set(key, nearestOf(inMinute(key), at));
    // Unpacking an hour takes part of a millisecond, and requests wait meanwhile.
    await setImmediate();
  }
  const lacking = keys.filter((key) => found.get(key) === null);
  if (lacking.length > 0) {
    const [minutes, quarters] = [
      await readMinutes(pool, lacking, moment),
      await readQuarterLists(pool, lacking, moment),
    ];
    for (const key of lacking) {
      found.set(key, nearestOf([...minutes(key), ...quarters(key)], at));
      await setImmediate();
    }
  }
  for (const { existed, ...server } of servers) yield { server, existed, snapshot: found.get(server.key) ?? null };
}

export const createFleetSnapshots = ({ pool }: Pick<Database, 'pool'>): FleetSnapshots => ({
  listNearest: async function* (owner, { within, ...moment }) {
    const values = [owner.organisationId, within ?? null, moment.at];
    const { rows } = await pool.query<ServerRow>(SERVERS, values);
    for (let start = 0; start < rows.length; start += AT_ONCE)
      yield* nearestLists(pool, rows.slice(start, start + AT_ONCE), moment);
  },
});
