import { HOUR_MS, MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { Pool } from 'pg';
import { createPostgresStorage } from '../../../api/src/postgres-storage.ts';
import type { Storage } from '../../../api/src/storage.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../../api/src/testing/batches.ts';
import { clusterOf, DURABLE, stopClusters } from '../../../api/src/testing/postgres-clusters.ts';
import { processListOf } from '../../../api/src/testing/process-lists.ts';
import { databaseOn } from './api.ts';

const DAY_HOURS = 24;
/** Reports of an hour may be so late before it is packed. */
const GRACE = 2 * MINUTE_MS;
const FLEET = 500;
/** The disk that the process lists of such a fleet may take in a day. */
const REACH_MB = 150;

export const help = `The disk that the stored process lists of a day take, scaled to ${FLEET} servers; beside it every list of every minute
whole, as PostgreSQL compresses it in a row of its own.
  --servers 40     how many servers report for a day
  --life 7         every fifth of 40 processes is replaced after so many minutes`;

interface Load {
  servers: number;
  /** Minutes. */
  life: number;
}

/** Stores a day of reports, hour by hour, and packs each hour when it is over, as the job does. */
async function storeDay(storage: Storage, { servers, life }: Load, start: number): Promise<void> {
  const organisationId = await newAccount(storage);
  const agents = [];
  for (let server = 0; server < servers; server += 1)
    agents.push(await enrolledAgent(storage, organisationId, `host-${String(server)}`));
  for (let hour = 0; hour < DAY_HOURS; hour += 1) {
    for (const [server, agent] of agents.entries())
      for (let minute = hour * 60; minute < (hour + 1) * 60; minute += 1) {
        const at = start + minute * MINUTE_MS;
        const report = { processes: processListOf(server, minute, life), window_seconds: 60 };
        await storage.reports.accept(batchOf(agent, [itemOf(minute + 1, at, report)]));
      }
    const now = start + (hour + 1) * HOUR_MS + GRACE;
    await storage.processMinutes.pack(now);
    await storage.processQuarters.pack(now);
    process.stderr.write(`\r${hour + 1} of ${DAY_HOURS} hours`);
  }
  process.stderr.write('\n');
}

const MEGABYTE = 2 ** 20;
/** Every partition of a table with its indexes and its long values. */
const SIZE = `SELECT sum(pg_total_relation_size(relid))::float8 AS bytes FROM pg_partition_tree($1::regclass) WHERE isleaf`;

export async function main(argv: string[]): Promise<void> {
  const option = (name: string, otherwise: number): number =>
    Number(argv[argv.indexOf(name) + 1 || argv.length] ?? otherwise);
  const [servers, life] = [option('--servers', 40), option('--life', 7)];
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  chmodSync(folder, 0o755);
  try {
    const connection = await databaseOn(await clusterOf('bundled', folder, DURABLE), 'processes');
    const start = Math.floor(Date.now() / HOUR_MS / DAY_HOURS) * HOUR_MS * DAY_HOURS - DAY_HOURS * HOUR_MS;
    const storage = createPostgresStorage({ connection });
    const pool = new Pool({ ...connection, max: 1 });
    for (const hours of [0, DAY_HOURS, 2 * DAY_HOURS])
      await storage.maintenance.makePartitions(Date.now() - hours * HOUR_MS);
    await storeDay(storage, { servers, life }, start);
    const megabytes = async (table: string): Promise<number> => {
      const { rows } = await pool.query<{ bytes: number }>(SIZE, [table]);
      return ((rows[0]?.bytes ?? 0) / servers / MEGABYTE) * FLEET;
    };
    await pool.query('VACUUM process_minute, process_quarter');
    const [blocks, quarters] = [await megabytes('process_block'), await megabytes('process_quarter_block')];
    await pool.query(
      'CREATE TABLE whole_list (ts timestamptz, server_key integer, entries json, PRIMARY KEY (server_key, ts))',
    );
    for (let minute = 0; minute < 60; minute += 1)
      await pool.query('INSERT INTO whole_list VALUES (to_timestamp($1), 1, $2)', [
        minute,
        JSON.stringify(processListOf(0, minute, life)),
      ]);
    const { rows } = await pool.query<{ bytes: number }>(
      `SELECT pg_total_relation_size('whole_list')::float8 * ${DAY_HOURS * FLEET} AS bytes`,
    );
    const whole = (rows[0]?.bytes ?? 0) / MEGABYTE;
    const together = blocks + quarters;
    console.log(`${servers} servers for a day, scaled to ${FLEET}; MB on disk with indexes and free space`);
    console.log(`  each minute, the ten greediest by CPU and by memory, packed by the hour  ${blocks.toFixed(0)}`);
    console.log(`  each quarter of an hour, the top 20, packed by six hours                 ${quarters.toFixed(0)}`);
    console.log(
      `  together (reach: at most ${REACH_MB})                                            ${together.toFixed(0)}`,
    );
    console.log(`  baseline, every list of every minute whole                               ${whole.toFixed(0)}`);
    console.log(
      `  ratio ${(together / whole).toFixed(3)}; not yet packed, in all: minutes ${(await megabytes('process_minute')).toFixed(1)} MB, quarters ${(await megabytes('process_quarter')).toFixed(1)} MB`,
    );
    await pool.end();
    await storage.close();
  } finally {
    await stopClusters(folder);
  }
}
