import { expect, it } from 'vitest';
import { describeEachPostgres, type TestDatabase } from '../testing/postgres.ts';
import { type ModelledColumn, type ModelledTable, readSchema } from '../testing/prisma-schema.ts';

const TABLES = `SELECT c.oid, c.relname AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> '_prisma_migrations'`;
/** Prisma does not express generated columns: they are modelled as plain ones. */
const COLUMNS = `SELECT t.name AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    a.attnotnull AS required, a.attidentity <> '' AS counted, CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS "default"
  FROM (${TABLES}) t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum`;
/** Prisma expresses neither partial indexes nor those on expressions nor BRIN. */
const INDEXES = `SELECT t.name AS "table", i.relname AS name, x.indisprimary AS "primary", x.indisunique AS "unique",
    ARRAY(SELECT a.attname || CASE WHEN x.indoption[k.place - 1] & 1 = 1 THEN ' desc' ELSE '' END
      FROM unnest(x.indkey::int2[]) WITH ORDINALITY k(number, place)
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number ORDER BY k.place)::text[] AS columns
  FROM (${TABLES}) t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
    JOIN pg_am m ON m.oid = i.relam
  WHERE x.indpred IS NULL AND x.indexprs IS NULL AND m.amname = 'btree'`;
const FOREIGN_KEYS = `SELECT t.name AS "table", a.attname || ' → ' || f.confrelid::regclass::text || '.' || b.attname || ' ' ||
    CASE f.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'a' THEN 'NO ACTION' ELSE f.confdeltype::text END AS key
  FROM (${TABLES}) t JOIN pg_constraint f ON f.conrelid = t.oid AND f.contype = 'f'
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = f.conkey[1]
    JOIN pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = f.confkey[1]`;

interface ColumnRow extends ModelledColumn {
  table: string;
  name: string;
  counted: boolean;
}
interface IndexRow {
  table: string;
  name: string;
  primary: boolean;
  unique: boolean;
  columns: string[];
}

/** Brings PostgreSQL's text of a default into the form of schema.prisma. */
function defaultOf({ counted, default: text }: ColumnRow): string | null {
  if (counted) return 'autoincrement()';
  const literal = /^'(.*)'::(.+)$/.exec(text ?? '');
  if (!literal) return text;
  return literal[2]?.endsWith('[]') === true && literal[1] === '{}' ? '[]' : (literal[1] ?? null);
}

async function readDatabase(db: TestDatabase): Promise<Record<string, Omit<ModelledTable, 'isIgnored'>>> {
  const names = await db.sql<{ name: string }>(TABLES);
  const columns = await db.sql<ColumnRow>(COLUMNS);
  const indexes = await db.sql<IndexRow>(INDEXES);
  const keys = await db.sql<{ table: string; key: string }>(FOREIGN_KEYS);
  const of = <Row extends { table: string }>(rows: Row[], table: string) => rows.filter((row) => row.table === table);
  const columnsOf = (table: string) =>
    of(columns, table).map((row): [string, ModelledColumn] => [
      row.name,
      { type: row.type, required: row.required, default: defaultOf(row) },
    ]);
  const indexesOf = (table: string) =>
    of(indexes, table).map(({ name, primary, unique, columns: list }): [string, string] => [
      name,
      `${primary ? 'primary' : unique ? 'unique' : 'index'} ${list.join(', ')}`,
    ]);
  return Object.fromEntries(
    names.map(({ name }) => [
      name,
      {
        columns: Object.fromEntries(columnsOf(name)),
        indexes: Object.fromEntries(indexesOf(name)),
        foreignKeys: of(keys, name)
          .map(({ key }) => key)
          .toSorted(),
      },
    ]),
  );
}

describeEachPostgres('prisma/schema.prisma', (db) => {
  it('names every table of the migrated database, and no other', async () => {
    const database = await readDatabase(db);
    expect(Object.keys(readSchema()).toSorted()).toEqual(Object.keys(database).toSorted());
  });

  it('has the columns of each table with type, nullability and default, and its indexes', async () => {
    const schema = readSchema();
    for (const [name, { columns, indexes }] of Object.entries(await readDatabase(db)))
      expect([name, schema[name]?.columns, schema[name]?.indexes]).toEqual([name, columns, indexes]);
  });

  it('has the foreign keys between the tables that Prisma reads and writes', async () => {
    const schema = readSchema();
    const read = Object.entries(await readDatabase(db)).filter(([name]) => schema[name]?.isIgnored === false);
    for (const [name, { foreignKeys }] of read) expect([name, schema[name]?.foreignKeys]).toEqual([name, foreignKeys]);
  });

  it('takes what an API of version 0.1.0 writes under the old names of tables', async () => {
    await db.sql('INSERT INTO instance_run (started_at, seen_at) VALUES (to_timestamp(7), to_timestamp(7))');
    await db.sql('UPDATE instance_run SET seen_at = to_timestamp(8) WHERE seen_at = to_timestamp(7)');
    await db.sql(`INSERT INTO report_loss (stream_key, seq_from, seq_to, count, why, recorded_at)
      VALUES (-1, 1, 2, 2, 'spool_full', now()) ON CONFLICT DO NOTHING`);
    expect(await db.sql('SELECT id FROM api_uptime WHERE seen_at = to_timestamp(8) AND id IS NOT NULL')).toHaveLength(
      1,
    );
    expect(await db.sql('SELECT why FROM dropped_report WHERE stream_key = -1')).toEqual([{ why: 'spool_full' }]);
    expect(await db.sql('SELECT reason FROM agent_bye WHERE server_key = -1')).toEqual([]);
  });
});
