import {
  isNameless,
  SAME_BOOT_SECONDS,
  SAME_MOMENT_SECONDS,
  sendersOf,
  type MachineFacts,
  type Sent,
} from './machine-facts.ts';
import type { KnownMachine, StoredReading } from './types.ts';

/** Limit of machines per source. Labels that change with every start must not create servers without end. */
export const MOST_MACHINES = 16;

export interface TellingApart {
  /** The machines of the source, with what this interval says of them. */
  machines: KnownMachine[];
  /** The readings of each machine in this interval, by its key. */
  parts: Map<string, StoredReading[]>;
  /** Readings that name no machine, while several send. They are of none. */
  leftOut: StoredReading[];
}

/**
 * Gives each reading of an interval to a machine of its source. The first machine of a source has the key '' and keeps
 * the server that the source had. Another one gets a server of its own as soon as both have been seen at one time with
 * facts that no single machine has. A machine that reboots, is renamed or is replaced stays what it was.
 */
export function tellMachinesApart(known: readonly KnownMachine[], readings: readonly StoredReading[]): TellingApart {
  const machines = known.map((machine) => ({ ...machine }));
  const parts = new Map<string, StoredReading[]>();
  const leftOut: StoredReading[] = [];
  const seen = new Set<KnownMachine>();
  const give = (machine: KnownMachine | null, sent: Sent): void => {
    if (machine === null) return void leftOut.push(...sent.readings);
    seen.add(machine);
    parts.set(machine.key, [...(parts.get(machine.key) ?? []), ...sent.readings]);
    learn(machine, sent);
  };
  const senders = sendersOf(readings).toSorted((a, b) => (a.bootedAt ?? 0) - (b.bootedAt ?? 0) || a.from - b.from);
  const named = senders.filter((sent) => !isNameless(sent) && !sent.isMixed);
  for (const sent of named) takeApart(machines, sent);
  const open: Sent[] = [];
  for (const sent of named) {
    const same = machineOf(machines, sent);
    if (same === undefined) open.push(sent);
    else give(same, sent);
  }
  for (const sent of open) {
    // The samples before may have been of this machine, or it has the place of one that is absent.
    let machine = machineOf([...seen], sent);
    machine ??= vacancy(
      machines.filter((one) => !seen.has(one) && mayHaveBecome(one, sent)),
      sent,
    );
    give(machine === undefined ? added(machines, sent) : machine, sent);
  }
  const last = Math.max(...machines.map(({ seenAt }) => seenAt));
  const alive = machines.filter(({ seenAt }) => seenAt >= last - STILL_SENDS_MS);
  for (const sent of senders.filter((one) => !named.includes(one))) {
    const whose = alive.length <= 1 || sent.isMixed ? (alive[0] ?? machines[0] ?? added(machines, NO_FACTS)) : null;
    give(whose, sent.isMixed ? { ...sent, ...NO_FACTS } : sent);
  }
  return { machines, parts, leftOut };
}

/** A machine that has been silent for so long does not make the samples of another one ambiguous. */
const STILL_SENDS_MS = 3_600_000;
const NO_FACTS = { apart: '', hostname: '', ids: [], addresses: [], bootedAt: null } satisfies MachineFacts;

/** Adds what was sent to what is known. Only what is sent replaces something, and only what is newer. */
function learn(machine: KnownMachine, sent: Sent): void {
  if (sent.to < machine.seenAt) return;
  const { bootedAt } = machine;
  if (sent.bootedAt !== null && bootedAt !== null && !isNear(sent.bootedAt, bootedAt, SAME_BOOT_SECONDS))
    machine.formerBoot = bootedAt;
  machine.bootedAt = sent.bootedAt ?? machine.bootedAt;
  machine.apart = sent.apart || machine.apart;
  machine.hostname = sent.hostname || machine.hostname;
  if (sent.ids.length > 0) machine.ids = sent.ids;
  if (sent.addresses.length > 0) machine.addresses = sent.addresses;
  machine.seenAt = sent.to;
}

/**
 * Corrects a mistake: a second machine that had just booted looks as if the first one had rebooted, until the first one
 * is back with its old time of boot. Then the first one gets its place again, and the other one a place of its own.
 */
function takeApart(machines: KnownMachine[], sent: Sent): void {
  const { bootedAt } = sent;
  const taken = machines.find(
    (one) =>
      bootedAt !== null &&
      one.formerBoot !== null &&
      isNear(bootedAt, one.formerBoot, SAME_BOOT_SECONDS) &&
      sent.from > one.seenAt &&
      bootsOf(one, sent) !== 'earlier' &&
      !differs(one.hostname, sent.hostname) &&
      !differ(one.addresses, sent.addresses),
  );
  if (taken === undefined) return;
  const other = added(machines, taken);
  if (other !== null) other.seenAt = taken.seenAt;
  Object.assign(taken, { bootedAt, formerBoot: null, last: null });
}

/** Returns the machine of these samples. Undefined: a new machine sent them. Null: several machines could have sent them. */
function machineOf(machines: readonly KnownMachine[], sent: Sent): KnownMachine | null | undefined {
  const ranked = machines
    .filter((machine) => isSame(machine, sent))
    .map((machine) => ({ machine, likeness: likenessOf(machine, sent) }))
    .toSorted((a, b) => b.likeness - a.likeness);
  const [first, second] = ranked;
  return first !== undefined && first.likeness === second?.likeness ? null : first?.machine;
}

const likenessOf = (machine: KnownMachine, sent: Sent): number => {
  const boots = bootsOf(machine, sent);
  const apartBy = boots === 'same' ? Math.abs((sent.bootedAt ?? 0) - (machine.bootedAt ?? 0)) : SAME_BOOT_SECONDS;
  return (
    (shares(machine.ids, sent.ids) ? 8000 : 0) +
    (shares(machine.addresses, sent.addresses) ? 4000 : 0) +
    (machine.apart !== '' && machine.apart === sent.apart ? 2000 : 0) +
    (machine.hostname !== '' && machine.hostname === sent.hostname ? 1000 : 0) -
    apartBy
  );
};

const isNear = (a: number, b: number, within: number): boolean => Math.abs(a - b) <= within;
const shares = (a: readonly string[], b: readonly string[]): boolean => a.some((text) => b.includes(text));
const differ = (a: readonly string[], b: readonly string[]): boolean => a.length > 0 && b.length > 0 && !shares(a, b);
const differs = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b;

/** Returns true if these samples are of that machine, which has not changed or has only booted. */
function isSame(machine: KnownMachine, sent: Sent): boolean {
  const boots = bootsOf(machine, sent);
  if (boots === 'back' || differ(machine.ids, sent.ids)) return false;
  // Clones share the id of their template, and boxes of Vagrant the address of their first interface.
  const isClone = boots === 'overlap' && differ(machine.addresses, sent.addresses);
  const hasItsHardware = shares(machine.ids, sent.ids) || shares(machine.addresses, sent.addresses);
  if (hasItsHardware) return !isClone && (boots !== 'overlap' || !differs(machine.hostname, sent.hostname));
  if (differs(machine.hostname, sent.hostname) || differs(machine.apart, sent.apart)) return false;
  return boots !== 'overlap' && !differ(machine.addresses, sent.addresses);
}

/**
 * Compares two times of boot. `earlier`: the samples are older than the boot that is known. `back`: one machine's time of
 * boot never goes back. `overlap`: it booted while the known machine reported.
 */
function bootsOf(machine: KnownMachine, sent: Sent): 'same' | 'unknown' | 'earlier' | 'later' | 'back' | 'overlap' {
  if (sent.bootedAt === null || machine.bootedAt === null) return 'unknown';
  if (isNear(sent.bootedAt, machine.bootedAt, SAME_BOOT_SECONDS)) return 'same';
  if (sent.bootedAt < machine.bootedAt) return sent.to < machine.bootedAt * 1000 ? 'earlier' : 'back';
  return sent.bootedAt * 1000 < machine.seenAt - SAME_BOOT_SECONDS * 1000 ? 'overlap' : 'later';
}

/**
 * Returns true if a machine that is absent may be this one: renamed, with other labels, made anew and booted since, or
 * with a clock that was set, which moves its time of boot while it reports.
 */
function mayHaveBecome(machine: KnownMachine, sent: Sent): boolean {
  const boots = bootsOf(machine, sent);
  if (boots === 'later' || boots === 'unknown') return true;
  if (boots === 'same') return isNear(sent.bootedAt ?? 0, machine.bootedAt ?? 0, SAME_MOMENT_SECONDS);
  const isNext = sent.from > machine.seenAt && sent.from <= machine.seenAt + CLOCK_SET_MS;
  const isAlike = machine.hostname === sent.hostname && machine.apart === sent.apart;
  return isNext && isAlike && !differ(machine.ids, sent.ids) && !differ(machine.addresses, sent.addresses);
}
/** Between the last sample before a clock is set and the first one after it. */
const CLOCK_SET_MS = 300_000;

/**
 * Chooses among absent machines. Several that booted at one time, as after a power failure, keep the order of their
 * boots, because nothing else identifies them.
 */
const vacancy = (absent: readonly KnownMachine[], sent: Sent): KnownMachine | undefined => {
  const likeness = (one: KnownMachine): number =>
    (one.hostname === sent.hostname ? 2 : 0) + (one.apart === sent.apart ? 1 : 0);
  return absent.toSorted((a, b) => likeness(b) - likeness(a) || (a.bootedAt ?? 0) - (b.bootedAt ?? 0))[0];
};

/** Adds a machine, the first with the key ''. Null: the source has too many. */
function added(machines: KnownMachine[], facts: MachineFacts): KnownMachine | null {
  if (machines.length >= MOST_MACHINES) return null;
  const { apart, hostname, ids, addresses, bootedAt } = facts;
  const key = machines.length === 0 ? '' : [apart, hostname, ids[0], addresses[0], bootedAt].join('\t');
  if (machines.some((one) => one.key === key)) return null;
  const machine = { key, apart, hostname, ids, addresses, bootedAt, formerBoot: null, seenAt: -Infinity, last: null };
  machines.push(machine);
  return machine;
}
