import type { UnitPart } from '@plimsoll/contract/wire/report';
import { cutToBytes } from '../runtime/cut-to-bytes.ts';
import type { Exec } from '../runtime/exec.ts';
import type { Files } from '../runtime/files.ts';
import type { UnitSeen } from './tables/unit-list.ts';
import type { Source } from '../source.ts';

export interface UnitSource extends Source {
  /** Services of the last reading; null before the first and where there is no systemd. */
  seen(): readonly UnitSeen[] | null;
}

const PROPERTIES = 'Id,ActiveState,SubState,Result,NRestarts,ActiveEnterTimestampMonotonic,MainPID';
const NAME_BYTES = 256;

/** State of the services systemd has loaded: one question for all of them. */
export function unitSource(files: Files, exec: Exec): UnitSource {
  let seen: UnitSeen[] | null = null;
  return {
    name: 'units',
    instant: true,
    seen: () => seen,
    read: async () => {
      if (files.stat('run/systemd/system') === null) {
        return { part: {}, note: 'systemd does not run here' };
      }
      seen = parseShow(await exec('systemctl', ['show', '*.service', '-p', PROPERTIES]));
      return { part: { units: shapeUnits(seen) } };
    },
  };
}

/** Output of `systemctl show`: blocks of Key=value with an empty line between them. */
export function parseShow(text: string): UnitSeen[] {
  return text.split(/\n\n+/).flatMap((block) => {
    const values = new Map(block.split('\n').map((line): [string, string] => splitAt(line)));
    const name = values.get('Id');
    if (name === undefined || name === '') return [];
    return [
      {
        name: cutToBytes(name, NAME_BYTES),
        state: values.get('ActiveState') ?? 'unknown',
        subState: values.get('SubState') ?? null,
        restarts: count(values.get('NRestarts')),
        result: values.get('Result') ?? null,
        startedMark: count(values.get('ActiveEnterTimestampMonotonic')),
        mainPid: count(values.get('MainPID')) || null,
      },
    ];
  });
}

function splitAt(line: string): [string, string] {
  const at = line.indexOf('=');
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

/** Old versions of systemd lack NRestarts. */
const count = (text: string | undefined): number | null =>
  text === undefined || !/^\d+$/.test(text) ? null : Number(text);

/** Sorts failed units first. */
export function shapeUnits(seen: readonly UnitSeen[]): UnitPart[] {
  const rank = ({ state }: UnitSeen): number => (state === 'failed' ? 0 : state === 'active' ? 1 : 2);
  return seen
    .toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
    .map(({ name, state, subState, restarts }) => ({ name, state, sub_state: subState, restarts }));
}
