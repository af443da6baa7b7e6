import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { clock, fixed, gigabytes, megabytesPerSecond, mostBy } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, moved, part, type HostMoment } from '../../host-moment.ts';
import { weeklyFactor, type Shift } from '../../shift.ts';
import { changesBefore, commandLine, isNew, risingPod, type Program } from '../../suspects.ts';
import { BULK_READERS } from './disk.ts';

/** Rise of the CPU, in points, that needs a cause. */
const RISE_POINTS = 12;
/** Share of the rise that one program, or pod, must explain. */
const RISE_SHARE = 0.4;

/** A rise of the CPU, in cores, and the program that explains it, if one does. */
function riseOfCpu({ cpuCores, programs }: HostMoment, shift: Shift | null) {
  if (shift === null || cpuCores === null) return null;
  const is = Math.max(shift.is, shift.last);
  const points = is - shift.was;
  if (points < RISE_POINTS) return null;
  const cores = (points / 100) * cpuCores;
  const [top] = mostBy(programs, ({ cpuMore }) => cpuMore);
  const program = top !== undefined && top.cpuMore / 100 >= RISE_SHARE * cores ? top : null;
  const line = `${moved('CPU', shift.was, is)} since ${clock(shift.onset)}`;
  return { shift, points, cores, cpuCores, top, program, line };
}
const cpuRise = (host: HostMoment) => riseOfCpu(host, host.rise('cpu'));

/** A start is known to the seconds of a report. */
const CLOCK_SECONDS = 60;
/** Traffic that grew less than this does not explain a program that serves it. */
const MORE_TIMES = 1.6;
const MORE_RATES = 1.5;
/** Growth of connections and of what is received, as factors; 1 where nothing is known. */
export function trafficOf({ rise }: HostMoment) {
  const factor = (shift: Shift | null): number => (shift === null || shift.was <= 0 ? 1 : shift.is / shift.was);
  const [connections, receive] = [rise('connections'), rise('receive')];
  return { connections, receive, times: factor(connections), rates: factor(receive) };
}
export const rateLine = (name: string, { was, is }: Shift): string =>
  `${name} ${megabytesPerSecond(was)} → ${megabytesPerSecond(is)}`;

/** A change of the image, of a configuration or a package, after which the same work costs more. */
const afterChange = hostMechanism('cpu_after_change', 'CPU after a change', (host) => {
  const rise = cpuRise(host);
  if (rise === null) return null;
  const { shift, cores, program, line } = rise;
  const pod = risingPod(host, shift.onset);
  const ofPod = pod?.image !== undefined && pod.more >= RISE_SHARE * cores ? pod : null;
  const changes = changesBefore(host, shift.onset, program?.name ?? null);
  // A change that nothing else connects to the program counts if the program started anew with it.
  const isRestarted = ({ at }: { at: number }): boolean => program !== null && program.startedAt >= at - CLOCK_SECONDS;
  const change =
    ofPod?.image ??
    changes.find((one) => one.workload !== undefined || one.isNamed === true) ??
    changes.find(isRestarted);
  const { times, rates, receive } = trafficOf(host);
  if (change === undefined || change.at < shift.onset - HOUR_SECONDS || (times >= MORE_TIMES && rates >= MORE_RATES))
    return null;
  const isImage = change.workload !== undefined;
  // A program that a change has just started anew runs on; one that was not there before is a job.
  if (!isImage && (program === null || program.countBefore === 0)) return null;
  return {
    brings: ['cpu', 'load'],
    specificity: 'broken',
    since: change.at,
    change: change.change,
    guilty: part('process', program?.name),
    finding: `${change.workload ?? program?.name ?? 'The host'} needs more CPU since ${isImage ? 'its image changed' : 'a change'} at ${clock(change.at)}.`,
    evidence: [
      line,
      change.text,
      program &&
        moved(program.name, (program.cpuPercent - program.cpuMore) / 100, program.cpuPercent / 100, ' cores', 2),
      ofPod && `${ofPod.name} uses ${fixed(ofPod.is, 2)} cores`,
      receive && `${rateLine('received', receive)}: the traffic does not explain it`,
    ],
    next: 'Undo the change, or compare a profile of before and after.',
  };
});

/** A program that has just started, at an hour that was as high on the days before. */
const scheduledJob = hostMechanism('scheduled_job', 'Scheduled job', (host) => {
  const [rise, usual] = [riseOfCpu(host, host.shift('cpu')), host.usual('cpu')];
  if (rise?.program == null || usual === null || !isNew(rise.program, rise.shift.onset)) return null;
  const { shift, points, program, cpuCores, line } = rise;
  if (usual < shift.was + 0.6 * points) return null;
  return {
    brings: ['cpu', 'load', 'io', 'traffic'],
    is: 'cpu',
    specificity: 'broken',
    since: shift.onset,
    guilty: part('process', program.name),
    finding: `${program.name} runs at this time of day and takes ${fixed(program.cpuPercent / cpuCores, 0)} % of the machine.`,
    evidence: [line, `at this hour of the days before, the CPU was at ${fixed(usual)} %`],
    next: 'Move its schedule, lower its priority (`nice`), or silence the alert for that hour.',
  };
});

const noisyProcess = hostMechanism('noisy_process', 'A process takes the CPU', (host) => {
  const rise = cpuRise(host);
  if (rise?.program == null) return null;
  const { shift, cores, cpuCores, program, line } = rise;
  const { name, pid, count, countBefore, cpuPercent, cpuMore, startedAt } = program;
  const isBorn = isNew(program, shift.onset);
  const pod = risingPod(host, shift.onset);
  const { times, connections } = trafficOf(host);
  // Without an older list nothing is known about before.
  const before = (figure: string): string => (host.processesBefore.length === 0 ? '' : `, before ${figure}`);
  return {
    brings: ['cpu', 'load'],
    is: 'cpu',
    specificity: 'changed',
    since: shift.onset,
    guilty: part('process', name),
    finding: `${name} takes ${fixed(cpuPercent / cpuCores, 0)} % of the machine.`,
    evidence: [
      line,
      `${name} (pid ${String(pid)}) uses ${fixed(cpuPercent / 100)} cores of ${String(cpuCores)}${before(fixed((cpuPercent - cpuMore) / 100))}`,
      commandLine(program),
      count > 1 && `${String(count)} processes${before(String(countBefore))}`,
      isBorn && startedAt > 0 && `it started at ${clock(startedAt)}`,
      pod !== null &&
        pod.more >= RISE_SHARE * cores &&
        `it belongs to pod ${pod.name}${pod.isLimited ? '' : ', which has no CPU limit'}`,
      !isBorn &&
        times < MORE_TIMES &&
        connections !== null &&
        'connections did not grow with it: it runs away, or works on a task of its own',
      BULK_READERS.test(name) && 'its work is to read or write whole disks',
    ],
    next: isBorn
      ? `Decide whether ${name} may run now; else stop it, lower its priority, or move its schedule.`
      : `Look at what ${name} does (\`perf top -p ${String(pid)}\`), and restart it if it hangs.`,
  };
});

/** Memory that a program took with the traffic; less is no news. */
const NOTABLE_BYTES = 256 * 2 ** 20;
function fullestLine({ programs, metric, processesBefore }: HostMoment): string {
  const [fullest] = mostBy(programs, ({ memoryMore }) => memoryMore);
  if (fullest === undefined || fullest.memoryMore < NOTABLE_BYTES || metric?.startsWith('memory') !== true) return '';
  const { name, memoryBytes, memoryMore, count, countBefore }: Program = fullest;
  return processesBefore.length === 0
    ? `${name} uses ${gigabytes(memoryBytes)} in ${String(count)} processes`
    : `${name} took ${gigabytes(memoryMore)} more: ${String(countBefore)} → ${String(count)} processes`;
}
const moreTraffic = hostMechanism('more_traffic', 'More traffic', (host) => {
  const cpu = host.rise('cpu');
  const { connections, receive, times, rates } = trafficOf(host);
  if (connections === null || receive === null || cpu === null) return null;
  if (cpu.is - cpu.was < 10 || times < MORE_TIMES || rates < MORE_RATES) return null;
  // A program that came with the traffic makes it itself: a copy, a scan.
  const program = cpuRise(host)?.program;
  if (program != null && program.countBefore === 0 && isNew(program, cpu.onset) && times < 2) return null;
  const usual = host.usual('connections');
  return {
    brings: ['traffic', 'connections', 'cpu', 'load', 'memory', 'failing'],
    is: 'traffic',
    specificity: times >= 2 && rates >= 2 ? 'stated' : 'changed',
    since: connections.onset,
    finding: 'More traffic arrives.',
    evidence: [
      moved('connections', connections.was, connections.is, '', 0),
      rateLine('received', receive),
      `${moved('CPU', cpu.was, cpu.is)} since ${clock(cpu.onset)}`,
      usual !== null && `usual at this hour: ${fixed(usual, 0)} connections`,
      host.othersDown.length > 0 &&
        `its neighbours went silent before: ${host.othersDown.slice(0, 6).join(', ')}; their traffic may come here`,
      fullestLine(host),
      program != null && `${program.name} serves it with ${fixed(program.cpuPercent / 100)} cores`,
    ],
    next: 'Add capacity or limit the callers. See which networks connect most.',
  };
});

/** The machine does more every day: no single moment explains it. */
const growingLoad = hostMechanism('growing_load', 'Growing load', ({ week, at, metric, shift }) => {
  const cpu = weeklyFactor(week.cpu, at);
  const receive = weeklyFactor(week.receive, at) ?? weeklyFactor(week.connections, at);
  const isAsked = metric !== null && /^(?:cpu|load|memory|net)/.test(metric) && shift('cpu') !== null;
  if (!isAsked || cpu === null || receive === null || cpu < 1.25 || receive < 1.2) return null;
  return {
    brings: ['cpu', 'load', 'memory', 'traffic'],
    is: 'traffic',
    specificity: 'changed',
    finding: 'The load grows from day to day, with the traffic.',
    evidence: [
      `CPU of the last day is ${fixed(cpu, 2)} times that of a week ago`,
      `traffic is ${fixed(receive, 2)} times that of a week ago`,
    ],
    next: 'Plan for more capacity: no single program or change explains it.',
  };
});

/** No program of the lists explains what the CPU does. */
const unexplainedCpu = hostMechanism('unexplained_cpu', 'CPU without a program', (host) => {
  const rise = cpuRise(host);
  if (rise === null || rise.program !== null || rise.top === undefined) return null;
  if (host.metric === null || !/^(?:cpu|load)/.test(host.metric)) return null;
  return {
    brings: ['cpu', 'load'],
    is: 'cpu',
    specificity: 'state',
    since: rise.shift.onset,
    finding:
      'The CPU rose, and no program in the list explains it: short-lived processes, the kernel, or another virtual machine.',
    evidence: [
      rise.line,
      `the largest rise is that of ${rise.top.name}: ${fixed(rise.top.cpuMore / 100, 2)} of ${fixed(rise.cores, 2)} cores`,
    ],
    next: 'Compare user, system, interrupt and steal time (`mpstat 1`), and look for short-lived processes (`execsnoop`).',
  };
});

/** Tasks wait, and neither the processor nor the disk is busy: they hang in the kernel, often on network storage. */
const stuckTasks = hostMechanism('stuck_tasks', 'Tasks hang', ({ shift, cpuCores, said }) => {
  const [load, cpu, wait] = [shift('load'), shift('cpu'), shift('io_wait')];
  if (load === null || cpu === null || cpuCores === null) return null;
  if (load.last < 1.5 * cpuCores || load.last < 3 * Math.max(0.5, load.was)) return null;
  if (cpu.is - cpu.was >= 15 || cpu.is >= 70 || (wait !== null && wait.is - wait.was >= 8)) return null;
  return {
    brings: ['load', 'cpu', 'io'],
    is: 'load',
    specificity: 'broken',
    since: load.onset,
    finding: 'Tasks hang in the kernel: the load rises while the processor is idle.',
    evidence: [
      `${moved('load', load.was, load.last, '')} since ${clock(load.onset)}, on ${String(cpuCores)} cores`,
      moved('CPU', cpu.was, cpu.is),
      said.find(({ text }) => /blocked for more than|not responding|\bnfs\b|hung task/i.test(text)),
    ],
    next: 'Find tasks in state D (`ps -eo stat,wchan:30,comm | grep ^D`); often a network filesystem does not answer.',
  };
});

export const cpuMechanisms: readonly Mechanism[] = [
  afterChange,
  scheduledJob,
  noisyProcess,
  moreTraffic,
  growingLoad,
  unexplainedCpu,
  stuckTasks,
];
