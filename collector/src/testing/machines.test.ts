import { reportItem } from '@plimsoll/contract/wire/report';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collect, linuxSources, type Collected } from '../report.ts';
import type { Source } from '../source.ts';
import { parseMachine, readMachine, type CapturedMachine } from './machine.ts';

/** Reports of whole machines: all sources read twice, 60 seconds apart. CONTRIBUTING.md says how to add one. */
const FOLDER = join(import.meta.dirname, 'machines');
const FIRST_AT = 1_795_000_000;
const WINDOW_SECONDS = 60;

interface Expected {
  report: unknown;
  /** Notes of each source about figures that are missing or thinner. */
  notes: Record<string, string>;
}

/** Only statfs cannot be answered by files, so it is that of the corpus. */
function sourcesOf({ files, exec, statSpace, architecture, allows }: CapturedMachine): Source[] {
  const settings = { region: null, collectorVersion: '1.0.0', architecture, stripArguments: false };
  const switches = { smart: allows.has('smart'), gpu: allows.has('gpu'), zpool: allows.has('zpool') };
  return linuxSources(
    files,
    exec,
    { ...settings, ...switches, watchedProcesses: [], watchedFiles: ['/etc/passwd'] },
    statSpace,
  );
}

async function collectTwice(machine: CapturedMachine): Promise<Collected> {
  const sources = sourcesOf(machine);
  await collect(sources, { ts: FIRST_AT, up: machine.up() }, null, () => 0);
  machine.later();
  const now = { ts: FIRST_AT + WINDOW_SECONDS, up: machine.up() };
  return collect(sources, now, WINDOW_SECONDS, () => 0);
}

const notesOf = ({ sources }: Collected): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sources).flatMap(([name, { ok, error }]) =>
      error === null ? [] : [[name, ok ? error : `failed: ${error}`]],
    ),
  );

/** Rounds to four decimals, because thirds have no end. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'number' ? Math.round(one * 10_000) / 10_000 : one)),
  );

describe.each(readdirSync(FOLDER))('%s', (name) => {
  it('is reported as it is', async () => {
    const expected = JSON.parse(readFileSync(join(FOLDER, name, 'expected.json'), 'utf8')) as Expected;
    const collected = await collectTwice(readMachine(name));
    expect(rounded({ report: collected.report, notes: notesOf(collected) })).toEqual(rounded(expected));
    // The API accepts it whole.
    const { seq, ...accepted } = reportItem.parse({ seq: 1, ...collected.report });
    expect({ seq, accepted }).toEqual({ seq: 1, accepted: collected.report });
  });
});

it('names the line of a machine that has another form', () => {
  expect(() => parseMachine('# rebuilt: a fact\nPath: proc/uptime\n1 1\nOwner: proc/1 0\nstray')).toThrow('line 5');
});
