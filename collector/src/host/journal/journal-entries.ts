/** One entry of the journal. */
export interface JournalEntry {
  /** When journald received it, epoch ms. */
  at: number;
  /** Seconds since boot; null: not given. */
  up: number | null;
  /** 0 emergency … 7 debug. */
  priority: number;
  isKernel: boolean;
  /** Service, or the program outside of a service. */
  unit: string | null;
  text: string;
}

const UNIT_CHARACTERS = 128;
/** journalctl prints no field above 4,096 bytes. Redaction costs time for each character, and a screen shows 400. */
const TEXT_CHARACTERS = 2048;
const TOO_LONG = '(a line above 4,096 bytes)';
/** Colours and other commands for a terminal: CSI, OSC with its end, and two-byte sequences. */
const [BELL, ESCAPE] = [String.fromCodePoint(7), String.fromCodePoint(27)];
const TERMINAL = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[ -/]*[0-~])`,
  'g',
);

/** Returns a text of one line, without control characters and halves of characters. */
const plainText = (text: string, most = TEXT_CHARACTERS): string =>
  text
    .slice(0, most * 2)
    .replaceAll(TERMINAL, '')
    .replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();

/** Parses the output of `journalctl --output=json`. Lines that are no entry are left out. */
export const parseJournal = (output: string): JournalEntry[] =>
  output.split('\n').flatMap((line) => entryOf(line) ?? []);

function entryOf(line: string): JournalEntry | null {
  if (!line.startsWith('{')) return null;
  const fields = objectOf(line);
  const micros = Number(fields?.['__REALTIME_TIMESTAMP'] ?? Number.NaN);
  if (fields === null || !Number.isFinite(micros) || micros <= 0) return null;
  const text = plainText(textOf(fields['MESSAGE']));
  if (text === '') return null;
  const booted = Number(fields['__MONOTONIC_TIMESTAMP'] ?? Number.NaN);
  const priority = Number(fields['PRIORITY'] ?? Number.NaN);
  const isKernel = fields['_TRANSPORT'] === 'kernel';
  return {
    at: Math.floor(micros / 1000),
    up: Number.isFinite(booted) ? booted / 1_000_000 : null,
    priority: Number.isInteger(priority) && priority >= 0 && priority <= 7 ? priority : 6,
    isKernel,
    unit: isKernel ? 'kernel' : unitOf(fields),
    text,
  };
}

function objectOf(line: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : null;
  } catch {
    return null;
  }
}

/** systemd logs about a unit in its own name; a session has no service, so its program names it. */
function unitOf(fields: Record<string, unknown>): string | null {
  const names = [fields['UNIT'], fields['_SYSTEMD_UNIT']].filter(isText);
  const unit = names.find((name) => !name.endsWith('.scope')) ?? textOf(fields['SYSLOG_IDENTIFIER']);
  const plain = plainText(unit, UNIT_CHARACTERS);
  return plain === '' ? null : plain;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A text that is no UTF-8 arrives as its bytes, a field that is there twice as a list, one that is too long as null. */
function textOf(value: unknown): string {
  if (isText(value)) return value;
  if (value === null) return TOO_LONG;
  if (!Array.isArray(value)) return '';
  const [first] = value;
  if (isText(first)) return first;
  if (Array.isArray(first)) return textOf(first);
  return new TextDecoder().decode(Uint8Array.from(value.filter((byte) => typeof byte === 'number')));
}
