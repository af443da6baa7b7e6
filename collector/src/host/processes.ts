import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import { type KernelUnits, kernelUnits } from './tables/auxv.ts';
import { showCommand } from './command-line.ts';
import { cutToBytes } from '../runtime/cut-to-bytes.ts';
import type { Files } from '../runtime/files.ts';
import { hiddenProcesses } from './tables/hidden-processes.ts';
import { type ProcessSeen, topProcesses } from './tables/process-list.ts';
import { processTable } from './tables/process-table.ts';
import { hostClock } from './enclosure/host-clock.ts';
import { type UserName, userNames } from './tables/users.ts';
import type { Moment, Source } from '../source.ts';

/**
 * Read of one command line: its owner may give a process megabytes of arguments, and 512 bytes are sent. Redacting the
 * worst 1 KiB takes 2 ms in the interpreted runtime, the worst 4 KiB 15 ms.
 */
const COMMAND_LINE_BYTES = 1024;
/** Sent: so many by CPU and so many by memory, at most twice as many together. */
export const TOP_PROCESSES = 50;

export interface ProcessSettings {
  /** Sends the program's name only. */
  stripArguments: boolean;
}
export interface ProcessSource extends Source {
  /** All processes of the last reading, for those who look for changes. */
  seen(): readonly ProcessSeen[];
}
/** Facts that stay while a process runs one program, kept while it is among the top. */
interface Described {
  startTicks: number;
  /** Name the kernel gives, as it was when the rest was read. */
  comm: string;
  name: string;
  command: string;
  startedAt: number;
}

/** The processes that use most CPU and memory. CPU is per cent of one core since the reading before. */
export function processSource(files: Files, settings: ProcessSettings): ProcessSource {
  const units = kernelUnits(files);
  const readAll = processTable(files, units.ticksPerSecond);
  let seen: readonly ProcessSeen[] = [];
  let described = new Map<number, Described>();
  let up = 0;
  const nameOf = userNames(files, () => up);
  const reasonOfHidden = hiddenProcesses(files);
  const aheadOf = hostClock(files, units.ticksPerSecond);
  return {
    name: 'processes',
    seen: () => seen,
    read: async (now: Moment) => {
      ({ up } = now);
      const clock = { ts: now.ts, up: now.up + aheadOf(now) };
      const all = readAll(clock.up);
      const top = topProcesses(all, TOP_PROCESSES);
      const known = described;
      described = new Map(
        top.map((one) => [one.pid, describe(files, one, known.get(one.pid), clock, units, settings)]),
      );
      seen = withSentNames(all, top, described);
      const totalBytes = memoryTotal(files);
      const part = top.map((one) =>
        shapeProcess(one, described.get(one.pid), units, totalBytes, ownerOf(files, one.pid, nameOf)),
      );
      const note = reasonOfHidden();
      return { part: { processes: part }, ...(note !== null && { note }) };
    },
  };
}

/** Gives each process the name that is sent, so that changes use the same name. */
function withSentNames(
  all: readonly ProcessSeen[],
  top: readonly ProcessSeen[],
  described: ReadonlyMap<number, Described>,
): readonly ProcessSeen[] {
  const renamed = new Map<ProcessSeen, ProcessSeen>();
  for (const one of top) {
    const name = described.get(one.pid)?.name ?? one.name;
    if (name !== one.name) renamed.set(one, { ...one, name });
  }
  return renamed.size === 0 ? all : all.map((one) => renamed.get(one) ?? one);
}

/** A kernel thread, or a process that has ended. */
const NO_COMMAND_LINE = { text: '', whole: true };

function describe(
  files: Files,
  { pid, name, startTicks }: ProcessSeen,
  known: Described | undefined,
  now: Moment,
  units: KernelUnits,
  settings: ProcessSettings,
): Described {
  // exec keeps pid and start time, and changes the name: what was read before it describes another program.
  if (known?.startTicks === startTicks && known.comm === name) return known;
  const read = files.head(`proc/${pid}/cmdline`, COMMAND_LINE_BYTES) ?? NO_COMMAND_LINE;
  const raw = read.text;
  const command = showCommand(read, name, settings.stripArguments);
  return {
    startTicks,
    comm: name,
    name: fullName(name, raw),
    command,
    startedAt: Math.max(0, now.ts - now.up + startTicks / units.ticksPerSecond),
  };
}

/** The kernel keeps 15 bytes of a name, and runtimes name their main thread: then the program's file tells more. */
export function fullName(name: string, rawCommand: string): string {
  const program = rawCommand.split('\0', 1)[0] ?? '';
  const file = program.slice(program.lastIndexOf('/') + 1);
  const cut = name.length >= 15 && file.startsWith(name) && !file.includes(' ');
  return cutToBytes((cut || (name === 'MainThread' && file !== '') ? file : name).toWellFormed(), 64);
}

const ownerOf = (files: Files, pid: number, nameOf: UserName): string => {
  const uid = files.stat(`proc/${pid}`)?.uid;
  return uid === undefined ? '' : nameOf(uid);
};

/** The kernel has letters the spec has not: t (traced) is stopped, x dead, P and K waking. */
const STATES: Readonly<Record<string, string>> = { t: 'T', x: 'X', P: 'S', K: 'S' };

function shapeProcess(
  one: ProcessSeen,
  described: Described | undefined,
  units: KernelUnits,
  totalBytes: number | null,
  user: string,
): ProcessPart {
  const memoryBytes = one.residentPages * units.pageBytes;
  return {
    pid: one.pid,
    name: described?.name ?? one.name,
    command: described?.command ?? '',
    user,
    status: STATES[one.state] ?? one.state,
    cpu_percent: one.cpuPercent,
    memory_percent: boundedPercentOf(memoryBytes, totalBytes),
    memory_bytes: memoryBytes,
    threads: one.threads,
    started_at: described?.startedAt ?? 0,
  };
}

function memoryTotal(files: Files): number | null {
  const match = /^MemTotal:\s+(\d+) kB/m.exec(files.optional('proc/meminfo') ?? '');
  return match ? Number(match[1]) * 1024 : null;
}
