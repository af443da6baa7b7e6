import { clock, mostBy } from '../../figures.ts';
import { hostMechanism, part, type HostMoment } from '../../host-moment.ts';
import { BACKGROUND } from '../../suspects.ts';

/** A program that started this long before an alert may have brought it about. */
const BEFORE_SECONDS = 1800;
const SHELLS = /^(?:ba|da|z)?sh$|^(?:sleep|cron|sshd|sudo|login|agetty|kworker.*)$/;
const bare = (unit: string): string => unit.replace(/\.(?:service|timer|socket)$/, '');

/** A unit that started shortly before the alert; one that still runs before others. */
export function newcomerOf({ at, events, processes }: HostMoment): { name: string; at: number } | null {
  const units = mostBy(
    events.filter(
      ({ type, name, at: time }) =>
        type === 'service_start' &&
        time <= at &&
        time > at - BEFORE_SECONDS &&
        name !== '' &&
        !BACKGROUND.test(name) &&
        !SHELLS.test(bare(name)),
    ),
    (event) => event.at,
  );
  const isRunning = (unit: string): boolean =>
    processes.some(({ name, command }) => name === bare(unit) || command?.includes(bare(unit)) === true);
  return units.find(({ name }) => isRunning(name)) ?? units[0] ?? null;
}

/** Figures that are too short to show more leave this. */
export const startedBefore = hostMechanism('started_before', 'Started shortly before', (host) => {
  const started = host.metric === null || host.shift('cpu') !== null ? null : newcomerOf(host);
  if (started === null) return null;
  const { name, at } = started;
  return {
    brings: ['cpu', 'load', 'memory', 'swap', 'io', 'disk', 'traffic', 'connections'],
    is: 'other',
    specificity: 'state',
    since: at,
    change: host.changes.find(
      (one) =>
        one.at <= host.at && one.at > host.at - BEFORE_SECONDS && one.fields.some(({ field }) => field.includes(name)),
    ),
    guilty: part('unit', name),
    finding: `${name} started at ${clock(at)}, shortly before.`,
    evidence: [{ text: `${name} started`, at }],
    next: `See what it does: \`systemctl status ${name}\`.`,
  };
});
