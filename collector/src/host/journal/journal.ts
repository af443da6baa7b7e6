import { MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';
import type { EventPart } from '@plimsoll/contract/wire/report';
import type { Exec } from '../../runtime/exec.ts';
import type { Files } from '../../runtime/files.ts';
import { sha256Hex } from '../../runtime/machine-identity.ts';
import type { Moment, Source } from '../../source.ts';
import { eventOf, foldLines } from './fold-lines.ts';
import { type JournalEntry, parseJournal } from './journal-entries.ts';

/** The environment of this process, as the drop-in of the installer's --with-journal sets it. */
const ENVIRONMENT = 'proc/self/environ';
const ALLOWED = /(?:^|\0)PLIMSOLL_JOURNAL=(?:true|yes|on|1)(?:\0|$)/i;
const FOLDERS = ['var/log/journal', 'run/log/journal'];
/** Minutes before this one that a start reads: what was said while the collector was down, or before the host was. */
const CATCH_UP = 5;
/** journald may write an entry some seconds after it received it. */
const GRACE_SECONDS = 3;
/** Newest entries of one call. A field has at most 4,096 bytes, as bytes in JSON five times as much. */
const MOST_ENTRIES = 300;
const FIELDS = 'PRIORITY,_TRANSPORT,UNIT,_SYSTEMD_UNIT,SYSLOG_IDENTIFIER,MESSAGE';
const KERNEL = ['_TRANSPORT=kernel'];
const ERRORS = ['PRIORITY=0', 'PRIORITY=1', 'PRIORITY=2', 'PRIORITY=3'];

/**
 * Events of the last reading, by the files of their host. A report has one list of events, and that of the activity source
 * replaces this one's.
 */
const readings = new WeakMap<Files, readonly EventPart[]>();

/** Returns the lines that the journal's source found in this reading. */
export const linesOfReading = (files: Files): readonly EventPart[] => readings.get(files) ?? [];

/** Returns true if root let the collector read the journal. */
export const mayReadJournal = (files: Files): boolean => ALLOWED.test(files.optional(ENVIRONMENT) ?? '');

/**
 * Reads the minutes of the journal that are over since the reading before, each minute whole: lines and their counts are the
 * same whoever reads it again, so the API stores each once.
 */
export function journalSource(files: Files, exec: Exec): Source {
  let readUntil: number | null = null;
  return {
    name: 'journal',
    instant: true,
    read: async ({ ts }: Moment) => {
      readings.delete(files);
      const until = Math.floor((ts - GRACE_SECONDS) / MINUTE_SECONDS) * MINUTE_SECONDS;
      const earliest = until - CATCH_UP * MINUTE_SECONDS;
      // A clock that was set back makes minutes again. Their lines are known by their ids.
      const from = readUntil === null || readUntil > until ? earliest : Math.max(readUntil, earliest);
      if (from >= until) return { part: {} };
      const { entries, isCut } = await readEntries(files, exec, from, until);
      const { lines, leftOut } = foldLines(entries);
      const events: EventPart[] = [];
      for (const line of lines) events.push(await eventOf(line, sha256Hex));
      readings.set(files, events);
      readUntil = until;
      const notes = [
        ...(isCut ? [`only the newest ${String(MOST_ENTRIES)} entries are counted`] : []),
        ...(leftOut > 0 ? [`${String(leftOut)} more distinct lines are left out`] : []),
      ];
      return { part: { events }, ...(notes.length > 0 && { note: notes.join('; ') }) };
    },
  };
}

interface Entries {
  entries: JournalEntry[];
  isCut: boolean;
}

/**
 * Returns the entries in the order of the journal, also of those in one millisecond. One child, and in a flood two: errors of
 * programs then hide no event of the kernel.
 */
async function readEntries(files: Files, exec: Exec, from: number, until: number): Promise<Entries> {
  if (FOLDERS.every((folder) => files.list(folder).length === 0))
    throw new Error(
      'no journal can be read: /var/log/journal and /run/log/journal are empty or closed to the collector',
    );
  const read = async (matches: readonly string[]): Promise<JournalEntry[]> =>
    parseJournal(await exec('journalctl', [...argumentsOf(from, until), ...matches])).toReversed();
  const all = await read([...KERNEL, '+', ...ERRORS]);
  const isCut = all.length >= MOST_ENTRIES;
  const entries = isCut ? [...(await read(KERNEL)), ...all.filter(({ isKernel }) => !isKernel)] : all;
  return { entries: entries.filter(({ at }) => at >= from * 1000 && at < until * 1000), isCut };
}

const argumentsOf = (from: number, until: number): string[] => [
  '--output=json',
  `--output-fields=${FIELDS}`,
  '--quiet',
  '--no-pager',
  '--reverse',
  `--lines=${String(MOST_ENTRIES)}`,
  `--since=@${String(from)}`,
  `--until=@${String(until)}`,
];
