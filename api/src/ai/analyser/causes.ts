import { statisticsOf, trendPerHour, type Point } from '../statistics.ts';

/**
 * Finds likely causes of an alert in what was recorded around it. Each finder looks for one pattern and says what it
 * saw; the strongest stands first. No model takes part. Per cents are 0–100, rates bytes per second, `at` epoch seconds.
 */

export interface ProcessSeen {
  pid: number;
  name: string;
  /** Per cent of one core. */
  cpuPercent: number;
  memoryBytes: number;
  startedAt: number;
}

export interface Evidence {
  hostname: string;
  /** Metric of the alert, or null for a stretch of a chart. */
  metric: string | null;
  /** Mount point of a disk alert. */
  mount: string | null;
  /** Moment of the alert, epoch seconds. */
  at: number;
  cpuCores: number | null;
  memoryTotalBytes: number | null;
  /** Before the moment and a little after. Absent figures are empty. */
  series: Record<
    'cpu' | 'memory' | 'disk' | 'io_wait' | 'iops' | 'swap' | 'receive' | 'transmit' | 'connections',
    readonly Point[]
  >;
  /** Lists at the moment and well before it; empty when none was stored. */
  processes: readonly ProcessSeen[];
  processesBefore: readonly ProcessSeen[];
  events: readonly { type: string; name: string; message: string; at: number }[];
  /** Of a pod: what ended its containers, newest first. */
  restarts: readonly { at: number; reason: string | null; exitCode: number | null; memoryLimitMb: number | null }[];
  /** Changes of the workload's image. */
  imageChanges: readonly { at: number; from: string; to: string }[];
}

const CAUSES = [
  'crash_loop_after_change',
  'out_of_memory',
  'crash_loop',
  'silent_host',
  'disk_filled_by_logs',
  'disk_filling',
  'memory_leak',
  'swapping',
  'noisy_process',
  'disk_saturated',
  'more_traffic',
  'network_drop',
  'change_before',
] as const;
export type CauseKind = (typeof CAUSES)[number];

export interface Cause {
  kind: CauseKind;
  /** 0–1: how well the pattern fits. */
  strength: number;
  finding: string;
  evidence: readonly string[];
  next: string;
}

type Finder = (evidence: Evidence) => Cause | null;

const HOUR = 3600;
const GIB = 2 ** 30;
const fixed = (value: number, digits = 1): string => String(Number(value.toFixed(digits)));
const clock = (at: number): string => `${new Date(at * 1000).toISOString().slice(11, 16)} UTC`;
const gigabytes = (bytes: number): string => `${fixed(bytes / GIB, 2)} GB`;
const megabytesPerSecond = (rate: number): string => `${fixed(rate / 2 ** 20, 2)} MB/s`;

/** Known points up to the moment, of the last `hours`. */
const before = (points: readonly Point[], at: number, hours: number): { at: number; value: number }[] =>
  points.flatMap(({ at: time, value }) =>
    value !== null && time <= at && time > at - hours * HOUR ? [{ at: time, value }] : [],
  );
const meanOf = (points: readonly Point[]): number | null => statisticsOf(points)?.mean ?? null;

/** Means of the first half of what came before and of the last stretch: what it was, and what it became. */
function change(points: readonly Point[], at: number, recentSeconds = 900): { was: number; is: number } | null {
  const was = meanOf(points.filter(({ at: time }) => time <= at - 2 * recentSeconds));
  const is = meanOf(points.filter(({ at: time }) => time > at - recentSeconds && time <= at + recentSeconds));
  return was === null || is === null ? null : { was, is };
}

/** A change this soon before the moment is a suspect. */
const CHANGE_SECONDS = 2 * HOUR;
const CHANGE_EVENTS = ['update_installed', 'config_change'];
const lastChange = ({ events, at }: Evidence): Evidence['events'][number] | undefined =>
  events
    .filter(({ type, at: time }) => CHANGE_EVENTS.includes(type) && time <= at && time > at - CHANGE_SECONDS)
    .toSorted((a, b) => b.at - a.at)[0];

/** Fewer ends than these in an hour are no loop. */
const LOOP_ENDS = 3;
const crashesOf = ({ events, restarts, at }: Evidence): number =>
  [...restarts.map((restart) => restart.at), ...events.filter(isCrash).map((event) => event.at)].filter(
    (time) => time <= at + HOUR && time > at - HOUR,
  ).length;
const isCrash = ({ type }: { type: string }): boolean => type === 'process_crash' || type === 'service_restart';

const crashLoopAfterChange: Finder = (evidence) => {
  const crashes = crashesOf(evidence);
  if (crashes < LOOP_ENDS) return null;
  const { imageChanges, at, restarts } = evidence;
  const image = imageChanges
    .filter(({ at: time }) => time <= at + HOUR && time > at - 24 * HOUR)
    .toSorted((a, b) => b.at - a.at)[0];
  const changed = lastChange(evidence);
  if (image === undefined && changed === undefined) return null;
  const exit = restarts[0]?.exitCode ?? null;
  return {
    kind: 'crash_loop_after_change',
    strength: 0.95,
    finding:
      image === undefined
        ? `It restarts again and again since a change at ${clock(changed?.at ?? at)}.`
        : `It restarts again and again since its image changed at ${clock(image.at)}.`,
    evidence: [
      `${String(crashes)} restarts within an hour of the alert`,
      ...(image === undefined ? [changed?.message ?? ''] : [`image ${image.from} → ${image.to}`]),
      ...(exit === null ? [] : [`last exit code ${String(exit)}`]),
    ],
    next: image === undefined ? 'Undo the change, or read the log of the service.' : `Go back to ${image.from}.`,
  };
};

const outOfMemory: Finder = ({ restarts, at }) => {
  const killed = restarts.filter(({ reason, at: time }) => reason === 'OOMKilled' && time <= at + HOUR);
  const [last] = killed;
  if (last === undefined) return null;
  return {
    kind: 'out_of_memory',
    strength: 0.9,
    finding: 'The container uses more memory than its limit and is killed.',
    evidence: [
      `${String(killed.length)} kills for memory, the last at ${clock(last.at)}`,
      ...(last.memoryLimitMb === null ? [] : [`limit ${fixed(last.memoryLimitMb, 0)} MB`]),
    ],
    next: 'Raise the memory limit, or find what grows in the container.',
  };
};

const crashLoop: Finder = (evidence) => {
  const crashes = crashesOf(evidence);
  if (crashes < LOOP_ENDS) return null;
  const names = [...new Set(evidence.events.filter(isCrash).map(({ name }) => name))];
  return {
    kind: 'crash_loop',
    strength: 0.75,
    finding: `${names[0] ?? 'A container'} restarts again and again.`,
    evidence: [`${String(crashes)} restarts within an hour of the alert`],
    next: 'Read the log of its last run. No change was recorded before.',
  };
};

/** Buckets without a value at the end of the series. */
const SILENT_POINTS = 3;
const silentHost: Finder = ({ metric, series, at }) => {
  const after = series.cpu.filter(({ at: time }) => time >= at - 300);
  const silent = after.length >= SILENT_POINTS && after.every(({ value }) => value === null);
  if (metric !== 'offline' && !silent) return null;
  const last = series.cpu.findLast(({ value }) => value !== null);
  const memory = series.memory.findLast(({ value }) => value !== null)?.value ?? null;
  const full = memory !== null && memory >= 95;
  return {
    kind: 'silent_host',
    strength: metric === 'offline' ? 0.97 : 0.8,
    finding: full ? 'The host went silent while its memory was full.' : 'The host sends no reports.',
    evidence: [
      ...(last === undefined ? [] : [`last report at ${clock(last.at)}, CPU ${fixed(last.value ?? 0)} %`]),
      ...(memory === null ? [] : [`memory was at ${fixed(memory)} %`]),
    ],
    next: 'Check whether the host answers (console, ping), then `systemctl status plimsoll` on it.',
  };
};

/** Points an hour from which a disk is said to fill. */
const FILLING_POINTS = 0.5;
const LOG_MOUNT = /(^|\/)logs?(\/|$)/;
const LOG_WRITER = /^(rsyslogd|journald|systemd-journal|fluent|vector|logrotate|promtail|filebeat)/;

function diskGrowth({ series, at }: Evidence): { pointsPerHour: number; now: number; from: number } | null {
  const points = before(series.disk, at, 12);
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 6) return null;
  const pointsPerHour = trendPerHour(points);
  return pointsPerHour < FILLING_POINTS && last.value - first.value < 5
    ? null
    : { pointsPerHour, now: last.value, from: first.value };
}

const diskFilledByLogs: Finder = (evidence) => {
  const growth = diskGrowth(evidence);
  if (growth === null) return null;
  const writer = evidence.processes.find(({ name }) => LOG_WRITER.test(name));
  const onLogs = evidence.mount !== null && LOG_MOUNT.test(evidence.mount);
  const told = evidence.events.some(({ message }) => /\blogs?\b|journal/i.test(message));
  if (!onLogs && !(writer !== undefined && (writer.cpuPercent >= 10 || told))) return null;
  return {
    kind: 'disk_filled_by_logs',
    strength: 0.88,
    finding: `Logs fill ${evidence.mount ?? 'the disk'}.`,
    evidence: [
      `${fixed(growth.from)} % → ${fixed(growth.now)} %, ${fixed(growth.pointsPerHour)} points an hour`,
      ...(writer === undefined ? [] : [`${writer.name} uses ${fixed(writer.cpuPercent)} % of a core`]),
    ],
    next: `Find the largest file: \`du -xh ${evidence.mount ?? '/var/log'} | sort -h | tail\`. Then rotate it and quieten what writes it.`,
  };
};

const diskFilling: Finder = (evidence) => {
  const growth = diskGrowth(evidence);
  if (growth === null) return null;
  const left = 100 - growth.now;
  const hours = growth.pointsPerHour > 0 ? left / growth.pointsPerHour : null;
  return {
    kind: 'disk_filling',
    strength: evidence.metric?.startsWith('disk') === true ? 0.7 : 0.45,
    finding: `${evidence.mount ?? 'A filesystem'} fills up.`,
    evidence: [
      `${fixed(growth.from)} % → ${fixed(growth.now)} %, ${fixed(growth.pointsPerHour)} points an hour`,
      ...(hours === null || hours > 24 * 14 ? [] : [`at this rate it is full in about ${fixed(hours, 0)} h`]),
    ],
    next: `Find what grows: \`du -xh ${evidence.mount ?? '/'} | sort -h | tail\`.`,
  };
};

/** Share of the growth of the host's memory that one process must explain. */
const LEAK_SHARE = 0.5;
const memoryLeak: Finder = ({ series, at, processes, processesBefore, memoryTotalBytes, metric }) => {
  const points = before(series.memory, at, 12);
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 6 || last.value - first.value < 8) return null;
  const rising = points.filter((point, index) => index > 0 && point.value >= (points[index - 1]?.value ?? 0) - 0.5);
  if (rising.length < 0.8 * (points.length - 1)) return null;
  const [steps] = [largestStep(points)];
  const grown = processes
    .map((process) => ({
      process,
      by: process.memoryBytes - (processesBefore.find(({ pid }) => pid === process.pid)?.memoryBytes ?? 0),
    }))
    .toSorted((a, b) => b.by - a.by)[0];
  const total = memoryTotalBytes === null ? null : ((last.value - first.value) / 100) * memoryTotalBytes;
  const explains = grown !== undefined && total !== null && grown.by >= LEAK_SHARE * total;
  // A leak creeps: what came in one step is a start, not a leak.
  if (steps > 0.6 * (last.value - first.value)) return null;
  return {
    kind: 'memory_leak',
    strength: (explains ? 0.85 : 0.55) + (metric?.startsWith('memory') === true ? 0.05 : 0),
    finding: explains ? `${grown.process.name} uses more and more memory.` : 'Memory rises steadily.',
    evidence: [
      `memory ${fixed(first.value)} % → ${fixed(last.value)} % since ${clock(first.at)}`,
      ...(explains ? [`${grown.process.name} (pid ${String(grown.process.pid)}) grew by ${gigabytes(grown.by)}`] : []),
    ],
    next: explains
      ? `Restart ${grown.process.name} to win time, and look for the leak in its last release.`
      : 'Compare the processes of now with those of some hours ago.',
  };
};
const largestStep = (points: readonly { value: number }[]): number =>
  Math.max(0, ...points.map(({ value }, index) => value - (points[index - 1]?.value ?? value)));

const swapping: Finder = ({ series, at }) => {
  const swap = change(series.swap, at);
  const wait = change(series.io_wait, at);
  if (swap === null || wait === null || swap.is - swap.was < 5 || wait.is < 10) return null;
  return {
    kind: 'swapping',
    strength: 0.8,
    finding: 'The host is short of memory and swaps.',
    evidence: [`swap ${fixed(swap.was)} % → ${fixed(swap.is)} %`, `IO wait ${fixed(wait.was)} % → ${fixed(wait.is)} %`],
    next: 'Stop or move the process that uses most memory.',
  };
};

/** Share of the machine from which one process is the cause. */
const NOISY_SHARE = 40;
const noisyProcess: Finder = ({ metric, series, at, cpuCores, processes, processesBefore }) => {
  const cpu = change(series.cpu, at);
  if (cpu === null || cpu.is < 60 || cpu.is - cpu.was < 15) return null;
  const [top] = processes.toSorted((a, b) => b.cpuPercent - a.cpuPercent);
  if (top === undefined || cpuCores === null) return null;
  const share = top.cpuPercent / cpuCores;
  const earlier = processesBefore.find(({ pid }) => pid === top.pid)?.cpuPercent ?? 0;
  if (share < NOISY_SHARE || earlier > top.cpuPercent / 2) return null;
  const isNew = top.startedAt > at - 2 * HOUR;
  return {
    kind: 'noisy_process',
    strength: metric?.startsWith('cpu') === true || metric?.startsWith('load') === true ? 0.9 : 0.7,
    finding: `${top.name} takes ${fixed(share, 0)} % of the machine.`,
    evidence: [
      `CPU ${fixed(cpu.was)} % → ${fixed(cpu.is)} %`,
      `${top.name} (pid ${String(top.pid)}) uses ${fixed(top.cpuPercent / 100)} cores of ${String(cpuCores)}`,
      ...(isNew ? [`it started at ${clock(top.startedAt)}`] : []),
    ],
    next: `Decide whether ${top.name} may run now; else stop it or lower its priority.`,
  };
};

const diskSaturated: Finder = ({ series, at }) => {
  const wait = change(series.io_wait, at);
  const operations = change(series.iops, at);
  if (wait === null || wait.is < 15 || wait.is - wait.was < 10) return null;
  return {
    kind: 'disk_saturated',
    strength: 0.65,
    finding: 'The processor waits for the disk.',
    evidence: [
      `IO wait ${fixed(wait.was)} % → ${fixed(wait.is)} %`,
      ...(operations === null
        ? []
        : [`${fixed(operations.was, 0)} → ${fixed(operations.is, 0)} disk operations per second`]),
    ],
    next: 'Look for backups, scans or a failing disk at that time (`iostat -x 1`, `dmesg`).',
  };
};

const moreTraffic: Finder = ({ series, at }) => {
  const connections = change(series.connections, at);
  const receive = change(series.receive, at);
  const cpu = change(series.cpu, at);
  if (connections === null || receive === null || cpu === null) return null;
  const times = connections.was > 0 ? connections.is / connections.was : 0;
  const rates = receive.was > 0 ? receive.is / receive.was : 0;
  if (cpu.is - cpu.was < 10 || times < 1.7 || rates < 1.5) return null;
  return {
    kind: 'more_traffic',
    strength: 0.78,
    finding: 'More traffic arrives.',
    evidence: [
      `connections ${fixed(connections.was, 0)} → ${fixed(connections.is, 0)}`,
      `received ${megabytesPerSecond(receive.was)} → ${megabytesPerSecond(receive.is)}`,
      `CPU ${fixed(cpu.was)} % → ${fixed(cpu.is)} %`,
    ],
    next: 'Add capacity or limit the callers. See which networks connect most.',
  };
};

/** Below this share of what it was, traffic has dropped. */
const DROPPED = 0.2;
const LEAST_TRAFFIC = 10 * 1024;
const networkDrop: Finder = ({ series, at }) => {
  const receive = change(series.receive, at);
  const transmit = change(series.transmit, at);
  if (receive === null || transmit === null) return null;
  const was = receive.was + transmit.was;
  const is = receive.is + transmit.is;
  if (was < LEAST_TRAFFIC || is > DROPPED * was) return null;
  return {
    kind: 'network_drop',
    strength: 0.82,
    finding: 'The network traffic of the host broke off.',
    evidence: [`${megabytesPerSecond(was)} → ${megabytesPerSecond(is)} in both directions`],
    next: 'Check link and switch, the load balancer in front, and whether the service still accepts connections.',
  };
};

const changeBefore: Finder = (evidence) => {
  const changed = lastChange(evidence);
  if (changed === undefined) return null;
  return {
    kind: 'change_before',
    strength: 0.4,
    finding: `A change came shortly before, at ${clock(changed.at)}.`,
    evidence: [changed.message],
    next: 'Check whether the change explains it.',
  };
};

const FINDERS: readonly Finder[] = [
  crashLoopAfterChange,
  outOfMemory,
  crashLoop,
  silentHost,
  diskFilledByLogs,
  diskFilling,
  memoryLeak,
  swapping,
  noisyProcess,
  diskSaturated,
  moreTraffic,
  networkDrop,
  changeBefore,
];

/** Returns what fits, strongest first; empty when nothing does. */
export function findCauses(evidence: Evidence): Cause[] {
  const found = FINDERS.map((find) => find(evidence)).filter((cause) => cause !== null);
  const kinds = new Set(found.map(({ kind }) => kind));
  const covered = (kind: CauseKind): boolean =>
    (kind === 'crash_loop' && kinds.has('crash_loop_after_change')) ||
    (kind === 'disk_filling' && kinds.has('disk_filled_by_logs'));
  return found.filter(({ kind }) => !covered(kind)).toSorted((a, b) => b.strength - a.strength);
}
