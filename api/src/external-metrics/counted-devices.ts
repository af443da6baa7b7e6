import { NETWORK_DISK, wholeDisks } from '@plimsoll/contract/rules/machines/disks';
import {
  interfaceKind,
  isAzureFunction,
  type OperatingSystem,
  outwardNames,
} from '@plimsoll/contract/rules/machines/interfaces';
import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';

/** Which disks and interfaces of a host a report counts. The collector leaves the same ones out: collector/src/host. */

/** A path to an NVMe disk that has several: Linux counts what goes through it for the disk too. */
const NVME_PATH = /^nvme\d+c\d+n\d+$/;

/** A machine that starts from the network has a network disk alone. Its driver makes sixteen, and most stay unused. */
export function countedDisks(names: readonly string[], isUsed: (name: string) => boolean): string[] {
  const disks = wholeDisks(names.filter((name) => !NVME_PATH.test(name)));
  return disks.length > 0 ? disks : names.filter((name) => NETWORK_DISK.test(name) && isUsed(name));
}

/** Facts that an agent sends about its interfaces beside their counters; each may be unknown. */
export interface InterfaceFacts {
  system: OperatingSystem | null;
  /** Bonds, whatever their names. */
  bonds: ReadonlySet<string>;
  addressOf: (name: string) => string | null;
  /** The number of an interface, and that of the one below it: its own where it lies on none. */
  indexOf: (name: string) => number | null;
  belowOf: (name: string) => number | null;
  bytesOf: (name: string) => { receive: number | null; transmit: number | null };
}

/** Returns the interfaces whose traffic crosses the border of the machine, each byte once. */
export function outwardInterfaces(names: readonly string[], facts: InterfaceFacts): string[] {
  const single = names.filter((name) => !facts.bonds.has(name));
  // Each is compared with each: a report holds half as many at most.
  const links = outwardNames(single.length > 0 ? single : names, facts.system).slice(0, 2 * REPORT_LIMITS.interfaces);
  const hasBond = facts.bonds.size > 0 || names.some((name) => interfaceKind(name, facts.system) === 'bond');
  const outward = links.filter(
    (name) => !links.some((other) => other !== name && repeats(name, other, facts, hasBond)),
  );
  return outward.length > 0 ? outward : links;
}

/** Returns true if `name` shows traffic that `other` shows too. */
function repeats(name: string, other: string, facts: InterfaceFacts, hasBond: boolean): boolean {
  const [address, otherAddress] = [facts.addressOf(name), facts.addressOf(other)];
  const isKnown = address !== null && otherAddress !== null;
  if (isKnown && address !== otherAddress) return false;
  const below = facts.belowOf(name);
  // In a container the index is one of the host's, so it proves something only if the interface below is another.
  if (below !== null && below !== facts.indexOf(name) && below === facts.indexOf(other))
    return isKnown || facts.belowOf(other) === below;
  // The ports of a bond have one address. Else only a function and the interface that has it as a port share theirs.
  if (isKnown) return !hasBond && isPart(name, other, facts);
  return isAzureFunction(name) && !isAzureFunction(other) && isPart(name, other, facts);
}

/** Counters of two interfaces are read one after the other. */
const NEARLY = 1.05;

/** Returns true if the traffic of `name` fits into that of `other`, and of two equals for the later name. */
function isPart(name: string, other: string, facts: InterfaceFacts): boolean {
  const [part, whole] = [facts.bytesOf(name), facts.bytesOf(other)];
  if ((['receive', 'transmit'] as const).some((way) => (part[way] ?? 0) > NEARLY * (whole[way] ?? Infinity)))
    return false;
  if (isAzureFunction(name) !== isAzureFunction(other)) return isAzureFunction(name);
  const [size, otherSize] = [part, whole].map(({ receive, transmit }) => (receive ?? 0) + (transmit ?? 0));
  return size === otherSize ? name > other : (size ?? 0) < (otherSize ?? 0);
}
