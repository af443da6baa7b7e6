import { OFFLINE_AFTER_INTERVALS } from '@plimsoll/contract/rules/limits';

/** A server that enrolled with the same machine id. Times are epoch milliseconds. */
export interface KnownMachine {
  key: number;
  /** Its display name, else its host name. */
  name: string;
  /** As it enrolled, and as its last report states. */
  hostnames: readonly string[];
  /** Boots of its last enrolment and last report; empty: none is known. */
  boots: readonly number[];
  isClone: boolean;
  enrolledAt: number;
  /** Time of the last request with reports; null: none. */
  heardAt: number | null;
  uninstalledAt: number | null;
  reportIntervalSeconds: number;
}

export interface EnrollingMachine {
  hostname: string;
  /** Null: the collector sends no boot id. */
  boot: number | null;
  /** Its reports clashed with those of another machine. */
  cloned: boolean;
}

/** `same`: a known server enrols again. `new`: the first machine with this id. `clone`: another machine has this id. */
export type Identity = { kind: 'same'; key: number } | { kind: 'new' | 'clone' };

/**
 * Decides which server an enrolling machine is. A template clone must not take over the server of a running machine, and
 * a machine that is installed again must not become a second server.
 */
export function identify(known: readonly KnownMachine[], machine: EnrollingMachine, now: number): Identity {
  const first = known.find(({ isClone }) => !isClone) ?? null;
  const clones = known.filter((one) => one.isClone && one.hostnames.includes(machine.hostname));
  if (machine.cloned) return sameOr(clones.find((one) => isSilent(one, now) || one.heardAt === null) ?? null, 'clone');
  if (machine.boot === null) return sameOr(withoutBoot(first, clones, machine), 'new');
  const { boot } = machine;
  const own = known.find(({ hostnames, boots }) => hostnames.includes(machine.hostname) && boots.includes(boot));
  if (own !== undefined) return sameOr(own, 'clone');
  const returned = clones.find((one) => one.boots.length === 0 || one.heardAt === null || isSilent(one, now));
  if (returned !== undefined) return sameOr(returned, 'clone');
  if (first === null) return { kind: 'new' };
  const isFirst = first.boots.length === 0 && first.hostnames.includes(machine.hostname);
  if (isFirst || (clones.length === 0 && isSilent(first, now))) return { kind: 'same', key: first.key };
  return { kind: 'clone' };
}

const sameOr = (known: KnownMachine | null, otherwise: 'new' | 'clone'): Identity =>
  known === null ? { kind: otherwise } : { kind: 'same', key: known.key };

/** Collectors of version 0.1.0 send no boot id: the machine id alone decides, unless a clone has the host name. */
const withoutBoot = (
  first: KnownMachine | null,
  clones: readonly KnownMachine[],
  { hostname }: EnrollingMachine,
): KnownMachine | null => (first?.hostnames.includes(hostname) === true ? first : (clones[0] ?? first));

/** A machine that enrolled and has not reported yet is not silent: it is about to report. */
function isSilent({ heardAt, enrolledAt, uninstalledAt, reportIntervalSeconds }: KnownMachine, now: number): boolean {
  const lastAt = Math.max(heardAt ?? 0, enrolledAt);
  if (uninstalledAt !== null && uninstalledAt >= lastAt) return true;
  return now - lastAt > OFFLINE_AFTER_INTERVALS * reportIntervalSeconds * 1000;
}
