// Backup and restore read PostgreSQL's catalog, which Prisma cannot express.
import type { Client } from 'pg';
import type { Partition, Sequence, TableBackup } from './records.ts';

/** Texts of rows depend on these; a backup is restored with the same. Long work must not meet the limits of a role. */
export const SESSION = `SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET TIME ZONE 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1;
  SET bytea_output = 'hex'; SET search_path = public; SET client_encoding = 'UTF8'`;

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const TABLES = `SELECT c.relname AS table,
    ARRAY(SELECT a.attname::text FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> '_prisma_migrations'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname`;
type Table = Pick<TableBackup, 'table' | 'columns'>;
/** Plimsoll's tables and the columns that hold something of their own: generated ones are computed again. */
export const listTables = async (client: Client): Promise<Table[]> => (await client.query<Table>(TABLES)).rows;

const columnList = (columns: readonly string[]): string => columns.map(quote).join(', ');
export const copyOut = ({ table, columns }: Table): string =>
  `COPY (SELECT ${columnList(columns)} FROM ${quote(table)}) TO STDOUT`;
export const copyIn = ({ table, columns }: Table): string => `COPY ${quote(table)} (${columnList(columns)}) FROM STDIN`;

/**
 * Counts the rows and adds up a hash of each, so that the order of the rows does not matter and a row that is missing,
 * changed or doubled does.
 */
export const digestTable = async (
  client: Client,
  { table, columns }: Table,
): Promise<Pick<TableBackup, 'rows' | 'digest'>> => {
  const { rows } = await client.query<{ rows: string; digest: string }>(
    `SELECT count(*)::text AS rows,
       coalesce(sum(('x' || encode(substr(sha256(convert_to(t::text, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint), 0)::text AS digest
     FROM (SELECT ${columnList(columns)} FROM ${quote(table)}) t`,
  );
  return { rows: Number(rows[0]?.rows ?? 0), digest: rows[0]?.digest ?? '' };
};

const PARTITIONS = `SELECT p.relname AS parent, c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
  WHERE c.relispartition AND c.relkind = 'r' AND p.relnamespace = 'public'::regnamespace
    AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
  ORDER BY c.relname`;
export const listPartitions = async (client: Client): Promise<Partition[]> =>
  (await client.query<Partition>(PARTITIONS)).rows;

const SEQUENCES = `SELECT t.relname AS table, a.attname AS column, s.relname AS sequence
  FROM pg_class s JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('i', 'a')
    JOIN pg_class t ON t.oid = d.refobjid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
  WHERE s.relkind = 'S' AND s.relnamespace = 'public'::regnamespace ORDER BY s.relname`;
export const listSequences = async (client: Client): Promise<Sequence[]> => {
  const { rows: found } = await client.query<{ table: string; column: string; sequence: string }>(SEQUENCES);
  const sequences: Sequence[] = [];
  for (const { table, column, sequence } of found) {
    const { rows } = await client.query<{ last_value: string; is_called: boolean }>(
      `SELECT last_value, is_called FROM ${quote(sequence)}`,
    );
    const [row] = rows;
    if (row) sequences.push({ table, column, lastValue: row.last_value, isCalled: row.is_called });
  }
  return sequences;
};

const NUMBER_OF_TABLES = `SELECT count(*)::int AS n,
    to_regclass('_prisma_migrations') IS NOT NULL AND to_regclass('report_stream') IS NOT NULL AS ours
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;
/** `nothing`: no table at all. `foreign`: the tables are not Plimsoll's. */
export type Contents = 'nothing' | 'ours' | 'foreign';
export const contentsOf = async (client: Client): Promise<Contents> => {
  const { rows } = await client.query<{ n: number; ours: boolean }>(NUMBER_OF_TABLES);
  if (rows[0]?.n === 0) return 'nothing';
  return rows[0]?.ours === true ? 'ours' : 'foreign';
};

export const hasRows = async (client: Client): Promise<boolean> => {
  for (const { table } of await listTables(client)) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${quote(table)} LIMIT 1`);
    if (rowCount !== 0) return true;
  }
  return false;
};

const OBJECTS = `SELECT CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END || ' IF EXISTS ' || c.oid::regclass AS object
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  UNION ALL
  SELECT 'FUNCTION IF EXISTS ' || p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`;
export const dropEverything = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ object: string }>(OBJECTS);
  for (const { object } of rows) await client.query(`DROP ${object} CASCADE`);
};

/** Triggers ran and keys were checked where the rows came from. Returns what brings both back. */
export const suspendChecks = async (client: Client): Promise<() => Promise<void>> => {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT c.conrelid::regclass::text AS table, c.conname AS name, pg_get_constraintdef(c.oid) AS definition
     FROM pg_constraint c WHERE c.contype = 'f' AND c.conparentid = 0 AND c.connamespace = 'public'::regnamespace`,
  );
  const { rows: triggers } = await client.query<{ table: string }>(
    `SELECT DISTINCT t.tgrelid::regclass::text AS table FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition`,
  );
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quote(name)}`);
  for (const { table } of triggers) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  return async () => {
    for (const { table, name, definition } of keys)
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${quote(name)} ${definition}`);
    for (const { table } of triggers) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  };
};
