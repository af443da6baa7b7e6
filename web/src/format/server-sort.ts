import { byHeadroom } from '@plimsoll/contract/rules/headroom';
import type { ServerStatus } from '@plimsoll/contract/rules/limits';
import type { Server } from '@plimsoll/contract/wire/servers';

export type CardSort = 'headroom' | 'name' | 'last_seen';
export const SORT_NAMES = [
  { value: 'headroom', label: 'Headroom' },
  { value: 'name', label: 'Name' },
  { value: 'last_seen', label: 'Last seen' },
] as const;

/** Servers without fresh figures are not ranked by them: they stand last. */
const RANK: Record<ServerStatus, number> = { active: 0, offline: 1, installing: 2, uninstalled: 3 };

const named = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
export const byName = (a: Server, b: Server) =>
  named.compare(a.display_name ?? a.hostname, b.display_name ?? b.hostname);

const ORDER: Record<CardSort, (a: Server, b: Server) => number> = {
  headroom: (a, b) => RANK[a.status] - RANK[b.status] || byHeadroom(a, b) || byName(a, b),
  name: byName,
  last_seen: (a, b) => (b.last_seen_at ?? '').localeCompare(a.last_seen_at ?? '') || byName(a, b),
};

export const sortServers = (servers: readonly Server[], sort: CardSort): Server[] => servers.toSorted(ORDER[sort]);
