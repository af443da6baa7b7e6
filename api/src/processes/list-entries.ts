import type { ConnectionPart } from '@plimsoll/contract/wire/connection-part';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import type { ProcessList } from './process-block.ts';

/** Fields of an entry and their types in SQL, in the order of its stored values. Add a new one last: older rows lack it. */
const FIELDS = {
  processes: {
    pid: 'bigint',
    name: 'text',
    command: 'text',
    user: 'text',
    status: 'text',
    cpu_percent: 'double precision',
    memory_percent: 'double precision',
    memory_bytes: 'double precision',
    threads: 'bigint',
    started_at: 'double precision',
  } satisfies Record<keyof ProcessPart, string>,
  connections: {
    remote_ip: 'text',
    remote_port: 'integer',
    local_port: 'integer',
    protocol: 'text',
    family: 'text',
    state: 'text',
    pid: 'bigint',
    importance_score: 'integer',
  } satisfies Record<keyof ConnectionPart, string>,
};
interface Entries {
  processes: ProcessPart;
  connections: ConnectionPart;
}
export type ListKind = keyof Entries;

/** The values of an entry in the order of FIELDS. Without the names, PostgreSQL has half as much to compress. */
export type EntryValues = readonly unknown[];
/** Earlier versions stored objects, and the history of connections has them. */
export type StoredEntry<Kind extends ListKind> = Entries[Kind] | EntryValues;

const namesOf = <Kind extends ListKind>(kind: Kind) => Object.keys(FIELDS[kind]) as (keyof Entries[Kind] & string)[];
const NAMES = { processes: namesOf('processes'), connections: namesOf('connections') };

/** Returns the entries of a list as they are stored. */
export const valuesOf = {
  processes: (entries: readonly ProcessPart[]): EntryValues[] =>
    entries.map((entry) => NAMES.processes.map((name) => entry[name])),
  connections: (entries: readonly ConnectionPart[]): EntryValues[] =>
    entries.map((entry) => NAMES.connections.map((name) => entry[name])),
};

const isValues = (entry: object): entry is EntryValues => Array.isArray(entry);
/** Returns the entries of a stored list. */
export const entriesOf = <Kind extends ListKind>(kind: Kind, stored: readonly StoredEntry<Kind>[]): Entries[Kind][] =>
  stored.map((entry) =>
    isValues(entry)
      ? (Object.fromEntries(NAMES[kind].map((name, index) => [name, entry[index] ?? null])) as unknown as Entries[Kind])
      : entry,
  );

/** A row with the processes of one moment. */
export interface StoredProcesses {
  /** Sample time, epoch ms. */
  at: number;
  entries: readonly StoredEntry<'processes'>[];
}
export const namedProcesses = ({ at, entries }: StoredProcesses): ProcessList => ({
  at,
  processes: entriesOf('processes', entries),
});

/** Column definitions of an entry for json_to_record. */
export const entryColumns = (kind: ListKind): string =>
  Object.entries(FIELDS[kind])
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ');
/** SQL of a stored entry as an object. `entry` is SQL, too: a name of a column, because each field evaluates it. */
export const entryObject = (kind: ListKind, entry: string): string =>
  `CASE json_typeof(${entry}) WHEN 'array' THEN json_build_object(${NAMES[kind]
    .map((name, index) => `'${name}', ${entry} -> ${index}`)
    .join(', ')}) ELSE ${entry} END`;
