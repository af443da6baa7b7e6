import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One table of prisma/schema.prisma, in PostgreSQL's words. */
export interface ModelledTable {
  columns: Record<string, ModelledColumn>;
  /** By name: "unique|index|primary COLUMN, COLUMN desc". */
  indexes: Record<string, string>;
  /** "COLUMN → TABLE.COLUMN ACTION". */
  foreignKeys: string[];
  isIgnored: boolean;
}
export interface ModelledColumn {
  type: string;
  required: boolean;
  default: string | null;
}

const PATH = join(import.meta.dirname, '../../../prisma/schema.prisma');
const MODEL = /^model (\w+) \{\n([\s\S]*?)^\}/gm;
const FIELD = /^ {2}(\w+)\s+(Unsupported\("[^"]+"\)|\w+)(\[\]|\?)?(.*)$/;
const TYPES: Record<string, string> = {
  String: 'text',
  Boolean: 'boolean',
  Bytes: 'bytea',
  BigInt: 'bigint',
  Int: 'integer',
  Json: 'jsonb',
  Float: 'double precision',
  DateTime: 'timestamp without time zone',
};
const NATIVE: Record<string, string> = {
  Uuid: 'uuid',
  Timestamptz: 'timestamp with time zone',
  Json: 'json',
  Real: 'real',
  SmallInt: 'smallint',
  Date: 'date',
};
const ACTIONS: Record<string, string> = { Cascade: 'CASCADE', SetNull: 'SET NULL', NoAction: 'NO ACTION' };

interface Field {
  name: string;
  type: string;
  mark: string;
  attributes: string;
}
interface Model {
  table: string;
  fields: Field[];
  block: string[];
}

/** Parses the models. Fails on a line or a type it cannot read, so that nothing stays uncompared. */
export function readSchema(text = readFileSync(PATH, 'utf8')): Record<string, ModelledTable> {
  const models = new Map([...text.matchAll(MODEL)].map(([, name = '', body = '']) => [name, parseModel(name, body)]));
  return Object.fromEntries([...models.values()].map((model) => [model.table, describe(model, models)]));
}

function parseModel(name: string, body: string): Model {
  const lines = body.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
  const block = lines.filter((line) => line.startsWith('  @@'));
  const fields = lines.filter((line) => !line.startsWith('  @@')).map(parseField);
  return { table: quoted(block.find((line) => line.startsWith('  @@map(')) ?? '', '@@map') ?? name, fields, block };
}

function parseField(line: string): Field {
  const [, name, type, mark = '', attributes = ''] = FIELD.exec(line) ?? [];
  if (name === undefined || type === undefined) throw new Error(`schema.prisma: not a field: ${line}`);
  return { name, type, mark, attributes };
}

const quoted = (text: string, attribute: string): string | null =>
  new RegExp(`${attribute}\\((?:[^()]*map: )?"([^"]+)"\\)`).exec(text)?.[1] ?? null;
const listed = (text: string): string[] => (/\[(.*?)\]/.exec(text)?.[1] ?? '').split(', ');
const columnOf = ({ name, attributes }: Field): string => quoted(attributes, '@map') ?? name;

function describe(model: Model, models: Map<string, Model>): ModelledTable {
  const scalars = model.fields.filter(({ type }) => !models.has(type));
  const relations = model.fields.filter(
    ({ attributes }) => attributes.includes('@relation(') && attributes.includes('fields: ['),
  );
  return {
    columns: Object.fromEntries(scalars.map((field) => [columnOf(field), columnAs(field)])),
    indexes: Object.fromEntries([...scalars.flatMap((field) => ownIndex(model, field)), ...blockIndexes(model)]),
    foreignKeys: relations.map((field) => foreignKey(model, field, models)).toSorted(),
    isIgnored: model.block.includes('  @@ignore'),
  };
}

function columnAs({ type, mark, attributes }: Field): ModelledColumn {
  const native = /@db\.(\w+)/.exec(attributes)?.[1];
  const unsupported = /^Unsupported\("(.+)"\)$/.exec(type)?.[1];
  const known = native === undefined ? (unsupported ?? TYPES[type]) : NATIVE[native];
  if (known === undefined) throw new Error(`schema.prisma: type ${type} ${native ?? ''} is not known to this test`);
  return { type: mark === '[]' ? `${known}[]` : known, required: mark !== '?', default: defaultOf(attributes) };
}

/** As the schema writes it; the test brings PostgreSQL's text into the same form. */
const defaultOf = (attributes: string): string | null =>
  /@default\(dbgenerated\("(.+?)"\)\)/.exec(attributes)?.[1] ??
  /@default\("?((?:autoincrement\(\))|[^")]*)"?\)/.exec(attributes)?.[1] ??
  null;

function ownIndex({ table }: Model, field: Field): [string, string][] {
  const column = columnOf(field);
  const { attributes } = field;
  if (/@id\b/.test(attributes)) return [[`${table}_pkey`, `primary ${column}`]];
  if (!/@unique\b/.test(attributes)) return [];
  return [[quoted(attributes, '@unique') ?? `${table}_${column}_key`, `unique ${column}`]];
}

function blockIndexes({ table, fields, block }: Model): [string, string][] {
  const column = (name: string): string => columnOf(fields.find((field) => field.name === name) ?? parseField(name));
  return block.flatMap((line): [string, string][] => {
    const [, kind] = /^ {2}@@(id|unique|index)\(/.exec(line) ?? [];
    if (kind === undefined) return [];
    const parts = listed(line).map((part) => ({
      column: column(part.replace(/\(.*$/, '')),
      order: part.includes('sort: Desc') ? ' desc' : '',
    }));
    const plain = [table, ...parts.map((part) => part.column), kind === 'unique' ? 'key' : 'idx'].join('_');
    const name = kind === 'id' ? `${table}_pkey` : (/map: "([^"]+)"/.exec(line)?.[1] ?? plain);
    const columns = parts.map((part) => part.column + part.order).join(', ');
    return [[name, `${kind === 'id' ? 'primary' : kind} ${columns}`]];
  });
}

function foreignKey({ fields }: Model, { type, attributes }: Field, models: Map<string, Model>): string {
  const target = models.get(type);
  const [, own = ''] = /fields: \[(\w+)\]/.exec(attributes) ?? [];
  const [, other = ''] = /references: \[(\w+)\]/.exec(attributes) ?? [];
  const [, action = ''] = /onDelete: (\w+)/.exec(attributes) ?? [];
  const column = (all: Field[], name: string): string =>
    columnOf(all.find((field) => field.name === name) ?? parseField(name));
  return `${column(fields, own)} → ${target?.table ?? ''}.${column(target?.fields ?? [], other)} ${ACTIONS[action] ?? action}`;
}
