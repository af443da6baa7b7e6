import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import { fails } from './collector-status.ts';
import { describeRefusals, reasonOf, type KeptRefusal } from './refusals.ts';

/** Returns the state of a reader that works but left something out as `incomplete`, with what it left out. */
export function withLeftOut(reader: ReaderStatePart, more: readonly string[] = []): ReaderStatePart {
  const reasons = [...(reader.left_out ?? []), ...more];
  if (reasons.length === 0 || fails(reader)) return reader;
  return { ...reader, state: 'incomplete', detail: describeRefusals(reasons) };
}

/**
 * Returns the readers of a collector with what the API could not store of their objects. A reader that the collector does
 * not name gets an entry of its own.
 */
export function readersWithRefusals(
  readers: readonly ReaderStatePart[],
  refusals: readonly KeptRefusal[],
): ReaderStatePart[] {
  const of = (name: string): KeptRefusal[] => refusals.filter(({ reader }) => reader === name);
  const known = new Set(readers.map(({ name }) => name));
  const unknown = [...new Set(refusals.map(({ reader }) => reader))].filter((name) => !known.has(name));
  return [
    ...readers.map((reader) => withLeftOut(reader, of(reader.name).map(reasonOf))),
    ...unknown.map((name): ReaderStatePart => {
      const those = of(name);
      const since = Math.min(...those.map((one) => one.since)) / 1000;
      return { name, state: 'incomplete', detail: describeRefusals(those.map(reasonOf)), since, needs: null };
    }),
  ];
}
