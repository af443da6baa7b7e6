import { clock, fixed, gigabytes, HOUR } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, process, type Find, type HostMoment } from '../../host-moment.ts';
import { beginningOf, growthOf, shiftOf, usualAt } from '../../shift.ts';
import { changesBefore, commandLine, isNew, programsOf, type Program } from '../../suspects.ts';
import { trafficOf } from './cpu.ts';

/** Share of the growth of the host's memory that one program must explain. */
const LEAK_SHARE = 0.5;
/** Growth of the host's memory in points: without a program that explains it, and with one. */
const RISING_POINTS = 8;
const LEAKING_POINTS = 2;
/** Points above the usual level of the hour from which a small growth counts, and below which it is the wave of the day. */
const OVER_USUAL_POINTS = 3;
/** Bytes that a program must have grown by: less is a cache. */
const LEAK_BYTES = 256 * 2 ** 20;
/** Processes of one program that are too many: this many times those before, and this many more. */
const PILEUP_TIMES = 2.5;
const PILEUP_MORE = 8;

const grownBy = (program: Program): number => program.memoryBytes - program.memoryBefore;
const mostGrown = (programs: readonly Program[]): Program | undefined =>
  programs.filter(({ countBefore }) => countBefore > 0).toSorted((a, b) => grownBy(b) - grownBy(a))[0];
const isPileup = ({ count, countBefore }: Program): boolean =>
  countBefore > 0 && count >= PILEUP_TIMES * countBefore && count - countBefore >= PILEUP_MORE;

/** Swapping that the growth has brought about. */
function swapLine({ series, at }: HostMoment): string[] {
  const swap = shiftOf(series.swap, at);
  return swap === null || swap.last - swap.was < 5
    ? []
    : [`the host swaps: ${fixed(swap.was)} % → ${fixed(swap.last)} %`];
}
/** A change shortly before the growth began. */
function changeLine(evidence: HostMoment, onset: number | null, name: string | null): string[] {
  const [change] = onset === null ? [] : changesBefore(evidence, onset, name);
  return change === undefined ? [] : [`a change came before it, at ${clock(change.at)}: ${change.text}`];
}

/** Nobody grew with it, or no list of that time is stored to compare with. */
function unexplained(evidence: HostMoment): string[] {
  const [largest] = programsOf(evidence).toSorted((a, b) => b.memoryBytes - a.memoryBytes);
  if (largest === undefined) return [];
  return evidence.processesBefore.length === 0
    ? [
        `${largest.name} uses most, ${gigabytes(largest.memoryBytes)}; no older list of processes is stored to compare with`,
      ]
    : ['no process of the list grew with it: look at tmpfs, shared memory and the kernel (slabtop)'];
}

const memoryLeak: Find = (evidence) => {
  const { series, week, at, memoryTotalBytes } = evidence;
  const growth = growthOf(series.memory, at);
  const shift = shiftOf(series.memory, at);
  if (growth === null || shift === null) return null;
  const days = growthOf(week.memory, at, 7 * 24);
  // Only the trend of a daily wave counts: this compares its parts, not two points.
  const points = Math.max(growth.to.value - growth.from.value, growth.perHour * 12, shift.last - shift.was);
  const overDays = days === null ? 0 : Math.max(0, days.perHour * 24 * 7);
  const { times, rates } = trafficOf(evidence);
  const program = mostGrown(programsOf(evidence));
  const total = memoryTotalBytes === null ? null : (points / 100) * memoryTotalBytes;
  const explains =
    program !== undefined &&
    !isPileup(program) &&
    total !== null &&
    grownBy(program) >= Math.max(LEAK_BYTES, LEAK_SHARE * total);
  const usual = usualAt(week.memory, at);
  const overUsual = usual === null ? null : growth.to.value - usual;
  if (!explains && overUsual !== null && overUsual < OVER_USUAL_POINTS) return null;
  const least = explains ? LEAKING_POINTS : overUsual === null ? RISING_POINTS : OVER_USUAL_POINTS;
  if (points < least && !(overDays >= 15 && points > 0)) return null;
  // A leak creeps: what came in one step is a start, not a leak.
  if (!shift.gradual) return null;
  if (!explains && !isRising(series.memory, at, growth.from.value)) return null;
  return {
    id: 'memory_leak',
    specificity: explains && !(times >= 2 && rates >= 2) ? 'broken' : 'state',
    since: growth.from.at,
    guilty: explains ? process(program.name) : [],
    finding: explains ? `${program.name} uses more and more memory.` : 'Memory rises steadily.',
    evidence: [
      `memory ${fixed(growth.from.value)} % → ${fixed(growth.to.value)} % since ${clock(growth.from.at)}`,
      overDays >= 15 && `${fixed(overDays)} points in a week, by its trend`,
      ...(explains ? [] : unexplained(evidence)),
      explains && `${program.name} (pid ${String(program.pid)}) grew by ${gigabytes(grownBy(program))}`,
      ...swapLine(evidence),
      ...changeLine(evidence, beginningOf(series.memory, at), program?.name ?? null),
    ],
    next: explains
      ? `Restart ${program.name} to win time, and look for the leak in its last release.`
      : 'Compare the processes of now with those of some hours ago.',
  };
};

/** Most points are above the one before: a wave is not. */
function isRising(points: Parameters<typeof growthOf>[0], at: number, from: number): boolean {
  const known = points.flatMap(({ at: time, value }) =>
    value !== null && time <= at && time > at - 12 * HOUR ? [value] : [],
  );
  const up = known.filter((value, index) => index > 0 && value >= (known[index - 1] ?? from) - 0.5);
  return up.length >= 0.8 * (known.length - 1);
}

/** A program that came with much memory, or took it in a step. */
const memoryTaken: Find = (evidence) => {
  const { series, at, memoryTotalBytes, metric } = evidence;
  const shift = shiftOf(series.memory, at);
  if (shift === null || memoryTotalBytes === null || Math.max(shift.is, shift.last) - shift.was < RISING_POINTS)
    return null;
  const bytes = ((Math.max(shift.is, shift.last) - shift.was) / 100) * memoryTotalBytes;
  const [top] = programsOf(evidence).toSorted((a, b) => grownBy(b) - grownBy(a));
  if (top === undefined || isPileup(top)) return null;
  if (grownBy(top) < LEAK_SHARE * bytes)
    return shift.gradual || metric?.startsWith('memory') !== true
      ? null
      : {
          id: 'memory_taken',
          specificity: 'state',
          finding: 'Memory rose in a step, and no process of the list explains it.',
          evidence: [
            `memory ${fixed(shift.was)} % → ${fixed(shift.last)} % since ${clock(shift.onset)}`,
            ...swapLine(evidence),
          ],
          next: 'Look at many small processes, tmpfs, shared memory and the kernel (`slabtop`).',
        };
  const born = isNew(top, shift.onset);
  if (!born && shift.gradual) return null;
  return {
    id: 'memory_taken',
    specificity: 'broken',
    since: shift.onset,
    guilty: process(top.name),
    finding: `${top.name} ${born ? 'started and took' : 'took'} ${gigabytes(grownBy(top))} of memory.`,
    evidence: [
      `memory ${fixed(shift.was)} % → ${fixed(shift.last)} % since ${clock(shift.onset)}`,
      `${top.name} (pid ${String(top.pid)}) uses ${gigabytes(top.memoryBytes)}`,
      ...commandLine(top),
      top.startedAt > at - 12 * HOUR && `it started at ${clock(top.startedAt)}`,
      ...swapLine(evidence),
      ...changeLine(evidence, shift.onset, top.name),
    ],
    next: `Limit the memory of ${top.name} (\`systemctl set-property … MemoryMax=\`), or run it elsewhere.`,
  };
};

const processPileup: Find = (evidence) => {
  const [many] = programsOf(evidence)
    .filter(isPileup)
    .toSorted((a, b) => b.count - b.countBefore - (a.count - a.countBefore));
  if (many === undefined) return null;
  return {
    id: 'process_pileup',
    specificity: 'broken',
    guilty: process(many.name),
    finding: `Processes of ${many.name} pile up.`,
    evidence: [
      `${String(many.countBefore)} → ${String(many.count)} processes of ${many.name}`,
      `together ${gigabytes(many.memoryBytes)} and ${fixed(many.cpuPercent / 100)} cores`,
    ],
    next: `See what they wait for (\`ps -o stat,wchan -C ${many.name}\`); a job that starts before its last run has ended needs a lock.`,
  };
};

/** The kernel, or systemd, killed a process because memory ran out. */
const OOM = /out of memory|oom[- _]?kill|killed process|oom-kill/i;
const killedForMemory: Find = (evidence) => {
  const { events, at, series } = evidence;
  const kills = events.filter(
    ({ message, at: time }) => OOM.test(message) && time <= at + HOUR && time > at - 3 * HOUR,
  );
  const [last] = kills.toSorted((a, b) => b.at - a.at);
  if (last === undefined) return null;
  const highest = Math.max(0, ...series.memory.flatMap(({ value }) => (value === null ? [] : [value])));
  const programs = programsOf(evidence);
  const grown = mostGrown(programs);
  const largest = programs.toSorted((a, b) => b.memoryBytes - a.memoryBytes)[0];
  const suspect = grown !== undefined && grownBy(grown) >= LEAK_BYTES ? grown : largest;
  return {
    id: 'killed_for_memory',
    specificity: 'broken',
    since: kills.toSorted((a, b) => a.at - b.at)[0]?.at ?? last.at,
    guilty: suspect === undefined ? [] : process(suspect.name),
    finding: 'The host ran out of memory, and the kernel killed a process.',
    evidence: [
      `${last.message} at ${clock(last.at)}${kills.length > 1 ? `, ${String(kills.length)} kills in all` : ''}`,
      highest > 0 && `memory was at ${fixed(highest)} %`,
      suspect !== undefined && `${suspect.name} uses ${gigabytes(suspect.memoryBytes)}`,
    ],
    next: 'Give the host more memory, or limit the program that grew (`MemoryMax=` of its unit).',
  };
};

const swapping: Find = (evidence) => {
  const { series, at } = evidence;
  const swap = shiftOf(series.swap, at);
  const wait = shiftOf(series.io_wait, at);
  const memory = shiftOf(series.memory, at);
  if (swap === null || swap.last - swap.was < 5) return null;
  if (!((wait !== null && wait.is >= 10) || (memory !== null && memory.last >= 90))) return null;
  const programs = programsOf(evidence);
  const grown = mostGrown(programs);
  const largest = programs.toSorted((a, b) => b.memoryBytes - a.memoryBytes)[0];
  const suspect = grown !== undefined && grownBy(grown) >= LEAK_BYTES ? grown : largest;
  return {
    id: 'swapping',
    specificity: 'changed',
    since: swap.onset,
    guilty: suspect === undefined ? [] : process(suspect.name),
    finding: `The host is short of memory and swaps${suspect === undefined ? '' : `; ${suspect.name} uses most`}.`,
    evidence: [
      `swap ${fixed(swap.was)} % → ${fixed(swap.last)} %`,
      wait !== null && `IO wait ${fixed(wait.was)} % → ${fixed(wait.is)} %`,
      memory !== null && `memory ${fixed(memory.was)} % → ${fixed(memory.last)} %`,
      suspect !== undefined &&
        `${suspect.name} uses ${gigabytes(suspect.memoryBytes)}${grownBy(suspect) >= LEAK_BYTES && suspect.countBefore > 0 ? `, ${gigabytes(grownBy(suspect))} more than before` : ''}`,
    ],
    next: `Give ${suspect?.name ?? 'the largest process'} less memory, or move it.`,
  };
};

export const memoryMechanisms: readonly Mechanism[] = [
  hostMechanism({
    id: 'memory_leak',
    title: 'Memory leak',
    brings: ['memory', 'swap', 'io', 'cpu', 'load', 'node'],
    is: 'memory',
    find: memoryLeak,
  }),
  hostMechanism({
    id: 'memory_taken',
    title: 'Memory taken',
    brings: ['memory', 'swap', 'io', 'cpu', 'load', 'node'],
    is: 'memory',
    find: memoryTaken,
  }),
  hostMechanism({
    id: 'process_pileup',
    title: 'Processes pile up',
    brings: ['memory', 'swap', 'io', 'cpu', 'load', 'connections'],
    find: processPileup,
  }),
  hostMechanism({
    id: 'killed_for_memory',
    title: 'Killed for memory',
    brings: ['memory', 'memory_kill', 'unit', 'crash', 'node'],
    find: killedForMemory,
  }),
  hostMechanism({
    id: 'swapping',
    title: 'Swapping',
    brings: ['swap', 'memory', 'io', 'cpu', 'load', 'node'],
    is: 'swap',
    find: swapping,
  }),
];
