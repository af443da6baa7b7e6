import { clock } from '../../figures.ts';
import { hostMechanism, type Find } from '../../host-moment.ts';
import type { Mechanism } from '../../mechanism.ts';
import { BACKGROUND } from '../../suspects.ts';

/** A program that started this long before an alert may have brought it about. */
const BEFORE_SECONDS = 1800;
const SHELLS = /^(?:ba|da|z)?sh$|^(?:sleep|cron|sshd|sudo|login|agetty|kworker.*)$/;
const bare = (unit: string): string => unit.replace(/\.(?:service|timer|socket)$/, '');

/** A unit that started shortly before the alert, and still runs. Figures that are too short to show more leave this. */
const startedBefore: Find = ({ at, events, changes, processes }) => {
  const units = events
    .filter((event) => event.type === 'service_start' && event.at <= at && event.at > at - BEFORE_SECONDS)
    .map((event) => ({ name: event.name, at: event.at }))
    .filter(({ name }) => name !== '' && !BACKGROUND.test(name) && !SHELLS.test(bare(name)))
    .toSorted((a, b) => b.at - a.at);
  const isRunning = (unit: string): boolean =>
    processes.some(({ name, command }) => name === bare(unit) || command?.includes(bare(unit)) === true);
  const [started] = [...units.filter(({ name }) => isRunning(name)), ...units];
  if (started === undefined) return null;
  const change = changes.find(
    (one) =>
      one.at <= at && one.at > at - BEFORE_SECONDS && one.fields.some(({ field }) => field.includes(started.name)),
  );
  return {
    specificity: 'state',
    since: started.at,
    change,
    guilty: [{ kind: 'unit', name: started.name }],
    finding: `${started.name} started at ${clock(started.at)}, shortly before.`,
    evidence: [{ text: `${started.name} started`, at: started.at }],
    next: `See what it does: \`systemctl status ${started.name}\`.`,
  };
};

export const newcomerMechanisms: readonly Mechanism[] = [
  hostMechanism({
    id: 'started_before',
    title: 'Started shortly before',
    brings: ['cpu', 'load', 'memory', 'swap', 'io', 'disk', 'traffic', 'connections'],
    is: 'other',
    find: startedBefore,
  }),
];
