import type { Exec } from '../runtime/exec.ts';
import type { UnitSeen } from './tables/unit-list.ts';
import type { Source } from '../source.ts';
import { shapeUnits, type UnitSource } from './units.ts';

/** At every second reading: a child process each, and jobs of launchd come and go slowly. */
const EVERY = 2;

/** Jobs of launchd in the system's domain. */
export function unitSourceDarwin(exec: Exec): UnitSource & Source {
  let seen: UnitSeen[] | null = null;
  let readings = 0;
  return {
    name: 'units',
    instant: true,
    seen: () => seen,
    read: async () => {
      if (readings % EVERY === 1 || seen === null) seen = parseLaunchctl(await exec('launchctl', ['list']));
      readings += 1;
      return { part: { units: shapeUnits(seen) } };
    },
  };
}

/** `launchctl list`: pid or "-", last exit status (negative: the signal), label. Apple's own jobs are left out. */
export function parseLaunchctl(text: string): UnitSeen[] {
  return text.split('\n').flatMap((line) => {
    const match = /^(\d+|-)\t(-?\d+|-)\t(\S+)$/.exec(line.trimEnd());
    if (match?.[3] === undefined || match[3].startsWith('com.apple.')) return [];
    const pid = match[1] === '-' ? null : Number(match[1]);
    const status = match[2] === '-' ? 0 : Number(match[2]);
    const result = status === 0 ? 'success' : status < 0 ? 'signal' : 'exit-code';
    const state = pid !== null ? 'active' : status === 0 ? 'inactive' : 'failed';
    return [{ name: match[3], state, subState: null, restarts: null, result, startedMark: pid, mainPid: pid }];
  });
}
