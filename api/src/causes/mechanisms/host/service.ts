import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { clock, fixed, mostBy } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, part, type HostMoment } from '../../host-moment.ts';
import { quote } from '../../words.ts';
import { BACKGROUND, changesBefore, programsOf, type Change } from '../../suspects.ts';

/** Fewer ends than these in an hour are no loop. */
const LOOP_ENDS = 3;
type Event = HostMoment['events'][number];
const isEnd = ({ type, message }: Event): boolean =>
  type === 'process_crash' || type === 'service_restart' || (type === 'service_stop' && /fail/i.test(message));
/** "The kernel killed a process", "2 processes ended" name none. */
const NO_NAME = /^(?:an?|the|\d+)$/i;
/** The first word of a text that names a service, or a program; empty: none. */
const nameOf = ({ name, message }: Event): string =>
  name !== ''
    ? name
    : (message
        .split(/[^\w@.-]/)
        .find((word) => /.\.service$/.test(word))
        ?.replace(/\.$/, '') ??
      message.split(/[\s:,]/, 1).find((word) => !NO_NAME.test(word)) ??
      '');
/** An event is seen with the report after it. */
export const REPORT_SECONDS = 60;
const bareName = (name: string): string => name.replace(/\.service$/, '');
/** The change before an onset that names a unit, or that lines of the machine point to; restarts are no change. */
export const changeOf = (host: HostMoment, onset: number, name: string | null): Change | undefined =>
  changesBefore(
    { ...host, imageChanges: [], events: host.events.filter(({ type }) => /^(?:config_change|update_)/.test(type)) },
    onset,
    name === null ? null : bareName(name),
    host.lines.map(({ text }) => text).join('\n'),
  ).find(({ isNamed, at }) => isNamed === true && at <= onset + REPORT_SECONDS);

const AFTER_CHANGE = { id: 'crash_loop_after_change', title: 'Crash loop after a change' };
const crashLoop = hostMechanism('crash_loop', 'Crash loop', (host) => {
  const { events, at } = host;
  const near = events.filter(
    (event) => isEnd(event) && nameOf(event) !== '' && event.at <= at + HOUR_SECONDS && event.at > at - HOUR_SECONDS,
  );
  const [most] = mostBy([...Map.groupBy(near, nameOf)], ([, ends]) => ends.length);
  if (most === undefined || most[1].length < LOOP_ENDS) return null;
  const [name, ends] = most;
  const [first] = ends.toSorted((a, b) => a.at - b.at);
  const change = changeOf(host, first?.at ?? at, name);
  return {
    brings: ['unit', 'crash', 'cpu', 'load'],
    as: change && AFTER_CHANGE,
    is: change === undefined ? 'unit' : undefined,
    specificity: change === undefined ? 'changed' : 'stated',
    since: change?.at ?? first?.at ?? null,
    change: change?.change,
    guilty: part('unit', name),
    finding: `${name} restarts again and again${change === undefined ? '' : ` since a change at ${clock(change.at)}`}.`,
    evidence: [
      `${String(ends.length)} restarts or crashes within an hour of the alert`,
      first && `${first.message} at ${clock(first.at)}`,
      change?.text,
    ],
    next: `${change === undefined ? 'No change was recorded before.' : 'Undo the change.'} Read the log of its last run: \`journalctl -u ${name} -e\`.`,
  };
});

/** An alert of a stopped service fires within minutes. */
const NEAR_SECONDS = 900;
const STOP = /^(?:service_stop|process_crash|process_stop)$/;
const ORDINARY = /Deactivated successfully|\bended\b|\b(?:certbot|motd|apt-daily|fwupd|plimsoll)\b/i;
const MOST_TOGETHER = 3;
/** A service that stopped and was not started again, with those that stopped together with it. One that stopped long before has nothing to do with the alert. */
function stoppedOf({ events, lines, at }: HostMoment): Event[] {
  const isBack = (event: Event): boolean =>
    events.some(
      (other) => /^service_(?:re)?start$/.test(other.type) && other.at > event.at && nameOf(other) === nameOf(event),
    );
  const isFar = (event: Event): number => Number(Math.abs(event.at - at) > NEAR_SECONDS);
  const isClean = ({ message }: Event): boolean => !/\bfail|\bcrash/i.test(message);
  const failed = events.filter((event) => STOP.test(event.type) && !isClean(event));
  // A job starts, does its work and stops.
  const isJob = (event: Event): boolean =>
    isClean(event) &&
    (BACKGROUND.test(nameOf(event)) ||
      events.some(
        (other) => other.type === 'service_start' && other.at <= event.at && nameOf(other) === nameOf(event),
      ));
  // A unit that another one brings down with it fails at once, or says whom it misses.
  const isBeside = (event: Event): boolean =>
    isClean(event) &&
    failed.some((one) => one.at > event.at + REPORT_SECONDS) &&
    !lines.some(({ text }) => text.includes(bareName(nameOf(event))));
  const stops = events
    .filter(({ type, message, at: time }) => STOP.test(type) && time > at - 2 * HOUR_SECONDS && !ORDINARY.test(message))
    .filter((event) => nameOf(event) !== '' && event.at <= at + HOUR_SECONDS / 2)
    .filter((event) => !isBack(event) && !isJob(event) && !isBeside(event))
    // The unit that stopped first may have stopped the others.
    .toSorted((a, b) => isFar(a) - isFar(b) || a.at - b.at);
  // If units stop at once, one of them needs the other, and nothing says which.
  const together = stops.filter((event) => event.type === 'service_stop' && event.at === stops[0]?.at);
  return stops[0]?.type === 'service_stop' ? together.slice(0, MOST_TOGETHER) : stops.slice(0, 1);
}
/** A service that stopped, or a program that is gone, with its traffic. */
const serviceStopped = hostMechanism('service_stopped', 'Service stopped', (host) => {
  const { at, metric, failedUnits, subject, processes, processesBefore } = host;
  const isAsked = metric === 'systemd_unit_failed';
  const [stopped, ...together] = stoppedOf(host);
  const [gone] = mostBy(
    programsOf({ processes: processesBefore, processesBefore: processes }).filter(
      (program) => program.countBefore === 0 && program.cpuPercent >= 20,
    ),
    ({ cpuPercent }) => cpuPercent,
  );
  const traffic = host.shift('transmit');
  const isQuiet = traffic !== null && traffic.was > 10 * 1024 && traffic.is < 0.3 * traffic.was;
  const failed = (isAsked ? subject : null) ?? failedUnits[0];
  if (stopped === undefined && !(isAsked && failed !== undefined) && !(gone !== undefined && isQuiet)) return null;
  const name = stopped === undefined ? (failed ?? gone?.name ?? 'A service') : nameOf(stopped);
  const onset = stopped?.at ?? traffic?.onset ?? at;
  const change = changeOf(host, onset, name);
  return {
    brings: ['unit', 'crash', 'traffic', 'failing'],
    is: 'unit',
    specificity: 'changed',
    since: onset,
    change: change?.change,
    guilty: [name, ...together.map(nameOf)].flatMap((one) => part('unit', one)),
    finding: `${[name, ...together.map(nameOf)].join(', ')} stopped and did not come back${change === undefined ? '' : `, after a change at ${clock(change.at)}`}.`,
    evidence: [
      stopped && `${stopped.message} at ${clock(stopped.at)}`,
      quote(host.lines.findLast(({ subject: of, at: time }) => of === name && time <= at)),
      change?.text,
      gone && `${gone.name} no longer runs; it used ${fixed(gone.cpuPercent)} % of a core`,
      isQuiet && `the traffic of the host fell to ${fixed((100 * traffic.is) / traffic.was, 0)} %`,
    ],
    next: `Read its log (\`journalctl -u ${name} -e\`) and start it.`,
  };
});

/** A unit reads what changed when it starts anew. */
const RESTART_SECONDS = 600;
/** A package or a file changed, and the unit that it is named after started anew: it runs, with something else. */
const restartedAfterChange = hostMechanism('unit_after_change', 'Unit restarted after a change', (host) => {
  const found = host.events
    .filter(({ type, at }) => /^service_(?:re)?start$/.test(type) && at <= host.at && at > host.at - NEAR_SECONDS)
    .flatMap((event) => {
      const name = nameOf(event);
      const change = changeOf(host, event.at, name);
      const isNamed = change?.text.toLowerCase().includes(bareName(name).toLowerCase()) === true;
      // Nothing missed a unit that did not exist before.
      const isNew = change?.change?.fields.some((one) => one.field === name && one.was === 'set') === true;
      const isGone = host.events.some(
        (one) => one.type === 'service_stop' && one.at > event.at && one.at <= host.at && nameOf(one) === name,
      );
      return change !== undefined && isNamed && !isNew && !isGone && Math.abs(event.at - change.at) <= RESTART_SECONDS
        ? [{ name, event, change }]
        : [];
    });
  const [last] = mostBy(found, ({ event }) => event.at);
  if (last === undefined) return null;
  const { name, event, change } = last;
  return {
    brings: ['failing'],
    is: 'other',
    specificity: 'changed',
    since: Math.min(change.at, event.at),
    change: change.change,
    guilty: part('unit', name),
    finding: `${name} started anew with a change of ${clock(change.at)}.`,
    evidence: [change.text, `${event.message} at ${clock(event.at)}`],
    against: [`${name} itself runs.`],
    next: 'Compare what changed with what it was, or undo it.',
  };
});

export const serviceMechanisms: readonly Mechanism[] = [crashLoop, serviceStopped, restartedAfterChange];
