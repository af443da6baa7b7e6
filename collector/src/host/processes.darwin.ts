import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import { cutToBytes } from '../runtime/cut-to-bytes.ts';
import type { Exec } from '../runtime/exec.ts';
import type { Files } from '../runtime/files.ts';
import { type ProcessSeen, topProcesses } from './tables/process-list.ts';
import { increase } from './rate.ts';
import type { Runtime } from '../runtime/native.ts';
import { userNames } from './tables/users.ts';
import type { Moment } from '../source.ts';
import { type ProcessSource, TOP_PROCESSES } from './processes.ts';

/** `comm` is the program's path alone: no argument, and so no secret, is ever read. */
const ARGUMENTS = ['-axwwo', 'pid,ppid,state,rss,time,lstart,uid,comm'];
/**
 * The name the kernel keeps, 16 bytes. A process chooses what `comm` prints, so a few of them can exceed the bytes read
 * from a child; then this list still names every process.
 */
const SHORT_ARGUMENTS = ['-axwwo', 'pid,ppid,state,rss,time,lstart,uid,ucomm'];
const CENTISECONDS = 100;
const KIB = 1024;

/** One line of ps; pages are KiB and ticks hundredths of a second. */
export interface PsProcess extends Omit<ProcessSeen, 'cpuPercent'> {
  uid: number;
  program: string;
}

/** CPU from the growth of the time used: the %cpu of ps is a decaying average. Threads are not told: unknown. */
export function processSourceDarwin(exec: Exec, files: Files, runtime: Runtime): ProcessSource {
  let before: { up: number; byPid: Map<number, PsProcess> } | null = null;
  let seen: ProcessSeen[] = [];
  let up = 0;
  const nameOf = userNames(files, () => up);
  return {
    name: 'processes',
    seen: () => seen,
    read: async (now: Moment) => {
      ({ up } = now);
      const found = new Map(parsePs(await listAll(exec)).map((one) => [one.pid, one]));
      seen = [...found.values()].map((one) => ({ ...one, cpuPercent: cpuPercent(one, before, now) }));
      before = { up: now.up, byPid: found };
      const part = topProcesses(seen, TOP_PROCESSES).map((one) => {
        const { uid, program } = found.get(one.pid) ?? { uid: 0, program: '' };
        return shape(one, program, nameOf(uid), runtime.totalMemoryBytes());
      });
      return { part: { processes: part } };
    },
  };
}

const listAll = (exec: Exec): Promise<string> => exec('ps', ARGUMENTS).catch(() => exec('ps', SHORT_ARGUMENTS));

function cpuPercent(
  one: PsProcess,
  before: { up: number; byPid: Map<number, PsProcess> } | null,
  now: Moment,
): number | null {
  if (!before || now.up <= before.up) return null;
  const then = before.byPid.get(one.pid);
  const isYoung = one.startTicks >= now.ts - (now.up - before.up) - 1;
  const grown =
    then?.startTicks === one.startTicks ? increase(then.cpuTicks, one.cpuTicks) : isYoung ? one.cpuTicks : null;
  return grown === null ? null : grown / (now.up - before.up) / (CENTISECONDS / 100);
}

/** Lines that are cut are left out. The program's path may hold blanks and comes last. */
export function parsePs(text: string): PsProcess[] {
  const pattern =
    /^\s*(\d+)\s+\d+\s+(\S)\S*\s+(\d+)\s+([\d:.-]+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(\d+)\s+(.+)$/;
  return text.split('\n').flatMap((line) => {
    const match = pattern.exec(line);
    if (!match) return [];
    const [, pid, state = 'S', rss, time = '', started = '', uid, program = ''] = match;
    const startTicks = Date.parse(started) / 1000;
    return [
      {
        pid: Number(pid),
        startTicks: Number.isFinite(startTicks) ? startTicks : 0,
        name: program.slice(program.lastIndexOf('/') + 1),
        state: STATES[state] ?? 'S',
        cpuTicks: parseCpuTime(time),
        threads: 0,
        residentPages: Number(rss),
        uid: Number(uid),
        program,
      },
    ];
  });
}

/** ps(1) of macOS: U is a wait that cannot be interrupted. */
const STATES: Readonly<Record<string, string>> = { I: 'I', R: 'R', S: 'S', T: 'T', U: 'D', Z: 'Z' };

/** [[days-]hours:]minutes:seconds.hundredths, in hundredths. */
export function parseCpuTime(text: string): number {
  const [rest = '', days = '0'] = text.split('-').toReversed();
  const seconds = rest.split(':').reduce((sum, word) => sum * 60 + Number(word), 0);
  return Math.round((Number(days) * 86_400 + seconds) * CENTISECONDS);
}

function shape(one: ProcessSeen, program: string, user: string, totalBytes: number): ProcessPart {
  const memoryBytes = one.residentPages * KIB;
  return {
    pid: one.pid,
    name: cutToBytes(one.name.toWellFormed(), 64),
    command: cutToBytes(program.toWellFormed(), 512),
    user,
    status: one.state,
    cpu_percent: one.cpuPercent,
    memory_percent: boundedPercentOf(memoryBytes, totalBytes),
    memory_bytes: memoryBytes,
    threads: null,
    started_at: one.startTicks,
  };
}
