import { byHeadroom } from '@plimsoll/contract/rules/headroom';
import type { ServerStatus } from '@plimsoll/contract/rules/limits';
import type { Server } from '@plimsoll/contract/wire/servers';

export type CardSort = 'headroom' | 'name' | 'last_seen';
export const SORT_NAMES = [
  { value: 'headroom', label: 'Headroom' },
  { value: 'name', label: 'Name' },
  { value: 'last_seen', label: 'Last seen' },
] as const;

/** A server without new figures is worse than any load. Only fresh figures are ranked by headroom. */
const RANK: Record<ServerStatus, number> = { offline: 0, refused: 1, active: 2, installing: 3, uninstalled: 4 };

const named = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
export const byName = (a: Server, b: Server) =>
  named.compare(a.display_name ?? a.hostname, b.display_name ?? b.hostname);

const ORDER: Record<CardSort, (a: Server, b: Server) => number> = {
  headroom: (a, b) => RANK[a.status] - RANK[b.status] || (a.status === 'active' ? byHeadroom(a, b) : 0) || byName(a, b),
  name: byName,
  last_seen: (a, b) => (b.last_seen_at ?? '').localeCompare(a.last_seen_at ?? '') || byName(a, b),
};

export const sortServers = (servers: readonly Server[], sort: CardSort): Server[] => servers.toSorted(ORDER[sort]);
