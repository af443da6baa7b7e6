import type { TestDatabase } from './postgres.ts';

/** PostgreSQL's types that the driver turns into a type of TypeScript; a number may come out of JSON. */
type PostgresType<Value> = [Value] extends [number]
  ? 'smallint' | 'integer' | 'real' | 'double precision' | 'jsonb'
  : [Value] extends [boolean]
    ? 'boolean'
    : [Value] extends [string]
      ? 'text' | 'uuid'
      : [Value] extends [Date]
        ? 'timestamp with time zone'
        : [Value] extends [Buffer]
          ? 'bytea'
          : [Value] extends [string[]]
            ? 'text[]' | 'json' | 'jsonb'
            : 'json' | 'jsonb';

/** One PostgreSQL type per property of a row: a property that is missing or of another type does not compile. */
export type RowShape<Row> = { [Name in keyof Row]-?: PostgresType<NonNullable<Row[Name]>> };

/**
 * Returns the columns of a statement's result with their types, as PostgreSQL describes them. It describes a result
 * without rows too, so a test needs none.
 */
export async function resultShape(
  db: TestDatabase,
  statement: string,
  values: unknown[],
): Promise<Record<string, string>> {
  const fields = await db.fields(statement, values);
  const oids = fields.map(({ dataTypeID }) => dataTypeID);
  const types = await db.sql<{ name: string }>(
    'SELECT format_type(oid::oid, NULL) AS name FROM unnest($1::int[]) WITH ORDINALITY t(oid, place) ORDER BY place',
    [oids],
  );
  return Object.fromEntries(fields.map(({ name }, index) => [name, types[index]?.name ?? '']));
}
