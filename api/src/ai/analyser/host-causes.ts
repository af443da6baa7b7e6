import { trendPerHour } from '../statistics.ts';
import {
  before,
  change,
  clock,
  fixed,
  gigabytes,
  HOUR,
  lastChange,
  megabytesPerSecond,
  type Evidence,
  type Finder,
  type ProcessSeen,
} from './evidence.ts';

/** Buckets without a value at the end of the series. */
const SILENT_POINTS = 3;
export const silentHost: Finder = ({ metric, series, at }) => {
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

/** Fewer other servers than these may be chance. */
const SHARED_SERVERS = 2;
const MOST_NAMES = 6;
export const sharedSilence: Finder = ({ silentTogether, hostname, at }) => {
  if (silentTogether.length < SHARED_SERVERS) return null;
  const shown = silentTogether.slice(0, MOST_NAMES).join(', ');
  const more = silentTogether.length - MOST_NAMES;
  return {
    kind: 'shared_silence',
    strength: 0.98,
    finding: `${String(silentTogether.length + 1)} servers went silent within minutes of each other: something that they share failed.`,
    evidence: [`${hostname} at ${clock(at)}, and with it ${shown}${more > 0 ? ` and ${String(more)} more` : ''}`],
    next: 'Check what they share: uplink, switch, power, or the way to this dashboard.',
  };
};

export const diskFilledByLogs: Finder = (evidence) => {
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

export const diskFilling: Finder = (evidence) => {
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
/** Growth of the host's memory in 12 h, points: without a process that explains it, and with one. */
const RISING_POINTS = 8;
const LEAKING_POINTS = 2;
/** Bytes that a process must have grown by: less is a cache. */
const LEAK_BYTES = 256 * 2 ** 20;

/** Returns the process that grew most between the two lists. */
function mostGrown({ processes, processesBefore }: Evidence): { process: ProcessSeen; by: number } | undefined {
  return processes
    .flatMap((process) => {
      const earlier = processesBefore.find(({ pid }) => pid === process.pid);
      return earlier === undefined ? [] : [{ process, by: process.memoryBytes - earlier.memoryBytes }];
    })
    .toSorted((a, b) => b.by - a.by)[0];
}

export const memoryLeak: Finder = (evidence) => {
  const { series, at, memoryTotalBytes, metric } = evidence;
  const points = before(series.memory, at, 12);
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 6) return null;
  // Of a wave of a day only its trend counts: the parts are compared, not two points.
  const growth = Math.max(last.value - first.value, trendPerHour(points) * 12);
  const grown = mostGrown(evidence);
  const total = memoryTotalBytes === null ? null : (growth / 100) * memoryTotalBytes;
  const explains = grown !== undefined && total !== null && grown.by >= Math.max(LEAK_BYTES, LEAK_SHARE * total);
  if (growth < (explains ? LEAKING_POINTS : RISING_POINTS)) return null;
  const rising = points.filter((point, index) => index > 0 && point.value >= (points[index - 1]?.value ?? 0) - 0.5);
  if (!explains && rising.length < 0.8 * (points.length - 1)) return null;
  // A leak creeps: what came in one step is a start, not a leak.
  if (largestStep(points) > 0.6 * growth) return null;
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

export const swapping: Finder = ({ series, at, processes }) => {
  const swap = change(series.swap, at);
  const wait = change(series.io_wait, at);
  if (swap === null || wait === null || swap.is - swap.was < 5 || wait.is < 10) return null;
  const largest = processes.toSorted((a, b) => b.memoryBytes - a.memoryBytes)[0];
  return {
    kind: 'swapping',
    strength: 0.86,
    finding: 'The host is short of memory and swaps.',
    evidence: [
      `swap ${fixed(swap.was)} % → ${fixed(swap.is)} %`,
      `IO wait ${fixed(wait.was)} % → ${fixed(wait.is)} %`,
      ...(largest === undefined ? [] : [`${largest.name} uses most memory, ${gigabytes(largest.memoryBytes)}`]),
    ],
    next: `Give ${largest?.name ?? 'the largest process'} less memory, or move it.`,
  };
};

/** Share of the machine from which one process is the cause. */
const NOISY_SHARE = 40;
export const noisyProcess: Finder = ({ metric, series, at, cpuCores, processes, processesBefore }) => {
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

/** Programs whose work is to read or write whole disks. */
const BULK_READERS =
  /^(?:borg|restic|rsync|rclone|duplicity|tar|dd|cp|pg_dump|pg_basebackup|mysqldump|mariabackup|xtrabackup|mongodump|bacula-fd|bareos-fd|veeamagent|clamscan|clamd|updatedb|mdadm|find|fstrim)\b/;

export const diskSaturated: Finder = ({ series, at, processes }) => {
  const wait = change(series.io_wait, at);
  const operations = change(series.iops, at);
  if (wait === null || wait.is < 15 || wait.is - wait.was < 10) return null;
  const reader = processes.find(({ name }) => BULK_READERS.test(name));
  return {
    kind: 'disk_saturated',
    strength: reader === undefined ? 0.65 : 0.8,
    finding:
      reader === undefined
        ? 'The processor waits for the disk.'
        : `The processor waits for the disk while ${reader.name} runs.`,
    evidence: [
      `IO wait ${fixed(wait.was)} % → ${fixed(wait.is)} %`,
      ...(operations === null
        ? []
        : [`${fixed(operations.was, 0)} → ${fixed(operations.is, 0)} disk operations per second`]),
    ],
    next:
      reader === undefined
        ? 'Look for backups, scans or a failing disk at that time (`iostat -x 1`, `dmesg`).'
        : `Ask why ${reader.name} runs now, and lower its priority (\`ionice -c 3\`).`,
  };
};

export const moreTraffic: Finder = ({ series, at }) => {
  const connections = change(series.connections, at);
  const receive = change(series.receive, at);
  const cpu = change(series.cpu, at);
  if (connections === null || receive === null || cpu === null) return null;
  const times = connections.was > 0 ? connections.is / connections.was : 0;
  const rates = receive.was > 0 ? receive.is / receive.was : 0;
  if (cpu.is - cpu.was < 10 || times < 1.7 || rates < 1.5) return null;
  return {
    kind: 'more_traffic',
    // Several times the traffic explains the program that serves it, too.
    strength: times >= 3 && rates >= 2 ? 0.92 : 0.78,
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
export const networkDrop: Finder = ({ series, at }) => {
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

export const changeBefore: Finder = (evidence) => {
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
