import { cutText } from '@plimsoll/contract/rules/printable-text';
import { listed, REMEDIES } from './two-machines.ts';
import type { KnownMachine, MetricSource } from './types.ts';

/** Machines that have not sent for a day are of the past. */
const RECENT_MS = 86_400_000;
const NAME_CHARACTERS = 64;

const othersOf = (machine: KnownMachine, machines: readonly KnownMachine[]): KnownMachine[] =>
  machines.filter((one) => one.key !== machine.key && one.seenAt >= machine.seenAt - RECENT_MS);

/** Returns a note for the page of each server that shares its name with others of one source. Null: it shares none. */
export function sharedNameNote(
  source: MetricSource,
  machine: KnownMachine,
  machines: readonly KnownMachine[],
): string | null {
  const others = othersOf(machine, machines);
  if (others.length === 0) return null;
  const names = others.map((other) => distinctName(other.hostname || source.name, other, machines));
  const [many, servers] =
    others.length === 1
      ? ['Another machine also sends', 'a server of its own']
      : ['Other machines also send', 'servers of their own'];
  return `${many} as ${cutText(source.name, NAME_CHARACTERS)}: ${listed(names)}. Plimsoll shows ${servers}. ${REMEDIES[source.agent]}`;
}

/** Returns the name of a machine, with what tells it from another one of its source that has the same host name. */
export function distinctName(hostname: string, machine: KnownMachine, machines: readonly KnownMachine[]): string {
  const namesakes = othersOf(machine, machines).filter((other) => other.hostname === machine.hostname);
  if (namesakes.length === 0) return hostname;
  const differsBy = (textOf: (one: KnownMachine) => string): string | null => {
    const text = textOf(machine);
    return text !== '' && namesakes.every((other) => textOf(other) !== text) ? text : null;
  };
  const mark =
    differsBy(({ apart }) => apart) ??
    differsBy(({ addresses }) => addresses[0] ?? '') ??
    differsBy(({ ids }) => ids[0] ?? '') ??
    `machine ${String(machines.findIndex(({ key }) => key === machine.key) + 1)}`;
  return `${cutText(hostname, NAME_CHARACTERS)} (${cutText(mark, NAME_CHARACTERS)})`;
}
