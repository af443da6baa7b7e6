import { joinAddresses } from '@plimsoll/contract/rules/api-server-addresses';
import { COLLECTOR_SILENT_SECONDS } from '@plimsoll/contract/rules/kubernetes-limits';

/** A second collector that reports for a cluster from another API server. Times are epoch milliseconds. */
export interface Rival {
  addresses: string[];
  version: string;
  firstAt: number;
  lastAt: number;
  /** Time of the first refusal; null: it is not clear yet which of the two goes on. */
  refusedAt: number | null;
}

/** The facts about the collector that is accepted. */
export interface Incumbent {
  /** Addresses of the API server; empty: its collector is older than the field, or cannot read them. */
  addresses: readonly string[];
  lastSeenAt: number;
  rival: Rival | null;
}

/** `own`: the collector of the cluster. `moved`: another API server answers for a cluster that was silent. */
export type Turn = { state: 'own' | 'moved'; rival: Rival | null } | { state: 'wait' | 'refused'; rival: Rival };

/** Two collectors that report for longer than this are two clusters; a move takes less. */
const CONTENTION_MS = 120_000;
/** A collector that restarts lists its cluster first. It is not silent before this. */
const SILENT_MS = COLLECTOR_SILENT_SECONDS * 1000;
/** After a refusal a short pause of the first collector must not give its cluster away. */
const SILENT_AFTER_REFUSAL_MS = 600_000;
/** A rival that stays away for this long is forgotten. Collectors retry at least once a minute. */
export const RIVAL_FRESH_MS = 300_000;

/** Returns the rival if the API refused it in the last minutes. */
export const refusedRival = (rival: Rival | null, now: number): Rival | null =>
  rival !== null && rival.refusedAt !== null && now - rival.lastAt <= RIVAL_FRESH_MS ? rival : null;

const MOST_NAMED = 3;
/** Returns the addresses as one text; those of a large control plane are cut. */
export const nameAddresses = (addresses: readonly string[]): string => addresses.slice(0, MOST_NAMED).join(', ');

const overlap = (a: readonly string[], b: readonly string[]): boolean => a.some((one) => b.includes(one));

/** Decides if a collector may report for a cluster. A collector without addresses is accepted, as in version 0.1.0. */
export function judgeTurn(
  known: Incumbent,
  collector: { addresses: readonly string[]; version: string },
  now: number,
): Turn {
  const { addresses, version } = collector;
  const rival = known.rival !== null && now - known.rival.lastAt <= RIVAL_FRESH_MS ? known.rival : null;
  if (addresses.length === 0 || known.addresses.length === 0 || overlap(addresses, known.addresses))
    return { state: 'own', rival };
  const isKnown = rival !== null && overlap(addresses, rival.addresses);
  const patienceMs = isKnown && rival.refusedAt !== null ? SILENT_AFTER_REFUSAL_MS : SILENT_MS;
  if (now - known.lastSeenAt > patienceMs) return { state: 'moved', rival: null };
  const firstAt = isKnown ? rival.firstAt : now;
  const isRefused = now - firstAt > CONTENTION_MS;
  const joined = joinAddresses(isKnown ? rival.addresses : [], addresses);
  const refusedAt = isRefused ? ((isKnown ? rival.refusedAt : null) ?? now) : null;
  return {
    state: isRefused ? 'refused' : 'wait',
    rival: { addresses: joined, version, firstAt, lastAt: now, refusedAt },
  };
}
