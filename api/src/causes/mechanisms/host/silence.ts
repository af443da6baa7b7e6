import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { clock, clockSecond, fixed, gigabytes, mostBy } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, part, type HostMoment } from '../../host-moment.ts';
import { commandLine } from '../../suspects.ts';

/** Causes of missing reports. */

/** Buckets without a value at the end of the series. */
const SILENT_POINTS = 3;
const isSilent = ({ metric, series, at }: HostMoment): boolean => {
  const after = series.cpu.filter(({ at: time }) => time >= at - 300);
  return metric === 'offline' || (after.length >= SILENT_POINTS && after.every(({ value }) => value === null));
};
const gapAt = ({ gaps, at }: HostMoment): HostMoment['gaps'][number] | undefined =>
  mostBy(
    gaps.filter(({ from, to }) => from <= at + HOUR_SECONDS && to >= at - 2 * HOUR_SECONDS),
    ({ from }) => from,
  )[0];
const toldWithin = ({ events, at }: HostMoment, pattern: RegExp, hours: number) =>
  events.find(({ message, at: time }) => pattern.test(message) && Math.abs(time - at) < hours * HOUR_SECONDS);

/** Fewer other servers than these may be chance. */
const SHARED_SERVERS = 2;
const MOST_NAMES = 6;
const sharedSilence = hostMechanism(
  'shared_silence',
  'Something shared failed',
  ({ silentTogether: others, hostname, at, series }) => {
    if (others.length < SHARED_SERVERS) return null;
    const more = others.length - MOST_NAMES;
    // A collector sends its unsent reports afterwards. A machine that was off has nothing to send.
    const ranOn = series.cpu.some(({ at: time, value }) => value !== null && time > at + 300);
    return {
      brings: ['silent', 'traffic', 'node', 'failing'],
      specificity: 'stated',
      since: at,
      finding: `${String(others.length + 1)} servers went silent within minutes of each other: something that they share failed.`,
      evidence: [
        `${hostname} at ${clock(at)}, and with it ${others.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`,
        ranOn && 'their figures of that time came later: the machines ran on, and the network between failed',
      ],
      next: 'Check what they share: uplink, switch, power, or the way to this dashboard.',
    };
  },
);

const SLEPT = /\bwas suspended\b/i;
const REBOOT = /\bwas suspended\b|\breboot|kernel panic|watchdog|power (?:loss|failure)|system boot/i;
/** The start of the machine: every process is younger than the gap. */
const rebooted = hostMechanism('rebooted', 'Restart of the machine', (host) => {
  const { events, at, processes, series, metric } = host;
  const [gap, told] = [gapAt(host), toldWithin(host, REBOOT, 2)];
  const starts = processes.flatMap(({ startedAt }) => (startedAt > 0 ? [startedAt] : []));
  const oldest = Math.min(...starts);
  // A machine that never reported before has only just been installed. A point stands for some minutes.
  const reportedBefore = series.cpu.some(({ at: time, value }) => value !== null && time < oldest - HOUR_SECONDS / 4);
  const allYoung = starts.length >= 5 && oldest > at - 2 * HOUR_SECONDS && reportedBefore;
  const isReboot = gap?.reason === 'rebooted' || gap?.reason === 'host_off';
  const hasHole =
    gap !== undefined ||
    metric === 'offline' ||
    series.cpu.some(({ at: time, value }) => value === null && Math.abs(time - at) < HOUR_SECONDS);
  if (!isReboot && !allYoung && !(told !== undefined && hasHole)) return null;
  const since = gap?.from ?? (allYoung ? oldest : (told?.at ?? null));
  const updates = events.filter(({ type, at: time }) => type === 'update_installed' && time > at - 3 * HOUR_SECONDS);
  const kernel = host.changes.find(
    ({ kind, at: time, fields }) =>
      kind === 'system' && Math.abs(time - at) < HOUR_SECONDS && fields.some(({ field }) => field === 'kernel'),
  );
  // An upgrade of the kernel takes effect at a restart.
  const update =
    updates.find(({ message }) => /\blinux-|\bkernel\b/i.test(message)) ?? mostBy(updates, (one) => one.at)[0];
  return {
    brings: ['silent', 'unit', 'crash', 'node', 'traffic', 'failing', 'load'],
    specificity: 'stated',
    since,
    finding: SLEPT.test(told?.message ?? '')
      ? 'The machine was suspended.'
      : gap?.reason === 'host_off'
        ? 'The machine was switched off.'
        : 'The machine was restarted.',
    evidence: [
      gap && `no reports from ${clock(gap.from)} to ${clock(gap.to)}`,
      gap?.detail,
      allYoung && `its oldest process started at ${clock(oldest)}`,
      told?.message,
      kernel?.title,
      update && `before it: ${update.message}`,
    ],
    next: 'Find out who or what restarted it: `last -x reboot`, `journalctl -b -1 -e`.',
  };
});

const STOPPED = /\b(?:collector|plimsoll|pulsebeam|agent)\b.*(?:stopp|signed off|fail|killed|uninstall)/i;
const collectorStopped = hostMechanism('collector_stopped', 'Collector stopped', (host) => {
  const [gap, told] = [gapAt(host), toldWithin(host, STOPPED, 1)];
  if (gap?.reason !== 'agent_stopped' && (told === undefined || (gap === undefined && !isSilent(host)))) return null;
  return {
    brings: ['silent', 'unit'],
    specificity: 'stated',
    since: gap?.from ?? told?.at ?? null,
    finding: 'The collector was stopped; the machine itself did not fail.',
    evidence: [gap?.detail, told && `${told.message} at ${clock(told.at)}`],
    next: 'Start it: `systemctl start plimsoll`.',
  };
});

const silentHost = hostMechanism('silent_host', 'Silent machine', (host) => {
  if (!isSilent(host)) return null;
  const last = (name: 'cpu' | 'memory' | 'disk' | 'swap' | 'io_wait'): number | null =>
    host.series[name].findLast(({ value }) => value !== null)?.value ?? null;
  const [memory, disk, swap, wait, cpu] = [last('memory'), last('disk'), last('swap'), last('io_wait'), last('cpu')];
  const rising = host.shift('memory');
  const isFull =
    memory !== null && (memory >= 95 || (memory >= 90 && rising !== null && rising.last - rising.was > 15));
  // The program that used most memory in the last list: what to look at when the host is back.
  const [largest] = isFull ? mostBy(host.programs, ({ memoryBytes }) => memoryBytes) : [];
  const gap = gapAt(host);
  const figure = (name: string, value: number | null, least = 0): string[] =>
    value === null || value < least ? [] : [`${name} ${fixed(value)} %`];
  const minutes = [
    ...figure('memory', memory),
    ...figure('swap', swap, 20),
    ...figure('CPU', cpu),
    ...figure('IO wait', wait, 15),
    ...figure('disk', disk, 95),
  ];
  const isYoung = largest !== undefined && largest.startedAt > host.at - 12 * HOUR_SECONDS;
  return {
    brings: ['silent', 'traffic', 'swap', 'memory', 'node', 'failing'],
    is: 'silent',
    specificity: 'changed',
    since: gap?.from ?? null,
    guilty: part('process', largest?.name),
    finding: isFull
      ? 'The host went silent while its memory was full.'
      : (disk ?? 0) >= 99
        ? 'The host went silent while its disk was full.'
        : gap?.reason === 'link_lost'
          ? 'The host ran on, and its way to this dashboard was interrupted.'
          : 'The host sends no reports.',
    evidence: [
      // The gap begins with the last report; a point of the series stands for minutes.
      gap && `last report at ${clockSecond(gap.from)}`,
      // The last point of the series is the mean of some minutes.
      minutes.length > 0 && `in the minutes before: ${minutes.join(', ')}`,
      largest &&
        `${largest.name} used most memory, ${gigabytes(largest.memoryBytes)}${isYoung ? `; it started at ${clock(largest.startedAt)}` : ''}`,
      largest && commandLine(largest),
      gap?.detail,
    ],
    next: `Check whether the host answers (console, ping), then \`systemctl status plimsoll\` on it.${largest === undefined ? '' : ` Limit the memory of ${largest.name} (\`MemoryMax=\` of its unit) before it starts again.`}`,
  };
});

/** Seconds; below them NTP corrects without a step. */
const SKEW_SECONDS = 60;
const CLOCK =
  /\bclock was set\b|time (?:has been|was) (?:changed|stepped)|clock (?:jump|skew|drift)|stepped by|system clock wrong|\bntp\b.*(?:fail|unreach|lost)|chronyd?.*(?:unreach|no selectable|can't sync)/i;
/** Certificates look expired, or not yet valid, to a clock that is wrong. */
export const isSkewed = ({ clockSkewSeconds }: Pick<HostMoment, 'clockSkewSeconds'>): boolean =>
  Math.abs(clockSkewSeconds ?? 0) >= SKEW_SECONDS;
const clockSet = hostMechanism('clock_set', 'Clock was wrong', (host) => {
  const told = toldWithin(host, CLOCK, 6);
  const skew = Math.abs(host.clockSkewSeconds ?? 0);
  if (told === undefined && skew < SKEW_SECONDS) return null;
  return {
    brings: ['clock', 'node', 'unit', 'crash', 'failing'],
    specificity: 'broken',
    finding: 'The clock of the host was wrong.',
    evidence: [
      told && `${told.message} at ${clock(told.at)}`,
      skew >= SKEW_SECONDS && `it differs from this server's clock by ${fixed(skew, 0)} s`,
      host.limits?.clockSynchronized === false && 'nothing synchronises it',
    ],
    next: 'Check time synchronisation: `timedatectl`, `chronyc tracking`.',
  };
});

export const silenceMechanisms: readonly Mechanism[] = [
  sharedSilence,
  rebooted,
  collectorStopped,
  silentHost,
  clockSet,
];
