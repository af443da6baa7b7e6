import { clock, clockSecond, fixed, gigabytes, HOUR } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, process, type Find, type HostMoment } from '../../host-moment.ts';
import { shiftOf } from '../../shift.ts';
import { commandLine, programsOf, type Program } from '../../suspects.ts';

/** Causes of missing reports. */

/** Buckets without a value at the end of the series. */
const SILENT_POINTS = 3;
const isSilent = ({ metric, series, at }: HostMoment): boolean => {
  const after = series.cpu.filter(({ at: time }) => time >= at - 300);
  return metric === 'offline' || (after.length >= SILENT_POINTS && after.every(({ value }) => value === null));
};
const lastValue = (points: HostMoment['series']['cpu']): number | null =>
  points.findLast(({ value }) => value !== null)?.value ?? null;
const gapAt = ({ gaps, at }: HostMoment): HostMoment['gaps'][number] | undefined =>
  gaps.filter(({ from, to }) => from <= at + HOUR && to >= at - 2 * HOUR).toSorted((a, b) => b.from - a.from)[0];

/** Fewer other servers than these may be chance. */
const SHARED_SERVERS = 2;
const MOST_NAMES = 6;
const sharedSilence: Find = ({ silentTogether, hostname, at, series }) => {
  if (silentTogether.length < SHARED_SERVERS) return null;
  // A collector sends its unsent reports afterwards. A machine that was off has nothing to send.
  const ranOn = series.cpu.some(({ at: time, value }) => value !== null && time > at + 300);
  const shown = silentTogether.slice(0, MOST_NAMES).join(', ');
  const more = silentTogether.length - MOST_NAMES;
  return {
    id: 'shared_silence',
    specificity: 'stated',
    since: at,
    finding: `${String(silentTogether.length + 1)} servers went silent within minutes of each other: something that they share failed.`,
    evidence: [
      `${hostname} at ${clock(at)}, and with it ${shown}${more > 0 ? ` and ${String(more)} more` : ''}`,
      ranOn && 'their figures of that time came later: the machines ran on, and the network between failed',
    ],
    next: 'Check what they share: uplink, switch, power, or the way to this dashboard.',
  };
};

/** The start of the machine: every process is younger than the gap. */
const rebooted: Find = (evidence) => {
  const { events, at, processes } = evidence;
  const gap = gapAt(evidence);
  const told = events.find(
    ({ message, at: time }) =>
      /\breboot|kernel panic|watchdog|power (?:loss|failure)|system boot/i.test(message) &&
      Math.abs(time - at) < 2 * HOUR,
  );
  const starts = processes.flatMap(({ startedAt }) => (startedAt > 0 ? [startedAt] : []));
  const oldest = Math.min(...starts);
  // A machine that never reported before has only just been installed. A point stands for some minutes.
  const reportedBefore = evidence.series.cpu.some(({ at: time, value }) => value !== null && time < oldest - HOUR / 4);
  const allYoung = starts.length >= 5 && oldest > at - 2 * HOUR && reportedBefore;
  const isReboot = gap !== undefined && ['rebooted', 'host_off'].includes(gap.reason);
  const hole = evidence.series.cpu.some(({ at: time, value }) => value === null && Math.abs(time - at) < HOUR);
  if (!isReboot && !allYoung && !(told !== undefined && (gap !== undefined || hole || evidence.metric === 'offline')))
    return null;
  const update = events.find(({ type, at: time }) => type === 'update_installed' && time > at - 3 * HOUR);
  return {
    id: 'rebooted',
    specificity: 'stated',
    since: gap?.from ?? (allYoung ? oldest : (told?.at ?? null)),
    finding: gap?.reason === 'host_off' ? 'The machine was switched off.' : 'The machine was restarted.',
    evidence: [
      ...(gap === undefined
        ? []
        : [`no reports from ${clock(gap.from)} to ${clock(gap.to)}`, ...(gap.detail === '' ? [] : [gap.detail])]),
      allYoung && `its oldest process started at ${clock(oldest)}`,
      told !== undefined && told.message,
      update !== undefined && `before it: ${update.message}`,
    ],
    next: 'Find out who or what restarted it: `last -x reboot`, `journalctl -b -1 -e`.',
  };
};

const collectorStopped: Find = (evidence) => {
  const { events, at } = evidence;
  const gap = gapAt(evidence);
  const told = events.find(
    ({ message, at: time }) =>
      /\b(?:collector|plimsoll|pulsebeam|agent)\b.*(?:stopp|signed off|fail|killed|uninstall)/i.test(message) &&
      Math.abs(time - at) < HOUR,
  );
  if (gap?.reason !== 'agent_stopped' && told === undefined) return null;
  if (!isSilent(evidence) && gap === undefined) return null;
  return {
    id: 'collector_stopped',
    specificity: 'stated',
    since: gap?.from ?? told?.at ?? null,
    finding: 'The collector was stopped; the machine itself did not fail.',
    evidence: [
      ...(gap === undefined || gap.detail === '' ? [] : [gap.detail]),
      told !== undefined && `${told.message} at ${clock(told.at)}`,
    ],
    next: 'Start it: `systemctl start plimsoll`.',
  };
};

/** The program that used most memory in the last list: what to look at when the host is back. */
const largestProgram = (evidence: HostMoment): Program | undefined =>
  programsOf(evidence).toSorted((a, b) => b.memoryBytes - a.memoryBytes)[0];

const silentHost: Find = (evidence) => {
  const { series, at } = evidence;
  if (!isSilent(evidence)) return null;
  const last = series.cpu.findLast(({ value }) => value !== null);
  const memory = lastValue(series.memory);
  const [disk, swap, wait] = [lastValue(series.disk), lastValue(series.swap), lastValue(series.io_wait)];
  const rising = shiftOf(series.memory, at);
  const full = memory !== null && (memory >= 95 || (memory >= 90 && rising !== null && rising.last - rising.was > 15));
  const largest = full ? largestProgram(evidence) : undefined;
  const gap = gapAt(evidence);
  const minutes = [
    ...(memory === null ? [] : [`memory ${fixed(memory)} %`]),
    ...(swap !== null && swap > 20 ? [`swap ${fixed(swap)} %`] : []),
    ...(last === undefined ? [] : [`CPU ${fixed(last.value ?? 0)} %`]),
    ...(wait !== null && wait > 15 ? [`IO wait ${fixed(wait)} %`] : []),
    ...(disk !== null && disk >= 95 ? [`disk ${fixed(disk)} %`] : []),
  ];
  const link = gap?.reason === 'link_lost';
  const finding = full
    ? 'The host went silent while its memory was full.'
    : disk !== null && disk >= 99
      ? 'The host went silent while its disk was full.'
      : link
        ? 'The host ran on, and its way to this dashboard was interrupted.'
        : 'The host sends no reports.';
  return {
    id: 'silent_host',
    specificity: 'changed',
    since: gap?.from ?? null,
    guilty: full && largest !== undefined ? process(largest.name) : [],
    finding,
    evidence: [
      // The gap begins with the last report; a point of the series stands for minutes.
      ...(gap === undefined ? [] : [`last report at ${clockSecond(gap.from)}`]),
      // The last point of the series is the mean of some minutes.
      ...(minutes.length === 0 ? [] : [`in the minutes before: ${minutes.join(', ')}`]),
      ...(largest === undefined
        ? []
        : [
            `${largest.name} used most memory, ${gigabytes(largest.memoryBytes)}${largest.startedAt > at - 12 * HOUR ? `; it started at ${clock(largest.startedAt)}` : ''}`,
            ...commandLine(largest),
          ]),
      ...(gap === undefined || gap.detail === '' ? [] : [gap.detail]),
    ],
    next: `Check whether the host answers (console, ping), then \`systemctl status plimsoll\` on it.${largest === undefined ? '' : ` Limit the memory of ${largest.name} (\`MemoryMax=\` of its unit) before it starts again.`}`,
  };
};

/** Seconds; below them NTP corrects without a step. */
const SKEW_SECONDS = 60;
const clockSet: Find = ({ events, at, clockSkewSeconds }) => {
  const told = events.find(
    ({ message, at: time }) =>
      /\bclock was set\b|time (?:has been|was) (?:changed|stepped)|clock (?:jump|skew|drift)|stepped by|system clock wrong|\bntp\b.*(?:fail|unreach|lost)|chronyd?.*(?:unreach|no selectable|can't sync)/i.test(
        message,
      ) && Math.abs(time - at) < 6 * HOUR,
  );
  const skewed = Math.abs(clockSkewSeconds ?? 0) >= SKEW_SECONDS;
  if (told === undefined && !skewed) return null;
  return {
    id: 'clock_set',
    specificity: 'broken',
    finding: 'The clock of the host was wrong.',
    evidence: [
      told !== undefined && `${told.message} at ${clock(told.at)}`,
      skewed && `it differs from this server's clock by ${fixed(Math.abs(clockSkewSeconds ?? 0), 0)} s`,
    ],
    next: 'Check time synchronisation: `timedatectl`, `chronyc tracking`.',
  };
};

export const silenceMechanisms: readonly Mechanism[] = [
  hostMechanism({
    id: 'shared_silence',
    title: 'Something shared failed',
    brings: ['silent', 'traffic', 'node', 'failing'],
    find: sharedSilence,
  }),
  hostMechanism({
    id: 'rebooted',
    title: 'Restart of the machine',
    brings: ['silent', 'unit', 'crash', 'node', 'traffic', 'failing', 'load'],
    find: rebooted,
  }),
  hostMechanism({
    id: 'collector_stopped',
    title: 'Collector stopped',
    brings: ['silent', 'unit'],
    find: collectorStopped,
  }),
  hostMechanism({
    id: 'silent_host',
    title: 'Silent machine',
    brings: ['silent', 'traffic', 'swap', 'memory', 'node', 'failing'],
    is: 'silent',
    find: silentHost,
  }),
  hostMechanism({ id: 'clock_set', title: 'Clock was wrong', brings: ['clock', 'node', 'unit'], find: clockSet }),
];
