import type { TestDatabase } from './postgres.ts';

const TABLES = `SELECT c.relname AS name FROM pg_class c JOIN information_schema.tables t
    ON t.table_name = c.relname AND t.table_schema = 'public' AND c.relnamespace = 'public'::regnamespace
  WHERE t.table_type = 'BASE TABLE' AND NOT c.relispartition ORDER BY 1`;

/** Every table there is, partitions counted under the table they are of. */
const tableNames = async (db: TestDatabase): Promise<string[]> =>
  (await db.sql<{ name: string }>(TABLES)).map(({ name }) => name);

/** Rows of every table. */
export async function countRows(db: TestDatabase): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of await tableNames(db))
    counts[name] = (await db.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${name}`))[0]?.n ?? 0;
  return counts;
}

/** Returns the tables with a row that holds this text anywhere. */
export async function tablesWith(db: TestDatabase, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await tableNames(db))
    if ((await db.sql(`SELECT FROM ${name} t WHERE position($1 IN t::text) > 0 LIMIT 1`, [text])).length > 0)
      found.push(name);
  return found;
}
