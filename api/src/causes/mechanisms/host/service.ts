import { clock, fixed, HOUR } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, unit, type Find, type HostMoment } from '../../host-moment.ts';
import { shiftOf } from '../../shift.ts';
import { changesBefore, programsOf } from '../../suspects.ts';

/** Fewer ends than these in an hour are no loop. */
const LOOP_ENDS = 3;
type Event = HostMoment['events'][number];
const isEnd = ({ type, message }: Event): boolean =>
  type === 'process_crash' || type === 'service_restart' || (type === 'service_stop' && /fail/i.test(message));
/** The first word of a text that names a service, or a program. */
const nameOf = ({ name, message }: Event): string =>
  name === '' ? (serviceIn(message) ?? message.split(/[\s:,]/)[0] ?? '') : name;
const SERVICE = '.service';
const serviceIn = (message: string): string | undefined => {
  const word = message.split(/[^\w@.-]/).find((one) => /.\.service\b/.test(one));
  return word?.slice(0, word.indexOf(SERVICE) + SERVICE.length);
};

function loopOf({ events, at }: HostMoment): { name: string; ends: Event[] } | null {
  const ends = events.filter((event) => isEnd(event) && event.at <= at + HOUR && event.at > at - HOUR);
  const names = [...new Set(ends.map(nameOf))].map((name) => ({
    name,
    ends: ends.filter((event) => nameOf(event) === name),
  }));
  const [most] = names.toSorted((a, b) => b.ends.length - a.ends.length);
  return most !== undefined && most.ends.length >= LOOP_ENDS ? most : null;
}
const bareName = (name: string): string => name.replace(/\.service$/, '');

const serviceCrashLoop: Find = (evidence) => {
  const loop = loopOf(evidence);
  if (loop === null) return null;
  const { name, ends } = loop;
  const first = ends.toSorted((a, b) => a.at - b.at)[0];
  const [changed] = changesBefore(
    { ...evidence, events: evidence.events.filter((event) => !isEnd(event)), imageChanges: [] },
    first?.at ?? evidence.at,
    bareName(name),
  );
  const lines = [
    `${String(ends.length)} restarts or crashes within an hour of the alert`,
    first !== undefined && `${first.message} at ${clock(first.at)}`,
  ];
  if (changed !== undefined)
    return {
      id: 'crash_loop_after_change',
      specificity: 'stated',
      since: changed.at,
      change: changed.change,
      guilty: unit(name),
      finding: `${name} restarts again and again since a change at ${clock(changed.at)}.`,
      evidence: [...lines, changed.text],
      next: 'Undo the change, or read the log of the service.',
    };
  return {
    id: 'crash_loop',
    specificity: 'changed',
    since: first?.at ?? null,
    guilty: unit(name),
    finding: `${name} restarts again and again.`,
    evidence: lines,
    next: `Read the log of its last run: \`journalctl -u ${name} -e\`. No change was recorded before.`,
  };
};

/** An alert of a stopped service fires within minutes. */
const NEAR_SECONDS = 900;
/** A service that stopped, or a program that is gone, with its traffic. */
const serviceStopped: Find = (evidence) => {
  const { events, at, metric, failedUnits, subject: mount, processes, processesBefore } = evidence;
  const stops = events.filter(
    ({ type, message, at: time }) =>
      ['service_stop', 'process_crash', 'process_stop'].includes(type) &&
      time <= at + HOUR / 2 &&
      time > at - 2 * HOUR &&
      !/Deactivated successfully|\bended\b/i.test(message),
  );
  const isNear = (event: Event): boolean => Math.abs(event.at - at) <= NEAR_SECONDS;
  const isBack = (event: Event): boolean =>
    events.some(
      (other) =>
        ['service_start', 'service_restart'].includes(other.type) &&
        other.at > event.at &&
        nameOf(other) === nameOf(event),
    );
  const subject = metric === 'systemd_unit_failed' ? mount : null;
  const stopped = stops
    .filter((event) => !isBack(event) && !/\b(?:certbot|motd|apt-daily|fwupd|plimsoll)\b/i.test(event.message))
    // The unit that stopped first may have stopped the others. One that stopped long before has nothing to do with it.
    .toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)) || a.at - b.at)[0];
  const gone = programsOf({ ...evidence, processes: processesBefore, processesBefore: processes })
    .filter((program) => program.countBefore === 0 && program.cpuPercent >= 20)
    .toSorted((a, b) => b.cpuPercent - a.cpuPercent)[0];
  const traffic = shiftOf(evidence.series.transmit, at);
  const quiet = traffic !== null && traffic.was > 10 * 1024 && traffic.is < 0.3 * traffic.was;
  const unit = subject ?? failedUnits[0] ?? null;
  if (stopped === undefined && !(metric === 'systemd_unit_failed' && unit !== null) && !(gone !== undefined && quiet))
    return null;
  const name = stopped === undefined ? (unit ?? gone?.name ?? 'A service') : nameOf(stopped);
  const onset = stopped?.at ?? traffic?.onset ?? at;
  const [changed] = changesBefore(
    {
      ...evidence,
      events: events.filter(({ type }) => ['config_change', 'update_installed'].includes(type)),
      imageChanges: [],
    },
    onset,
    bareName(name),
  );
  return {
    id: 'service_stopped',
    specificity: 'changed',
    since: onset,
    change: changed?.change,
    guilty: [{ kind: 'unit', name }],
    finding: `${name} stopped and did not come back${changed === undefined ? '' : `, after a change at ${clock(changed.at)}`}.`,
    evidence: [
      stopped !== undefined && `${stopped.message} at ${clock(stopped.at)}`,
      changed !== undefined && changed.text,
      gone !== undefined && `${gone.name} no longer runs; it used ${fixed(gone.cpuPercent)} % of a core`,
      quiet && `the traffic of the host fell to ${fixed((100 * traffic.is) / traffic.was, 0)} %`,
    ],
    next: `Read its log (\`journalctl -u ${name} -e\`) and start it.`,
  };
};

/** Nothing fits better: a change came shortly before. */
const changeBefore: Find = (evidence) => {
  const [changed] = changesBefore(evidence, evidence.at, null).filter(({ at }) => at <= evidence.at);
  if (changed === undefined) return null;
  return {
    id: 'change_before',
    specificity: 'before',
    since: changed.at,
    change: changed.change,
    finding: `A change came shortly before, at ${clock(changed.at)}.`,
    evidence: [changed.text],
    next: 'Check whether the change explains it.',
  };
};

export const serviceMechanisms: readonly Mechanism[] = [
  hostMechanism({
    id: 'crash_loop_after_change',
    title: 'Crash loop after a change',
    brings: ['unit', 'crash', 'cpu', 'load'],
    find: serviceCrashLoop,
  }),
  hostMechanism({
    id: 'crash_loop',
    title: 'Crash loop',
    brings: ['unit', 'crash', 'cpu', 'load'],
    is: 'unit',
    find: serviceCrashLoop,
  }),
  hostMechanism({
    id: 'service_stopped',
    title: 'Service stopped',
    brings: ['unit', 'crash', 'traffic', 'failing'],
    is: 'unit',
    find: serviceStopped,
  }),
  hostMechanism({
    id: 'change_before',
    title: 'A change came before',
    brings: [
      'cpu',
      'load',
      'memory',
      'swap',
      'io',
      'disk',
      'traffic',
      'connections',
      'unit',
      'crash',
      'failing',
      'other',
    ],
    is: 'other',
    find: changeBefore,
  }),
];
