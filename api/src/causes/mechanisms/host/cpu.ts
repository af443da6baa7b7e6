import { clock, fixed, gigabytes, HOUR, megabytesPerSecond } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, process, type Find, type HostMoment } from '../../host-moment.ts';
import { riseOf, shiftOf, usualAt, weeklyFactor, type Shift } from '../../shift.ts';
import { changesBefore, commandLine, isNew, programsOf, risingPod, type Program } from '../../suspects.ts';
import { BULK_READERS } from './disk.ts';

/** Rise of the CPU, in points, that needs a cause. */
const RISE_POINTS = 12;
/** Share of the rise that one program, or pod, must explain. */
const RISE_SHARE = 0.4;

interface CpuRise {
  shift: Shift;
  cores: number;
  /** Program that rose most, if it explains the rise. */
  program: Program | null;
}
function cpuRise(evidence: HostMoment): CpuRise | null {
  const { series, week, at, cpuCores } = evidence;
  const shift = riseOf(series.cpu, week.cpu, at);
  if (shift === null || cpuCores === null) return null;
  const is = Math.max(shift.is, shift.last);
  if (is - shift.was < RISE_POINTS) return null;
  const cores = ((is - shift.was) / 100) * cpuCores;
  const [top] = programsOf(evidence).toSorted((a, b) => moreOf(b) - moreOf(a));
  const program = top !== undefined && moreOf(top) / 100 >= RISE_SHARE * cores ? top : null;
  return { shift, cores, program };
}
const moreOf = (program: Program): number => program.cpuPercent - program.cpuBefore;
const cpuLine = ({ was, is, onset }: Shift): string => `CPU ${fixed(was)} % → ${fixed(is)} % since ${clock(onset)}`;

interface Traffic {
  connections: Shift | null;
  receive: Shift | null;
  /** Factors; 1 where nothing is known. */
  times: number;
  rates: number;
}
export function trafficOf({ series, week, at }: HostMoment): Traffic {
  const factor = (shift: Shift | null): number => (shift === null || shift.was <= 0 ? 1 : shift.is / shift.was);
  const [connections, receive] = [
    riseOf(series.connections, week.connections, at),
    riseOf(series.receive, week.receive, at),
  ];
  return { connections, receive, times: factor(connections), rates: factor(receive) };
}
/** Traffic that grew less than this does not explain a program that serves it. */
const MORE_TIMES = 1.6;
const MORE_RATES = 1.5;

/** A change of the image, of a configuration or a package, after which the same work costs more. */
const cpuAfterChange: Find = (evidence) => {
  const rise = cpuRise(evidence);
  if (rise === null) return null;
  const { shift, cores, program } = rise;
  const pod = risingPod(evidence, shift.onset);
  const podCores = pod === null ? 0 : pod.is - pod.was;
  const byPod = pod !== null && pod.image !== null && podCores >= RISE_SHARE * cores ? pod : null;
  const changes = changesBefore(evidence, shift.onset, program?.name ?? null);
  const image = changes.find((change) => change.image !== null);
  const host = changes.find((change) => change.image === null);
  const change = byPod?.image
    ? { at: byPod.image.at, text: `image ${byPod.image.from} → ${byPod.image.to}` }
    : (image ?? host);
  if (change === undefined || change.at < shift.onset - HOUR) return null;
  // A program that a change has just started anew runs on; one that was not there before is a job.
  if (byPod === null && image === undefined && (program === null || program.countBefore === 0)) return null;
  const traffic = trafficOf(evidence);
  if (traffic.times >= MORE_TIMES && traffic.rates >= MORE_RATES) return null;
  const who = byPod?.workload ?? image?.image?.workload ?? program?.name ?? 'The host';
  return {
    id: 'cpu_after_change',
    specificity: 'broken',
    since: change.at,
    guilty: program === null ? [] : process(program.name),
    finding: `${who} needs more CPU since ${byPod !== null || image !== undefined ? 'its image changed' : 'a change'} at ${clock(change.at)}.`,
    evidence: [
      cpuLine(shift),
      change.text,
      program !== null &&
        `${program.name} ${fixed(program.cpuBefore / 100, 2)} → ${fixed(program.cpuPercent / 100, 2)} cores`,
      byPod !== null && `${byPod.name} uses ${fixed(byPod.is, 2)} cores`,
      traffic.receive !== null &&
        `received ${megabytesPerSecond(traffic.receive.was)} → ${megabytesPerSecond(traffic.receive.is)}: the traffic does not explain it`,
    ],
    next: `Undo the change, or compare a profile of before and after.`,
  };
};

/** A program that has just started, at an hour that was as high on the days before. */
const scheduledJob: Find = (evidence) => {
  const { series, week, at, cpuCores } = evidence;
  const shift = shiftOf(series.cpu, at);
  const usual = usualAt(week.cpu, at);
  if (shift === null || usual === null || cpuCores === null) return null;
  const is = Math.max(shift.is, shift.last);
  if (is - shift.was < RISE_POINTS || usual < shift.was + 0.6 * (is - shift.was)) return null;
  const [top] = programsOf(evidence).toSorted((a, b) => moreOf(b) - moreOf(a));
  if (
    top === undefined ||
    !isNew(top, shift.onset) ||
    moreOf(top) / 100 < RISE_SHARE * ((is - shift.was) / 100) * cpuCores
  )
    return null;
  return {
    id: 'scheduled_job',
    specificity: 'broken',
    since: shift.onset,
    guilty: process(top.name),
    finding: `${top.name} runs at this time of day and takes ${fixed(top.cpuPercent / cpuCores, 0)} % of the machine.`,
    evidence: [
      cpuLine({ ...shift, is }),
      top.startedAt > 0 && `it started at ${clock(top.startedAt)}`,
      `at this hour of the days before, the CPU was at ${fixed(usual)} %`,
    ],
    next: `Move its schedule, lower its priority (\`nice\`), or silence the alert for that hour.`,
  };
};

const noisyProcess: Find = (evidence) => {
  const { cpuCores } = evidence;
  const rise = cpuRise(evidence);
  if (rise?.program == null || cpuCores === null) return null;
  const { shift, program } = rise;
  const share = program.cpuPercent / cpuCores;
  const born = isNew(program, shift.onset);
  const pod = risingPod(evidence, shift.onset);
  const ofPod = pod !== null && pod.is - pod.was >= RISE_SHARE * rise.cores ? pod : null;
  const traffic = trafficOf(evidence);
  const bulk = BULK_READERS.test(program.name);
  // Without an older list nothing is known about before.
  const before = (figure: string): string => (evidence.processesBefore.length === 0 ? '' : `, before ${figure}`);
  return {
    id: 'noisy_process',
    specificity: 'changed',
    since: shift.onset,
    guilty: process(program.name),
    finding: `${program.name} takes ${fixed(share, 0)} % of the machine.`,
    evidence: [
      cpuLine(shift),
      `${program.name} (pid ${String(program.pid)}) uses ${fixed(program.cpuPercent / 100)} cores of ${String(cpuCores)}${before(fixed(program.cpuBefore / 100))}`,
      ...commandLine(program),
      program.count > 1 && `${String(program.count)} processes${before(String(program.countBefore))}`,
      born && program.startedAt > 0 && `it started at ${clock(program.startedAt)}`,
      ofPod !== null && `it belongs to pod ${ofPod.name}${ofPod.isLimited ? '' : ', which has no CPU limit'}`,
      !born &&
        traffic.times < MORE_TIMES &&
        traffic.connections !== null &&
        'connections did not grow with it: it runs away, or works on a task of its own',
      bulk && 'its work is to read or write whole disks',
    ],
    next: born
      ? `Decide whether ${program.name} may run now; else stop it, lower its priority, or move its schedule.`
      : `Look at what ${program.name} does (\`perf top -p ${String(program.pid)}\`), and restart it if it hangs.`,
  };
};

/** Memory that a program took with the traffic; less is no news. */
const NOTABLE_BYTES = 256 * 2 ** 20;
const moreTraffic: Find = (evidence) => {
  const { series, week, at, metric } = evidence;
  const cpu = riseOf(series.cpu, week.cpu, at);
  const { connections, receive, times, rates } = trafficOf(evidence);
  if (connections === null || receive === null || cpu === null) return null;
  if (cpu.is - cpu.was < 10 || times < MORE_TIMES || rates < MORE_RATES) return null;
  // A program that came with the traffic makes it itself: a copy, a scan.
  const program = cpuRise(evidence)?.program;
  const usual = usualAt(week.connections, at);
  const [fullest] = programsOf(evidence)
    .filter((each) => each.memoryBytes - each.memoryBefore >= NOTABLE_BYTES)
    .toSorted((a, b) => b.memoryBytes - b.memoryBefore - (a.memoryBytes - a.memoryBefore));
  if (program != null && program.countBefore === 0 && isNew(program, cpu.onset) && times < 2) return null;
  return {
    id: 'more_traffic',
    specificity: times >= 2 && rates >= 2 ? 'stated' : 'changed',
    since: connections.onset,
    finding: 'More traffic arrives.',
    evidence: [
      `connections ${fixed(connections.was, 0)} → ${fixed(connections.is, 0)}`,
      `received ${megabytesPerSecond(receive.was)} → ${megabytesPerSecond(receive.is)}`,
      cpuLine(cpu),
      usual !== null && `usual at this hour: ${fixed(usual, 0)} connections`,
      evidence.othersDown.length > 0 &&
        `its neighbours went silent before: ${evidence.othersDown.slice(0, 6).join(', ')}; their traffic may come here`,
      ...(fullest === undefined || metric?.startsWith('memory') !== true
        ? []
        : [
            evidence.processesBefore.length === 0
              ? `${fullest.name} uses ${gigabytes(fullest.memoryBytes)} in ${String(fullest.count)} processes`
              : `${fullest.name} took ${gigabytes(fullest.memoryBytes - fullest.memoryBefore)} more: ${String(fullest.countBefore)} → ${String(fullest.count)} processes`,
          ]),
      program != null && `${program.name} serves it with ${fixed(program.cpuPercent / 100)} cores`,
    ],
    next: 'Add capacity or limit the callers. See which networks connect most.',
  };
};

/** The machine does more every day: no single moment explains it. */
const growingLoad: Find = ({ week, at, metric, series }) => {
  if (metric === null || !/^(?:cpu|load|memory|net)/.test(metric)) return null;
  const cpu = weeklyFactor(week.cpu, at);
  const receive = weeklyFactor(week.receive, at) ?? weeklyFactor(week.connections, at);
  const now = shiftOf(series.cpu, at);
  if (cpu === null || receive === null || now === null || cpu < 1.25 || receive < 1.2) return null;
  return {
    id: 'growing_load',
    specificity: 'changed',
    finding: 'The load grows from day to day, with the traffic.',
    evidence: [
      `CPU of the last day is ${fixed(cpu, 2)} times that of a week ago`,
      `traffic is ${fixed(receive, 2)} times that of a week ago`,
    ],
    next: 'Plan for more capacity: no single program or change explains it.',
  };
};

/** No program of the lists explains what the CPU does. */
const unexplainedCpu: Find = (evidence) => {
  const rise = cpuRise(evidence);
  if (rise === null || rise.program !== null || evidence.processes.length === 0) return null;
  if (evidence.metric === null || !/^(?:cpu|load)/.test(evidence.metric)) return null;
  const [top] = programsOf(evidence).toSorted((a, b) => moreOf(b) - moreOf(a));
  return {
    id: 'unexplained_cpu',
    specificity: 'state',
    since: rise.shift.onset,
    finding:
      'The CPU rose, and no program in the list explains it: short-lived processes, the kernel, or another virtual machine.',
    evidence: [
      cpuLine(rise.shift),
      top !== undefined &&
        `the largest rise is that of ${top.name}: ${fixed(moreOf(top) / 100, 2)} of ${fixed(rise.cores, 2)} cores`,
    ],
    next: 'Compare user, system, interrupt and steal time (`mpstat 1`), and look for short-lived processes (`execsnoop`).',
  };
};

/** Tasks wait, and neither the processor nor the disk is busy: they hang in the kernel, often on network storage. */
const stuckTasks: Find = (evidence) => {
  const { series, at, cpuCores } = evidence;
  const [load, cpu, wait] = [shiftOf(series.load, at), shiftOf(series.cpu, at), shiftOf(series.io_wait, at)];
  if (load === null || cpu === null || cpuCores === null) return null;
  if (load.last < 1.5 * cpuCores || load.last < 3 * Math.max(0.5, load.was)) return null;
  if (cpu.is - cpu.was >= 15 || cpu.is >= 70 || (wait !== null && wait.is - wait.was >= 8)) return null;
  const told = evidence.events.find(({ message }) =>
    /blocked for more than|not responding|\bnfs\b|hung task/i.test(message),
  );
  return {
    id: 'stuck_tasks',
    specificity: 'broken',
    since: load.onset,
    finding: 'Tasks hang in the kernel: the load rises while the processor is idle.',
    evidence: [
      `load ${fixed(load.was)} → ${fixed(load.last)} since ${clock(load.onset)}, on ${String(cpuCores)} cores`,
      `CPU ${fixed(cpu.was)} % → ${fixed(cpu.is)} %`,
      told !== undefined && told.message,
    ],
    next: 'Find tasks in state D (`ps -eo stat,wchan:30,comm | grep ^D`); often a network filesystem does not answer.',
  };
};

export const cpuMechanisms: readonly Mechanism[] = [
  hostMechanism({ id: 'cpu_after_change', title: 'CPU after a change', brings: ['cpu', 'load'], find: cpuAfterChange }),
  hostMechanism({
    id: 'scheduled_job',
    title: 'Scheduled job',
    brings: ['cpu', 'load', 'io', 'traffic'],
    is: 'cpu',
    find: scheduledJob,
  }),
  hostMechanism({
    id: 'noisy_process',
    title: 'A process takes the CPU',
    brings: ['cpu', 'load'],
    is: 'cpu',
    find: noisyProcess,
  }),
  hostMechanism({
    id: 'more_traffic',
    title: 'More traffic',
    brings: ['traffic', 'connections', 'cpu', 'load', 'memory', 'failing'],
    is: 'traffic',
    find: moreTraffic,
  }),
  hostMechanism({
    id: 'growing_load',
    title: 'Growing load',
    brings: ['cpu', 'load', 'memory', 'traffic'],
    is: 'traffic',
    find: growingLoad,
  }),
  hostMechanism({
    id: 'unexplained_cpu',
    title: 'CPU without a program',
    brings: ['cpu', 'load'],
    is: 'cpu',
    find: unexplainedCpu,
  }),
  hostMechanism({
    id: 'stuck_tasks',
    title: 'Tasks hang',
    brings: ['load', 'cpu', 'io'],
    is: 'load',
    find: stuckTasks,
  }),
];
