import { duration } from '../../../alerts/duration.ts';
import { clock, fixed, HOUR } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { filesystem, hostMechanism, process, type Find, type HostMoment } from '../../host-moment.ts';
import { beginningOf, growthOf, shiftOf } from '../../shift.ts';
import { changesBefore, programsOf, type Program } from '../../suspects.ts';

/** Growth in 12 h from which a disk is said to fill: points an hour, and in all. */
const FILLING_POINTS = 0.5;
const FILLED_POINTS = 5;
/** A slower growth counts where the alert is about a disk: points a week. */
const SLOW_POINTS = 2;

interface Growth {
  from: number;
  now: number;
  pointsPerHour: number;
  since: number;
  /** Came in one step, and did not creep. */
  stepped: boolean;
  days: boolean;
}

function diskGrowth({ series, week, at, metric }: HostMoment): Growth | null {
  const growth = growthOf(series.disk, at);
  const shift = shiftOf(series.disk, at);
  if (growth === null || shift === null) return null;
  const { from, to, perHour } = growth;
  const rise = Math.max(to.value - from.value, shift.is - shift.was);
  if (perHour >= FILLING_POINTS || rise >= FILLED_POINTS)
    return {
      from: Math.min(from.value, shift.was),
      now: to.value,
      pointsPerHour: perHour,
      since: shift.gradual ? (beginningOf(series.disk, at) ?? from.at) : shift.onset,
      stepped: !shift.gradual,
      days: false,
    };
  const slow = growthOf(week.disk, at, 7 * 24);
  if (metric?.startsWith('disk') !== true || slow === null || slow.to.value - slow.from.value < SLOW_POINTS)
    return null;
  return {
    from: slow.from.value,
    now: to.value,
    pointsPerHour: slow.perHour,
    since: slow.from.at,
    stepped: false,
    days: true,
  };
}

/** Kinds of data, by the mount point, by the programs that write them, and by the words of events about them. */
const WRITERS: readonly { data: string; mount: RegExp; program: RegExp; event: RegExp; least: number; next: string }[] =
  [
    {
      data: 'Logs',
      mount: /(?:^|\/)(?:logs?|journal)(?:\/|$)/,
      program: /^(?:rsyslogd|syslog-ng|journald|systemd-journal\w*|fluent\S*|vector|logrotate|promtail|filebeat)$/,
      event: /\blogs?\b|\blogrotate\b|journal/i,
      least: 4,
      next: 'Then rotate it and quieten what writes it.',
    },
    {
      data: 'Backups',
      mount: /(?:^|\/)(?:backups?|dumps?|snapshots?|borg|restic)(?:\/|$)/,
      program:
        /^(?:borg|restic|duplicity|rsync|rclone|tar|pg_dump\w*|pg_basebackup|mysqldump|mariabackup|xtrabackup|mongodump|bacula-\w+)$/,
      event: /\bbackups?\b|\bdumps?\b|snapshot/i,
      least: 0,
      next: 'Delete old backups, or write them to another filesystem.',
    },
    {
      data: 'Containers and their images',
      mount: /containerd|docker|containers|kubelet|overlay|crio/,
      program: /^(?:dockerd|buildkitd|podman|buildah|kaniko)$/,
      event: /image garbage|docker (?:build|pull)|containerd/i,
      least: 20,
      next: 'Remove unused images (`docker system prune`, `crictl rmi --prune`), and limit the ephemeral storage of pods.',
    },
    {
      data: 'Temporary files',
      mount: /(?:^|\/)(?:tmp|scratch|cache|spool)(?:\/|$)/,
      program: /^$/,
      event: /\/(?:var\/)?tmp\b|no space left/i,
      least: 0,
      next: 'Delete them, and find the program that leaves them behind.',
    },
    {
      data: 'A database',
      mount:
        /postgres\w*|pgsql|pgdata|mysql|mariadb|mongo\w*|(?:^|\/)(?:db|data(?:base)?s?|elasticsearch|opensearch|influx\w*|prometheus|clickhouse|cassandra|redis|kafka)(?:\/|$)/,
      program:
        /^(?:postgres|mysqld|mariadbd|mongod|java|elasticsearch|influxd|prometheus|clickhouse\S*|redis-server|etcd|beam\.smp)$/,
      event: /\bWAL\b|pg_wal|binlog|replication slot|vacuum|\bindex\b/i,
      least: 15,
      next: 'Look for retained write-ahead logs, dead rows and old partitions.',
    },
  ];

interface Writer {
  data: string;
  next: string;
  program: Program | null;
  shown: string | null;
}
/** The mount point says most; else the events of these hours; else a program that is busier than before. */
function writerOf(evidence: HostMoment, since: number): Writer | null {
  const programs = programsOf(evidence);
  const told = evidence.events.filter(({ at }) => at >= since - 2 * HOUR && at <= evidence.at + HOUR);
  const busy = (program: Program, least: number): boolean =>
    program.cpuPercent >= Math.max(least, 1.5 * program.cpuBefore, 1);
  const candidates = WRITERS.map((writer) => ({
    ...writer,
    onMount: evidence.subject !== null && writer.mount.test(evidence.subject),
    program: programs
      .filter(({ name }) => writer.program.test(name))
      .toSorted((a, b) => b.cpuPercent - b.cpuBefore - (a.cpuPercent - a.cpuBefore))[0],
    shown: told.find(({ message }) => writer.event.test(message))?.message ?? null,
  }));
  const found =
    candidates.find(({ onMount, shown, program }) => onMount && (shown !== null || program !== undefined)) ??
    candidates.find(({ onMount }) => onMount) ??
    candidates.find(({ program, shown }) => shown !== null && program !== undefined) ??
    candidates.find(({ program, least }) => program !== undefined && busy(program, least)) ??
    candidates.find(({ shown }) => shown !== null);
  if (found === undefined) return null;
  return { data: found.data, next: found.next, program: found.program ?? null, shown: found.shown };
}

const growthLine = ({ from, now, pointsPerHour, since, days }: Growth): string =>
  `${fixed(from)} % → ${fixed(now)} % since ${clock(since)}${days ? ' a week ago' : ''}, ${fixed(pointsPerHour, 2)} points an hour`;
const HOUR_MS = 3_600_000;
function leftLine({ now, pointsPerHour, stepped }: Growth): string[] {
  const hours = pointsPerHour > 0 ? (100 - now) / pointsPerHour : null;
  return stepped || hours === null || hours > 24 * 30
    ? []
    : [`at this rate it is full in about ${duration(hours * HOUR_MS)}`];
}

/** The program that started to use more as the disk began to grow, whatever its name. */
function risenProgram(evidence: HostMoment): Program | null {
  const [top] = programsOf(evidence).toSorted((a, b) => b.cpuPercent - b.cpuBefore - (a.cpuPercent - a.cpuBefore));
  return top !== undefined && top.cpuPercent - top.cpuBefore >= 20 && top.cpuPercent >= 2 * top.cpuBefore ? top : null;
}

const diskFilling: Find = (evidence) => {
  const growth = diskGrowth(evidence);
  if (growth === null) return null;
  const where = evidence.subject ?? 'the disk';
  const writer = writerOf(evidence, growth.since);
  const risen = risenProgram(evidence);
  const program = writer?.program ?? risen;
  const lines = [
    growthLine(growth),
    ...leftLine(growth),
    growth.stepped && `it came in one step at ${clock(growth.since)}: one large file, or a copy`,
    program !== null && `${program.name} uses ${fixed(program.cpuPercent)} % of a core`,
    writer?.shown != null && writer.shown,
  ];
  const [change] = changesBefore(evidence, growth.since, program?.name ?? null);
  if (change !== undefined && change.text !== writer?.shown)
    lines.push(`a change came before it, at ${clock(change.at)}: ${change.text}`);
  const look = `Find the largest file: \`du -xh ${evidence.subject ?? '/'} | sort -h | tail\`.`;
  if (writer !== null)
    return {
      id: writer.data === 'Logs' ? 'disk_filled_by_logs' : 'disk_filled_by',
      specificity: 'broken',
      since: growth.since,
      guilty: [...filesystem(evidence.subject), ...(program === null ? [] : process(program.name))],
      finding: `${writer.data} fill${writer.data === 'A database' ? 's' : ''} ${where}.`,
      evidence: lines,
      next: `${look} ${writer.next}`,
    };
  return {
    id: risen === null ? 'disk_filling' : 'disk_filled_by',
    specificity: risen === null ? 'state' : 'changed',
    since: growth.since,
    guilty: [...filesystem(evidence.subject), ...(risen === null ? [] : process(risen.name))],
    finding:
      risen === null
        ? `${evidence.subject ?? 'A filesystem'} fills up.`
        : `${where} fills up while ${risen.name} runs.`,
    evidence: lines,
    next: look,
  };
};

const INODES_LINE = 90;
const inodesExhausted: Find = ({ filesystems, metric, subject: mount, events }) => {
  const full = filesystems
    .filter((one) => (one.inodesPercent ?? 0) >= INODES_LINE && (mount === null || one.mount === mount))
    .toSorted((a, b) => (b.inodesPercent ?? 0) - (a.inodesPercent ?? 0))[0];
  if (full === undefined && metric !== 'inode_usage') return null;
  const where = full?.mount ?? mount ?? 'A filesystem';
  const told = events.find(({ message }) => /no space left|inode/i.test(message));
  return {
    guilty: filesystem(where === 'A filesystem' ? null : where),
    id: 'inodes_exhausted',
    specificity: 'stated',
    finding: `${where} runs out of inodes: it holds very many small files.`,
    evidence: [
      full !== undefined && `${fixed(full.inodesPercent ?? 0)} % of its inodes are used`,
      full?.usedPercent != null && `${fixed(full.usedPercent)} % of its space is used`,
      told !== undefined && told.message,
    ],
    next: `Find the directory: \`du --inodes -x ${where} | sort -n | tail\`, and delete old files there.`,
  };
};

/** Programs whose work is to read or write whole disks. */
export const BULK_READERS =
  /^(?:borg|restic|rsync|rclone|duplicity|tar|gzip|pigz|zstd|xz|dd|cp|mv|pg_dump\w*|pg_basebackup|pg_restore|mysqldump|mariabackup|xtrabackup|mongodump|bacula-fd|bareos-fd|veeamagent|clamscan|clamd|freshclam|updatedb\S*|plocate|mdadm|md\d+_resync|find|fstrim|fio|e2fsck|xfs_\w+|btrfs|zpool|lvconvert|qemu-img|proxmox-backup-\w+)$/;

/** A disk that does fewer operations while the processor waits longer is slow by itself. */
const SLOW_SHARE = 0.6;
const diskSaturated: Find = (evidence) => {
  const { series, at } = evidence;
  const wait = shiftOf(series.io_wait, at);
  const operations = shiftOf(series.iops, at);
  if (wait === null || wait.is < 10 || wait.is - wait.was < 8) return null;
  const programs = programsOf(evidence);
  const reader =
    programs.filter(({ name }) => BULK_READERS.test(name)).toSorted((a, b) => b.cpuPercent - a.cpuPercent)[0] ??
    programs
      .filter((one) => one.cpuPercent - one.cpuBefore >= 15 && one.cpuPercent >= 1.8 * one.cpuBefore)
      .toSorted((a, b) => b.cpuPercent - b.cpuBefore - (a.cpuPercent - a.cpuBefore))[0];
  const isSlow = operations !== null && operations.was >= 20 && operations.is < SLOW_SHARE * operations.was;
  const told = evidence.events.find(({ message }) =>
    /I\/O error|ata\d|nvme|SMART|medium error|reset|\bnfs\b.*not responding|degraded/i.test(message),
  );
  const lines = [
    `IO wait ${fixed(wait.was)} % → ${fixed(wait.is)} % since ${clock(wait.onset)}`,
    operations !== null && `${fixed(operations.was, 0)} → ${fixed(operations.is, 0)} disk operations per second`,
    told !== undefined && told.message,
  ];
  if (told !== undefined || (isSlow && reader === undefined))
    return {
      id: 'slow_disk',
      specificity: 'broken',
      since: wait.onset,
      finding: 'The disk itself became slow: the processor waits longer for fewer operations.',
      evidence: lines,
      next: 'Check the health of the disk (`smartctl -a`, `dmesg`), its controller, or the network storage behind it.',
    };
  return {
    id: 'disk_saturated',
    specificity: reader === undefined ? 'state' : 'broken',
    since: wait.onset,
    guilty: reader === undefined ? [] : process(reader.name),
    finding:
      reader === undefined
        ? 'The processor waits for the disk.'
        : `The processor waits for the disk while ${reader.name} runs.`,
    evidence: [
      ...lines,
      reader !== undefined &&
        `${reader.name} uses ${fixed(reader.cpuPercent)} % of a core${reader.startedAt > at - 6 * HOUR ? `, since ${clock(reader.startedAt)}` : ''}`,
    ],
    next:
      reader === undefined
        ? 'Look for backups, scans or a failing disk at that time (`iostat -x 1`, `dmesg`).'
        : `Ask why ${reader.name} runs now, and lower its priority (\`ionice -c 3\`).`,
  };
};

export const diskMechanisms: readonly Mechanism[] = [
  hostMechanism({
    id: 'disk_filled_by_logs',
    title: 'Disk filled by logs',
    brings: ['disk', 'node', 'unit', 'crash'],
    find: diskFilling,
  }),
  hostMechanism({
    id: 'disk_filled_by',
    title: 'Disk filled',
    brings: ['disk', 'node', 'unit', 'crash'],
    find: diskFilling,
  }),
  hostMechanism({ id: 'disk_filling', title: 'Disk fills', brings: ['disk', 'node'], is: 'disk', find: diskFilling }),
  hostMechanism({
    id: 'inodes_exhausted',
    title: 'Inodes exhausted',
    brings: ['disk', 'unit', 'crash'],
    find: inodesExhausted,
  }),
  hostMechanism({ id: 'slow_disk', title: 'Slow disk', brings: ['io', 'cpu', 'load'], is: 'io', find: diskSaturated }),
  hostMechanism({
    id: 'disk_saturated',
    title: 'Disk saturated',
    brings: ['io', 'cpu', 'load'],
    is: 'io',
    find: diskSaturated,
  }),
];
