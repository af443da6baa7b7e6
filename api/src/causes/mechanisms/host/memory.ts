import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { clock, fixed, gigabytes, mostBy } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, moved, part, type HostMoment } from '../../host-moment.ts';
import { beginningOf, growthOf, isRising } from '../../shift.ts';
import { changeLine, commandLine, isNew, type Program } from '../../suspects.ts';
import { quote } from '../../words.ts';
import { trafficOf } from './cpu.ts';
import { changeOf } from './service.ts';

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

const grown = (programs: readonly Program[]): Program[] => mostBy(programs, ({ memoryMore }) => memoryMore);
const mostGrown = (programs: readonly Program[]): Program | undefined =>
  grown(programs.filter(({ countBefore }) => countBefore > 0))[0];
const isPileup = ({ count, countBefore }: Program): boolean =>
  countBefore > 0 && count >= PILEUP_TIMES * countBefore && count - countBefore >= PILEUP_MORE;
/** The program that took the memory: the one that grew, else the largest. */
function memoryTaker({ programs }: HostMoment): Program | undefined {
  const leak = mostGrown(programs);
  return leak !== undefined && leak.memoryMore >= LEAK_BYTES ? leak : mostBy(programs, (one) => one.memoryBytes)[0];
}

/** Swapping that the growth has brought about. */
function swapLine({ shift }: HostMoment): string {
  const swap = shift('swap');
  return swap === null || swap.last - swap.was < 5 ? '' : `the host swaps: ${moved('', swap.was, swap.last).trim()}`;
}

/** Nobody grew with it, or no list of that time is stored to compare with. */
function unexplained({ programs, processesBefore }: HostMoment): string {
  const [largest] = mostBy(programs, ({ memoryBytes }) => memoryBytes);
  if (largest === undefined) return '';
  return processesBefore.length === 0
    ? `${largest.name} uses most, ${gigabytes(largest.memoryBytes)}; no older list of processes is stored to compare with`
    : 'no process of the list grew with it: look at tmpfs, shared memory and the kernel (slabtop)';
}

const TAKES_MEMORY = { brings: ['memory', 'swap', 'io', 'cpu', 'load', 'node'], is: 'memory' } as const;

const memoryLeak = hostMechanism('memory_leak', 'Memory leak', (host) => {
  const { series, week, at, memoryTotalBytes } = host;
  const [growth, shift] = [growthOf(series.memory, at), host.shift('memory')];
  if (growth === null || shift === null) return null;
  const { from, to, perHour } = growth;
  // Only the trend of a daily wave counts: this compares its parts, not two points.
  const points = Math.max(to.value - from.value, (perHour * (to.at - from.at)) / HOUR_SECONDS, shift.last - shift.was);
  const overDays = Math.max(0, (growthOf(week.memory, at, 7 * 24)?.perHour ?? 0) * 24 * 7);
  const top = mostGrown(host.programs);
  const leastBytes = Math.max(LEAK_BYTES, LEAK_SHARE * (points / 100) * (memoryTotalBytes ?? Infinity));
  const program = top !== undefined && !isPileup(top) && top.memoryMore >= leastBytes ? top : null;
  const usual = host.usual('memory');
  const overUsual = usual === null ? null : to.value - usual;
  const isUsual = overUsual !== null && overUsual < OVER_USUAL_POINTS;
  const least = program !== null ? LEAKING_POINTS : overUsual === null ? RISING_POINTS : OVER_USUAL_POINTS;
  const isGrowing = points >= least || (overDays >= 15 && points > 0);
  // A leak creeps: what came in one step is a start, not a leak.
  if (!isGrowing || !shift.gradual) return null;
  if (program === null && (isUsual || !isRising(series.memory, at))) return null;
  const { times, rates } = trafficOf(host);
  return {
    ...TAKES_MEMORY,
    specificity: program !== null && !(times >= 2 && rates >= 2) ? 'broken' : 'state',
    since: from.at,
    guilty: part('process', program?.name),
    finding: program === null ? 'Memory rises steadily.' : `${program.name} uses more and more memory.`,
    evidence: [
      `${moved('memory', from.value, to.value)} since ${clock(from.at)}`,
      overDays >= 15 && `${fixed(overDays)} points in a week, by its trend`,
      program === null
        ? unexplained(host)
        : `${program.name} (pid ${String(program.pid)}) grew by ${gigabytes(program.memoryMore)}`,
      swapLine(host),
      changeLine(host, beginningOf(series.memory, at), top?.name ?? null),
    ],
    next:
      program === null
        ? 'Compare the processes of now with those of some hours ago.'
        : `Restart ${program.name} to win time, and look for the leak in its last release.`,
  };
});

/** A program that came with much memory, or took it in a step. */
const memoryTaken = hostMechanism('memory_taken', 'Memory taken', (host) => {
  const shift = host.shift('memory');
  const points = shift === null ? 0 : Math.max(shift.is, shift.last) - shift.was;
  const [top] = grown(host.programs);
  if (shift === null || host.memoryTotalBytes === null || points < RISING_POINTS) return null;
  if (top === undefined || isPileup(top)) return null;
  const line = `${moved('memory', shift.was, shift.last)} since ${clock(shift.onset)}`;
  if (top.memoryMore < LEAK_SHARE * (points / 100) * host.memoryTotalBytes) return null;
  const isBorn = isNew(top, shift.onset);
  if (!isBorn && shift.gradual) return null;
  return {
    ...TAKES_MEMORY,
    specificity: 'broken',
    since: shift.onset,
    guilty: part('process', top.name),
    finding: `${top.name} ${isBorn ? 'started and took' : 'took'} ${gigabytes(top.memoryMore)} of memory.`,
    evidence: [
      line,
      `${top.name} (pid ${String(top.pid)}) uses ${gigabytes(top.memoryBytes)}`,
      commandLine(top),
      top.startedAt > host.at - 12 * HOUR_SECONDS && `it started at ${clock(top.startedAt)}`,
      swapLine(host),
      changeLine(host, shift.onset, top.name),
    ],
    next: `Limit the memory of ${top.name} (\`systemctl set-property … MemoryMax=\`), or run it elsewhere.`,
  };
});

const processPileup = hostMechanism('process_pileup', 'Processes pile up', ({ programs }) => {
  const [many] = mostBy(programs.filter(isPileup), ({ count, countBefore }) => count - countBefore);
  if (many === undefined) return null;
  const { name, count, countBefore, memoryBytes, cpuPercent } = many;
  return {
    brings: ['memory', 'swap', 'io', 'cpu', 'load', 'connections'],
    specificity: 'broken',
    guilty: part('process', name),
    finding: `Processes of ${name} pile up.`,
    evidence: [
      `${String(countBefore)} → ${String(count)} processes of ${name}`,
      `together ${gigabytes(memoryBytes)} and ${fixed(cpuPercent / 100)} cores`,
    ],
    next: `See what they wait for (\`ps -o stat,wchan -C ${name}\`); a job that starts before its last run has ended needs a lock.`,
  };
});

/** A mean over some minutes below this share: a limit of a container or a unit was reached, and not the end of the memory. */
const FULL_PERCENT = 60;
const OOM = /out of memory|oom[- _]?kill|killed process/i;
/** The kernel, or systemd, killed a process because memory ran out: what grew is guilty, not what was killed. */
const killedForMemory = hostMechanism('killed_for_memory', 'Killed for memory', (host) => {
  const kills = host.said.filter(({ text, kind }) => kind === 'oom_kill' || OOM.test(text));
  const [first] = kills;
  if (first === undefined) return null;
  const isLine = kills.some(({ kind }) => kind === 'oom_kill');
  const ofLimit = kills.find(({ text }) => /memory cgroup out of memory/i.test(text));
  if (ofLimit !== undefined) {
    const stopped = host.said.find(({ kind, text }) => kind === 'service_stop' && OOM.test(text))?.subject ?? null;
    const change = changeOf(host, ofLimit.at, stopped);
    return {
      brings: ['memory', 'swap', 'memory_kill', 'unit', 'crash', 'failing', 'node', 'io', 'load', 'silent'],
      specificity: 'stated',
      since: change?.at ?? ofLimit.at,
      change: change?.change,
      guilty: stopped === null ? part('process', ofLimit.subject) : part('unit', stopped),
      finding: `${stopped ?? ofLimit.subject ?? 'A program'} reached its memory limit, and the kernel killed it.`,
      evidence: [quote(ofLimit), change?.text],
      next: 'Raise the limit (`MemoryMax=` of the unit, or that of the container), or find what grows.',
    };
  }
  const taker = memoryTaker(host);
  const grew = (taker?.memoryMore ?? 0) >= LEAK_BYTES;
  const name = isLine && !grew ? first.subject : (taker?.name ?? null);
  const highest = Math.max(0, ...host.series.memory.map(({ value }) => value ?? 0));
  const isNamed = kills.some(({ subject, kind }) => subject !== null || kind === 'service_stop');
  if (!isNamed && highest > 0 && highest < FULL_PERCENT)
    return {
      brings: ['memory', 'swap'],
      specificity: 'state',
      since: first.at,
      finding: 'The kernel killed a process that reached its own memory limit; the machine itself had memory left.',
      evidence: [quote(kills.at(-1)), `memory was at ${fixed(highest)} %`],
      next: 'See which container or unit it was: `journalctl -k --grep "Killed process"`.',
    };
  return {
    brings: ['memory', 'swap', 'memory_kill', 'unit', 'crash', 'failing', 'node', 'io', 'load', 'silent'],
    specificity: isLine ? 'stated' : 'broken',
    since: first.at,
    guilty: part('process', name),
    finding: 'The host ran out of memory, and the kernel killed a process.',
    evidence: [
      quote(kills.at(-1)),
      kills.length > 1 && `${String(kills.length)} kills in all`,
      highest > 0 && `memory was at ${fixed(highest)} %`,
      taker && `${taker.name} uses ${gigabytes(taker.memoryBytes)}`,
    ],
    next: 'Give the host more memory, or limit the program that grew (`MemoryMax=` of its unit).',
  };
});

const swapping = hostMechanism('swapping', 'Swapping', (host) => {
  const [swap, wait, memory] = [host.shift('swap'), host.shift('io_wait'), host.shift('memory')];
  if (swap === null || swap.last - swap.was < 5) return null;
  if ((wait?.is ?? 0) < 10 && (memory?.last ?? 0) < 90) return null;
  const taker = memoryTaker(host);
  return {
    brings: ['swap', 'memory', 'io', 'cpu', 'load', 'node'],
    is: 'swap',
    specificity: 'changed',
    since: swap.onset,
    guilty: part('process', taker?.name),
    finding: `The host is short of memory and swaps${taker === undefined ? '' : `; ${taker.name} uses most`}.`,
    evidence: [
      moved('swap', swap.was, swap.last),
      wait && moved('IO wait', wait.was, wait.is),
      memory && moved('memory', memory.was, memory.last),
      taker && `${taker.name} uses ${gigabytes(taker.memoryBytes)}`,
      taker &&
        taker.memoryMore >= LEAK_BYTES &&
        taker.countBefore > 0 &&
        `that is ${gigabytes(taker.memoryMore)} more than before`,
    ],
    next: `Give ${taker?.name ?? 'the largest process'} less memory, or move it.`,
  };
});

export const memoryMechanisms: readonly Mechanism[] = [
  memoryLeak,
  memoryTaken,
  processPileup,
  killedForMemory,
  swapping,
];
