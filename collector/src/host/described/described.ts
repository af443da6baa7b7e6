import { DESCRIBED_LIMITS } from '@plimsoll/contract/rules/described-kinds';
import { redactText } from '@plimsoll/contract/redaction/text';
import type { HostSectionPart } from '@plimsoll/contract/wire/described-object';
import type { Files } from '../../runtime/files.ts';
import type { Source } from '../../source.ts';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { Entries } from './packages.ts';
import { type SectionReader, sectionReaders, type SectionSettings } from './sections.ts';

/** A report that the spool dropped may have held a change, so each section is sent again after this time. */
const AGAIN_SECONDS = 6 * 3600;

interface Sent {
  entries: Entries;
  /** JSON of the section. */
  text: string;
  up: number;
  /** Uptime of the last reading. */
  readUp: number;
}

/**
 * Describes the parts of the host whose change matters. A section is sent after a start, when it changed, and now and
 * then; the API compares it with the one before. Nothing is stored here, so a change while the collector was off is found
 * too, and a restart invents none.
 */
export function describedSource(files: Files, settings: SectionSettings): Source {
  const readers = sectionReaders(files, settings);
  const sent = new Map<string, Sent>();
  return {
    name: 'described',
    // The first reading is sent: there is none before it to compare with.
    instant: true,
    read: async ({ up }) => {
      const described = readers.flatMap((reader) => {
        const before = sent.get(reader.section);
        const age = before === undefined ? Infinity : up - before.readUp;
        if (before !== undefined && age >= 0 && age < (reader.everySeconds ?? 0)) return [];
        const entries = reader.read();
        if (entries === null) return [];
        if (before !== undefined) before.readUp = up;
        const isDue = before === undefined || up < before.up || up - before.up >= AGAIN_SECONDS;
        // Packages come from a cache while their database stays.
        if (!isDue && before.entries === entries) return [];
        const part = partOf(reader, entries);
        const text = JSON.stringify(part);
        if (!isDue && before.text === text) return [];
        sent.set(reader.section, { entries, text, up, readUp: up });
        return [part];
      });
      return { part: described.length > 0 ? { described } : {} };
    },
  };
}

const partOf = ({ section, form }: SectionReader, entries: NonNullable<Entries>): HostSectionPart => ({
  section,
  form,
  entries: boundedEntries(entries),
});

/** By name, so that the same state has the same text, and within the limits of the API. */
function boundedEntries(entries: NonNullable<Entries>): Record<string, string> {
  const sorted = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, DESCRIBED_LIMITS.hostEntries);
  return Object.fromEntries(
    sorted.map(([name, value]) => {
      const shown = cutToBytes(redactText(value), DESCRIBED_LIMITS.valueBytes);
      return [redactText(name).slice(0, DESCRIBED_LIMITS.pathCharacters), shown];
    }),
  );
}
