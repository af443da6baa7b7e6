import { expect, it } from 'vitest';
import { describeEachPostgres } from '../testing/postgres.ts';
import { processListOf } from '../testing/process-lists.ts';

const HAS_LZ4 = `SELECT 'lz4' = ANY (enumvals) AS found FROM pg_settings WHERE name = 'default_toast_compression'`;

describeEachPostgres('compression of JSON', (db) => {
  const best = async (): Promise<string> => {
    const [row] = await db.sql<{ found: boolean }>(HAS_LZ4);
    return row?.found === true ? 'lz4' : 'pglz';
  };

  it('is by LZ4 wherever PostgreSQL has it, also in the partitions to come', async () => {
    await db.storage().maintenance.makePartitions(Date.now() + 40 * 86_400_000);
    const rows = await db.sql<{ compression: string; columns: number; partitions: number }>(
      `SELECT attcompression::text AS compression, count(*)::int AS columns,
         count(*) FILTER (WHERE relispartition)::int AS partitions
       FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND attstorage = 'x'
         AND atttypid IN ('json'::regtype, 'jsonb'::regtype) AND NOT attisdropped
       GROUP BY 1`,
    );
    expect(rows).toEqual([
      {
        compression: (await best()) === 'lz4' ? 'l' : '',
        columns: expect.any(Number) as number,
        partitions: expect.any(Number) as number,
      },
    ]);
    expect(rows[0]?.partitions).toBeGreaterThan(5);
  });

  it('is by LZ4 for the lists that are text, and pglz gets no arrays of numbers', async () => {
    const rows = await db.sql<{ name: string; storage: string; compression: string }>(
      `SELECT attname::text AS name, attstorage::text AS storage, attcompression::text AS compression FROM pg_attribute
       WHERE attrelid = 'server_list'::regclass AND atttypid IN ('text'::regtype, 'float8[]'::regtype)
         OR attrelid = 'process_minute'::regclass AND attname = 'entries'`,
    );
    const isLz4 = (await best()) === 'lz4';
    const compressed = { storage: 'x', compression: isLz4 ? 'l' : '' };
    const array = isLz4 ? compressed : { storage: 'e', compression: '' };
    expect(rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'entries', ...compressed },
      { name: 'entries', ...compressed },
      { name: 'first_rank', ...array },
      { name: 'kind', ...compressed, compression: '' },
      { name: 'second_rank', ...array },
    ]);
  });

  it('compresses a list of processes', async () => {
    await db.sql('INSERT INTO process_minute (ts, server_key, entries) VALUES (now(), 1, $1)', [
      JSON.stringify(processListOf(0, 1, 7)),
    ]);
    const rows = await db.sql(`SELECT pg_column_compression(entries) AS compression FROM process_minute`);
    expect(rows).toEqual([{ compression: await best() }]);
  });
});
