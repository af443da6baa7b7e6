import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { enrolledAgent, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { Agent } from '../../servers/types.ts';
import { openDatabase, type Database } from '../../database/database.ts';
import { silentLogger } from '../../database/connection.ts';
import { createRollupStore } from './rollup.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const OUTAGE_HOURS = 26;
const SERVERS = 7;
/** Samples that a statement takes at most: the outage has seven times as many. */
const MOST_SAMPLES = OUTAGE_HOURS * 60;

describeEachPostgres('catching up after an outage', (db) => {
  let owner: Owner;
  let agents: Agent[];
  let database: Database;
  const rollups = () => createRollupStore(database, MOST_SAMPLES);

  /** Samples as collectors spool them, one a minute, that all arrive at `receivedAt`. */
  const arrive = async (keys: number[], from: number, to: number, receivedAt: number): Promise<void> => {
    const values = [keys, new Date(from), new Date(to - MINUTE), new Date(receivedAt)];
    await db.sql(
      `WITH sample AS (
        SELECT key, at, (extract(epoch FROM at) / 60)::bigint AS seq
        FROM unnest($1::integer[]) AS key, generate_series($2::timestamptz, $3::timestamptz, interval '1 minute') AS at
      ), stream AS (
        INSERT INTO report_stream (server_key, stream_id, settled, last_received_at)
        SELECT unnest($1::integer[]), gen_random_uuid(), '{}', $4 RETURNING key, server_key
      ), ledger AS (
        INSERT INTO report_ledger (stream_key, boot, seq, sample_at, received_at, up_seconds, content_hash)
        SELECT stream.key, 1, seq, at, $4, 0, '' FROM sample JOIN stream ON stream.server_key = sample.key
      )
      INSERT INTO host_sample (ts, server_key, cpu_percent) SELECT at, key, 50 FROM sample`,
      values,
    );
  };
  const samplesIn = async (table: string): Promise<number> => {
    const [row] = await db.sql<{ samples: number }>(
      `SELECT COALESCE(sum(samples), 0)::integer AS samples FROM ${table}`,
    );
    return row?.samples ?? 0;
  };
  const completeTo = async (level: string): Promise<number> => {
    const [row] = await db.sql<{ at: Date }>('SELECT complete_to AS at FROM rollup_progress WHERE level = $1', [level]);
    return row?.at.getTime() ?? 0;
  };
  const countOfFleet = async (bucketSeconds: number): Promise<[number, number]> => {
    const query = { from: NOW - OUTAGE_HOURS * HOUR, to: NOW, bucketSeconds };
    const series = await db.storage().series.hostSeries(owner, null, query);
    return [series.length, series.reduce((sum, { count }) => sum + count, 0)];
  };

  beforeAll(() => {
    database = openDatabase(db.connection(), silentLogger);
  });
  afterAll(() => database.pool.end());
  beforeEach(async () => {
    await db.sql('TRUNCATE account, server, host_sample, host_rollup_5m, host_rollup_1h, rollup_progress CASCADE');
    const organisationId = await newAccount(db.storage());
    owner = ownerOf(organisationId);
    agents = await Promise.all(
      Array.from({ length: SERVERS }, (_, index) =>
        enrolledAgent(db.storage(), organisationId, `host-${String(index)}`),
      ),
    );
  });
  const keys = (): number[] => agents.map(({ serverKey }) => serverKey);
  const total = OUTAGE_HOURS * 60 * SERVERS;

  it('goes step by step when there is little time, and resumes where it stopped', async () => {
    await arrive(keys(), NOW - OUTAGE_HOURS * HOUR, NOW, NOW);
    // A single step of each level.
    await rollups().rollUp(NOW, 1);
    const first = await completeTo('5m');
    expect(first).toBeGreaterThan(NOW - OUTAGE_HOURS * HOUR);
    expect(first).toBeLessThan(NOW);
    let runs = 1;
    for (; (await completeTo('5m')) < NOW || (await completeTo('1h')) < NOW; runs += 1) await rollups().rollUp(NOW, 1);
    expect(runs).toBeGreaterThan(1);
    await rollups().rollUp(NOW);
    for (const table of ['host_rollup_5m', 'host_rollup_1h', 'fleet_rollup WHERE step_seconds = 120'])
      expect([table, await samplesIn(table)]).toEqual([table, total]);
    expect(await countOfFleet(120)).toEqual([OUTAGE_HOURS * 30, total]);
  });

  it('takes in what collectors kept while nothing was received', async () => {
    await arrive(keys().slice(0, 1), NOW - OUTAGE_HOURS * HOUR, NOW, NOW - HOUR);
    await rollups().rollUp(NOW - HOUR / 2);
    await rollups().rollUp(NOW);
    // Arrivals of more than one stretch.
    const rest = keys().slice(1);
    await arrive(rest.slice(0, 3), NOW - OUTAGE_HOURS * HOUR, NOW, NOW + MINUTE);
    await arrive(rest.slice(3), NOW - OUTAGE_HOURS * HOUR, NOW, NOW + 11 * MINUTE);
    await rollups().rollUp(NOW + 20 * MINUTE);
    for (const table of ['host_rollup_5m', 'host_rollup_1h'])
      expect([table, await samplesIn(table)]).toEqual([table, total]);
    expect(await countOfFleet(60)).toEqual([OUTAGE_HOURS * 60, total]);
  });

  it('a step that takes too long is halved, not repeated for ever', async () => {
    await arrive(keys().slice(0, 4), NOW - 4 * HOUR, NOW, NOW);
    // A statement over more than two buckets is cancelled, as a slow disk would have it.
    await db.sql(`CREATE OR REPLACE FUNCTION too_slow() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (SELECT count(DISTINCT ts) FROM added) > 2 THEN
          RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = 'query_canceled';
        END IF;
        RETURN NULL;
      END $$`);
    await db.sql(`CREATE TRIGGER too_slow AFTER INSERT ON host_rollup_5m REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION too_slow()`);
    try {
      await rollups().rollUp(NOW);
    } finally {
      await db.sql('DROP TRIGGER too_slow ON host_rollup_5m');
    }
    expect(await samplesIn('host_rollup_5m')).toBe(4 * 240);
    expect(await db.storage().setAside.count()).toEqual(new Map());
  });
});
