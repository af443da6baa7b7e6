import { HOUR_MS, HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { duration } from '../../../alerts/duration.ts';
import { clock, fixed, mostBy } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, moved, part, type HostMoment } from '../../host-moment.ts';
import { beginningOf, growthOf } from '../../shift.ts';
import { changeLine, type Program } from '../../suspects.ts';
import { quote } from '../../words.ts';
import { newcomerOf } from './newcomer.ts';

/** Growth in 12 h from which a disk is said to fill: points an hour, and in all. */
const FILLING_POINTS = 0.5;
const FILLED_POINTS = 5;
/** A slower growth counts where the alert is about a disk: points a week. */
const SLOW_POINTS = 2;

interface Growth {
  from: number;
  now: number;
  perHour: number;
  since: number;
  /** Came in one step, and did not creep. */
  stepped: boolean;
  days: boolean;
}
function diskGrowth({ series, week, at, metric, shift: shiftOf }: HostMoment): Growth | null {
  const [growth, shift] = [growthOf(series.disk, at), shiftOf('disk')];
  if (growth === null || shift === null) return null;
  const { from, to } = growth;
  const now = to.value;
  if (growth.perHour >= FILLING_POINTS || Math.max(now - from.value, shift.is - shift.was) >= FILLED_POINTS) {
    const since = shift.gradual ? (beginningOf(series.disk, at) ?? from.at) : shift.onset;
    const [least, hours] = [Math.min(from.value, shift.was), (to.at - since) / HOUR_SECONDS];
    // The trend of all hours hides a growth that began with the last ones.
    const perHour = shift.gradual && hours > 0 ? Math.max(growth.perHour, (now - least) / hours) : growth.perHour;
    return { from: least, now, perHour, since, stepped: !shift.gradual, days: false };
  }
  const slow = growthOf(week.disk, at, 7 * 24);
  if (metric?.startsWith('disk') !== true || slow === null || slow.to.value - slow.from.value < SLOW_POINTS)
    return null;
  return { from: slow.from.value, now, perHour: slow.perHour, since: slow.from.at, stepped: false, days: true };
}

/** Kinds of data, by the mount point, by the programs that write them, and by the words of events about them. */
interface Data {
  data: string;
  mount: RegExp;
  program: RegExp;
  event: RegExp;
  /** CPU of a program that writes. */
  least: number;
  next: string;
}
const WRITERS: readonly Data[] = [
  {
    data: 'Logs fill',
    mount: /(?:^|\/)(?:logs?|journal)(?:\/|$)/,
    program: /^(?:rsyslogd|syslog-ng|journald|systemd-journal\w*|fluent\S*|vector|logrotate|promtail|filebeat)$/,
    event: /\blogs?\b|\blogrotate\b|journal/i,
    least: 4,
    next: 'Then rotate it and quieten what writes it.',
  },
  {
    data: 'Backups fill',
    mount: /(?:^|\/)(?:backups?|dumps?|snapshots?|borg|restic)(?:\/|$)/,
    program:
      /^(?:borg|restic|duplicity|rsync|rclone|tar|pg_dump\w*|pg_basebackup|mysqldump|mariabackup|xtrabackup|mongodump|bacula-\w+)$/,
    event: /\bbackups?\b|\bdumps?\b|snapshot/i,
    least: 0,
    next: 'Delete old backups, or write them to another filesystem.',
  },
  {
    data: 'Containers and their images fill',
    mount: /containerd|docker|containers|kubelet|overlay|crio/,
    program: /^(?:dockerd|buildkitd|podman|buildah|kaniko)$/,
    event: /image garbage|docker (?:build|pull)|containerd/i,
    least: 20,
    next: 'Remove unused images (`docker system prune`, `crictl rmi --prune`), and limit the ephemeral storage of pods.',
  },
  {
    data: 'Temporary files fill',
    mount: /(?:^|\/)(?:tmp|scratch|cache|spool)(?:\/|$)/,
    program: /^$/,
    event: /\/(?:var\/)?tmp\b|no space left/i,
    least: 0,
    next: 'Delete them, and find the program that leaves them behind.',
  },
  {
    data: 'A database fills',
    mount:
      /postgres\w*|pgsql|pgdata|mysql|mariadb|mongo\w*|(?:^|\/)(?:db|data(?:base)?s?|elasticsearch|opensearch|influx\w*|prometheus|clickhouse|cassandra|redis|kafka)(?:\/|$)/,
    program:
      /^(?:postgres|mysqld|mariadbd|mongod|java|elasticsearch|influxd|prometheus|clickhouse\S*|redis-server|etcd|beam\.smp)$/,
    event: /\bWAL\b|pg_wal|binlog|replication slot|vacuum|\bindex\b/i,
    least: 15,
    next: 'Look for retained write-ahead logs, dead rows and old partitions.',
  },
];

/** The mount point says most; else the events of these hours; else a program that is busier than before. */
function writerOf({ programs, events, at, subject }: HostMoment, since: number) {
  const told = events.filter((event) => event.at >= since - 2 * HOUR_SECONDS && event.at <= at + HOUR_SECONDS);
  const isBusy = ({ cpuPercent, cpuMore }: Program, least: number): boolean =>
    cpuPercent >= Math.max(least, 1.5 * (cpuPercent - cpuMore), 1);
  const candidates = WRITERS.map((writer) => ({
    ...writer,
    onMount: subject !== null && writer.mount.test(subject),
    program: mostBy(
      programs.filter(({ name }) => writer.program.test(name)),
      ({ cpuMore }) => cpuMore,
    )[0],
    shown: told.find(({ message }) => writer.event.test(message))?.message,
  }));
  return (
    candidates.find(({ onMount, shown, program }) => onMount && (shown ?? program) !== undefined) ??
    candidates.find(({ onMount }) => onMount) ??
    candidates.find(({ program, shown }) => shown !== undefined && program !== undefined) ??
    candidates.find(({ program, least }) => program !== undefined && isBusy(program, least)) ??
    candidates.find(({ shown }) => shown !== undefined)
  );
}

function growthLines({ from, now, perHour, since, days, stepped }: Growth): string[] {
  const hours = perHour > 0 ? (100 - now) / perHour : Infinity;
  return [
    `${moved('', from, now).trim()} since ${clock(since)}${days ? ' a week ago' : ''}, ${fixed(perHour, 2)} points an hour`,
    stepped
      ? `it came in one step at ${clock(since)}: one large file, or a copy`
      : hours > 24 * 30 || now >= 99.5
        ? ''
        : `at this rate it is full in about ${duration(hours * HOUR_MS)}`,
  ];
}

/** The program that started to use more as the disk began to grow, whatever its name. */
function risenProgram({ programs }: HostMoment): Program | undefined {
  const [top] = mostBy(programs, ({ cpuMore }) => cpuMore);
  return top !== undefined && top.cpuMore >= 20 && 2 * top.cpuMore >= top.cpuPercent ? top : undefined;
}

const BY_LOGS = { id: 'disk_filled_by_logs', title: 'Disk filled by logs' };
const FILLS = { id: 'disk_filling', title: 'Disk fills' };
const diskFilling = hostMechanism('disk_filled_by', 'Disk filled', (host) => {
  const growth = diskGrowth(host);
  if (growth === null) return null;
  const [writer, { subject }] = [writerOf(host, growth.since), host];
  const program = writer?.program ?? risenProgram(host);
  const look = `Find the largest file: \`du -xh ${subject ?? '/'} | sort -h | tail\`.`;
  const isUnknown = writer === undefined && program === undefined;
  return {
    brings: ['disk', 'node', 'unit', 'crash'],
    as: writer?.data === WRITERS[0]?.data ? BY_LOGS : isUnknown ? FILLS : undefined,
    is: isUnknown ? 'disk' : undefined,
    specificity: writer !== undefined ? 'broken' : isUnknown ? 'state' : 'changed',
    since: growth.since,
    guilty: [...part('filesystem', subject), ...part('process', program?.name)],
    finding:
      writer !== undefined
        ? `${writer.data} ${subject ?? 'the disk'}.`
        : `${subject ?? 'A filesystem'} fills up${program === undefined ? '' : ` while ${program.name} runs`}.`,
    evidence: [
      ...growthLines(growth),
      program && `${program.name} uses ${fixed(program.cpuPercent)} % of a core`,
      writer?.shown,
      changeLine(host, growth.since, program?.name ?? null, writer?.shown),
    ],
    next: writer === undefined ? look : `${look} ${writer.next}`,
  };
});

const FULL_PERCENT = 98;
const NO_SPACE = /disk quota exceeded|no space left on device|ENOSPC/i;
/** A program cannot write, and a file system is full: not the program is guilty. */
const noSpace = hostMechanism('no_space_left', 'No space left', ({ said, filesystems }) => {
  const line = said.find(({ text }) => NO_SPACE.test(text));
  if (line === undefined) return null;
  const full = filesystems.filter((one) => Math.max(one.usedPercent ?? 0, one.inodesPercent ?? 0) >= FULL_PERCENT);
  const [where] = mostBy(full, ({ mount }) => Number(line.text.includes(mount)) * mount.length);
  return {
    brings: ['disk', 'unit', 'crash', 'failing', 'other'],
    specificity: where === undefined ? 'changed' : 'stated',
    since: line.at,
    guilty: part('filesystem', where?.mount),
    finding: `${where?.mount ?? 'A filesystem'} is full, and ${line.subject ?? 'a program'} cannot write.`,
    evidence: [
      quote(line),
      where?.usedPercent != null && `${fixed(where.usedPercent)} % of its space is used`,
      where?.inodesPercent != null && `${fixed(where.inodesPercent)} % of its inodes are used`,
    ],
    next: 'Free space or inodes: `df -h`, `df -i`.',
  };
});

const INODES_LINE = 90;
const inodesExhausted = hostMechanism('inodes_exhausted', 'Inodes exhausted', (host) => {
  const [full] = mostBy(
    host.filesystems.filter(({ mount }) => host.subject === null || mount === host.subject),
    ({ inodesPercent }) => inodesPercent ?? 0,
  );
  const isFull = (full?.inodesPercent ?? 0) >= INODES_LINE;
  if (!isFull && host.metric !== 'inode_usage') return null;
  const where = full?.mount ?? host.subject;
  const space = host.shift('disk');
  // Very many files take room as well: without it they were there before.
  const writer = space === null || space.last - space.was >= 1 ? newcomerOf(host) : null;
  return {
    brings: ['disk', 'unit', 'crash'],
    // A unit that came with the files wrote them.
    guilty: writer === null ? part('filesystem', where) : part('unit', writer.name),
    specificity: 'stated',
    since: writer?.at ?? null,
    finding: `${where ?? 'A filesystem'} runs out of inodes: it holds very many small files${writer === null ? '' : `, and ${writer.name} started before`}.`,
    evidence: [
      full !== undefined && `${fixed(full.inodesPercent ?? 0)} % of its inodes are used`,
      full?.usedPercent != null && `${fixed(full.usedPercent)} % of its space is used`,
      quote(host.said.find(({ text }) => /no space left|inode/i.test(text))),
    ],
    next: `Find the directory: \`du --inodes -x ${where ?? '/'} | sort -n | tail\`, and delete old files there.`,
  };
});

/** Programs whose work is to read or write whole disks. */
export const BULK_READERS =
  /^(?:borg|restic|rsync|rclone|duplicity|tar|gzip|pigz|zstd|xz|dd|cp|mv|pg_dump\w*|pg_basebackup|pg_restore|mysqldump|mariabackup|xtrabackup|mongodump|bacula-fd|bareos-fd|veeamagent|clamscan|clamd|freshclam|updatedb\S*|plocate|mdadm|md\d+_resync|find|fstrim|fio|e2fsck|xfs_\w+|btrfs|zpool|lvconvert|qemu-img|proxmox-backup-\w+)$/;

/** A disk that does fewer operations while the processor waits longer is slow by itself. */
const SLOW_SHARE = 0.6;
const SLOW = { id: 'slow_disk', title: 'Slow disk' };
const diskSaturated = hostMechanism('disk_saturated', 'Disk saturated', ({ shift, programs, said, at }) => {
  const [wait, operations] = [shift('io_wait'), shift('iops')];
  if (wait === null || wait.is < 10 || wait.is - wait.was < 8) return null;
  const [reader] = [
    ...mostBy(
      programs.filter(({ name }) => BULK_READERS.test(name)),
      ({ cpuPercent }) => cpuPercent,
    ),
    ...mostBy(
      programs.filter(({ cpuMore, cpuPercent }) => cpuMore >= 15 && cpuPercent >= 1.8 * (cpuPercent - cpuMore)),
      ({ cpuMore }) => cpuMore,
    ),
  ];
  const told = said.find(({ text }) =>
    /I\/O error|ata\d|nvme|SMART|medium error|reset|\bnfs\b.*not responding|degraded/i.test(text),
  );
  const isSlow = operations !== null && operations.was >= 20 && operations.is < SLOW_SHARE * operations.was;
  const evidence = [
    `${moved('IO wait', wait.was, wait.is)} since ${clock(wait.onset)}`,
    operations && `${moved('', operations.was, operations.is, '', 0).trim()} disk operations per second`,
    quote(told),
  ];
  if (told !== undefined || (isSlow && reader === undefined))
    return {
      brings: ['io', 'cpu', 'load'],
      is: 'io',
      as: SLOW,
      specificity: 'broken',
      since: wait.onset,
      finding: 'The disk itself became slow: the processor waits longer for fewer operations.',
      evidence,
      next: 'Check the health of the disk (`smartctl -a`, `dmesg`), its controller, or the network storage behind it.',
    };
  const since =
    reader !== undefined && reader.startedAt > at - 6 * HOUR_SECONDS ? `, since ${clock(reader.startedAt)}` : '';
  return {
    brings: ['io', 'cpu', 'load'],
    is: 'io',
    specificity: reader === undefined ? 'state' : 'broken',
    since: wait.onset,
    guilty: part('process', reader?.name),
    finding: `The processor waits for the disk${reader === undefined ? '' : ` while ${reader.name} runs`}.`,
    evidence: [...evidence, reader && `${reader.name} uses ${fixed(reader.cpuPercent)} % of a core${since}`],
    next:
      reader === undefined
        ? 'Look for backups, scans or a failing disk at that time (`iostat -x 1`, `dmesg`).'
        : `Ask why ${reader.name} runs now, and lower its priority (\`ionice -c 3\`).`,
  };
});

export const diskMechanisms: readonly Mechanism[] = [diskFilling, noSpace, inodesExhausted, diskSaturated];
