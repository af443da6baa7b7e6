import { beforeEach, expect, it } from 'vitest';
import { describeEachPostgres } from '../testing/postgres.ts';
import { PARTITIONED_TABLES, type PartitionedTable } from './partitions.ts';

const DAY = 86_400_000;
/** Half past four on a day that no slot of a week or of four weeks begins with. */
const NOW = Date.UTC(2026, 2, 29, 4, 30);

interface Range {
  from: number;
  to: number;
}

describeEachPostgres('partitions', (db) => {
  const make = (now: number) => db.storage().maintenance.makePartitions(now);
  const drop = (now: number) => db.storage().maintenance.prune(now);
  /** Bounds as PostgreSQL has them, in order. */
  const rangesOf = async ({ name }: PartitionedTable): Promise<Range[]> => {
    const rows = await db.sql<{ bounds: string }>(
      `SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = $1::regclass AND c.relname NOT LIKE '%_default' ORDER BY c.relname`,
      [name],
    );
    return rows.map(({ bounds }) => {
      const [from = '', to = ''] = [...bounds.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? '');
      return { from: Date.parse(from), to: Date.parse(to) };
    });
  };
  const partitionOf = async (at: number): Promise<string> => {
    const [row] = await db.sql<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM kube_sample WHERE ts = to_timestamp($1)',
      [at / 1000],
    );
    return row?.name ?? 'none';
  };
  const insert = (at: number) =>
    db.sql(`INSERT INTO kube_sample VALUES (to_timestamp($1), 1, 1, 1, 1, '{}', '{}', '{}')`, [at / 1000]);

  beforeEach(async () => {
    for (const { name } of PARTITIONED_TABLES) {
      const parts = await db.sql<{ part: string }>(
        `SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = $1::regclass`,
        [name],
      );
      for (const { part } of parts) {
        if (part.endsWith('_default')) await db.sql(`TRUNCATE ${part}`);
        else await db.sql(`DROP TABLE ${part}`);
      }
    }
  });

  it('of each table cover two days back and all days ahead, without a hole', async () => {
    await make(NOW);
    for (const table of PARTITIONED_TABLES) {
      const length = table.days * DAY;
      const ranges = await rangesOf(table);
      const first = ranges[0]?.from ?? NaN;
      expect(first).toBeLessThanOrEqual(NOW - 2 * DAY);
      expect(ranges.at(-1)?.to).toBeGreaterThan(NOW + table.aheadDays * DAY);
      // Whole slots counted from the epoch in UTC: a change of summer time, as on this day, moves none.
      expect(first % length).toBe(0);
      expect(ranges).toEqual(ranges.map((_, n) => ({ from: first + n * length, to: first + (n + 1) * length })));
    }
  });

  it('are made once, a day ahead each day', async () => {
    expect(await make(NOW)).not.toEqual([]);
    expect(await make(NOW)).toEqual([]);
    expect(await make(NOW + DAY)).toEqual([
      'host_sample_p20260406',
      'server_list_history_p20260406',
      'process_quarter_block_p20260406',
      'process_block_p20260406',
      'container_history_p20260406',
      'check_result_p20260406',
      'filesystem_history_p20260406',
      'kube_sample_p20260406',
    ]);
  });

  it('take the rows of their days, to the edge, also those that came before there was one', async () => {
    const midnight = Date.UTC(2026, 2, 30);
    for (const at of [midnight - 1000, midnight, midnight + DAY - 1000]) await insert(at);
    expect(await partitionOf(midnight)).toBe('kube_sample_default');
    await make(NOW);
    expect(await partitionOf(midnight - 1000)).toBe('kube_sample_p20260329');
    expect(await partitionOf(midnight)).toBe('kube_sample_p20260330');
    expect(await partitionOf(midnight + DAY - 1000)).toBe('kube_sample_p20260330');
    expect(await db.sql('SELECT FROM kube_sample_default')).toEqual([]);
  });

  it('are made for a time in which nobody made any, and not for a clock that is years off', async () => {
    const [idle, absurd] = [NOW - 5 * DAY, NOW + 400 * DAY];
    for (const at of [idle, absurd]) await insert(at);
    await make(NOW);
    expect(await partitionOf(idle)).toBe('kube_sample_p20260324');
    expect(await partitionOf(absurd)).toBe('kube_sample_default');
  });

  it('are dropped whole when their last row is past its retention, not a day before', async () => {
    const table = PARTITIONED_TABLES.find(({ name }) => name === 'kube_sample')!;
    await insert(NOW);
    await make(NOW);
    const end = Date.UTC(2026, 2, 30);
    const lastDay = end + table.retentionDays * DAY;
    await drop(lastDay - 1);
    expect(await partitionOf(NOW)).toBe('kube_sample_p20260329');
    const removed = await drop(lastDay);
    expect(removed?.['kube_sample partitions']).toBe(1);
    expect(await partitionOf(NOW)).toBe('none');
  });

  it('make way for what has none: old rows of the default one are deleted', async () => {
    const old = NOW - 8 * DAY;
    for (const at of [old, NOW]) await insert(at);
    expect((await drop(NOW))?.['kube_sample_default']).toBe(1);
    expect([await partitionOf(old), await partitionOf(NOW)]).toEqual(['none', 'kube_sample_default']);
  });

  it('are made by one of four replicas at a time', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => make(NOW)));
    const names = made.flatMap((one) => one ?? []);
    expect(new Set(names).size).toBe(names.length);
    expect(await make(NOW)).toEqual([]);
  });
});
