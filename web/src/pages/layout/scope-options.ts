import type { ScopeKey, ScopeTerm } from '@plimsoll/contract/rules/scope';
import { SERVER_STATUSES } from '@plimsoll/contract/rules/limits';
import { tagValue } from '../../format/tag-value.ts';
import type { Server } from '@plimsoll/contract/wire/servers';

interface ScopeOption {
  term: ScopeTerm;
  /** Servers; null where it is not counted. */
  count: number | null;
}
export interface ScopeGroup {
  key: ScopeKey;
  options: readonly ScopeOption[];
}

function counted(key: ScopeKey, values: readonly string[]): ScopeOption[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b))
    .map(([value, count]) => ({ term: { key, value }, count }));
}

/** Returns what a reader can pick, most servers first; keys without a choice are left out. */
export function scopeGroups(
  servers: readonly Pick<Server, 'tags' | 'region' | 'status'>[],
  clusters: readonly { cluster_id: string; name: string | null }[],
): ScopeGroup[] {
  const statuses = counted(
    'status',
    servers.map(({ status }) => status),
  );
  const groups: ScopeGroup[] = [
    {
      key: 'tag',
      options: counted(
        'tag',
        servers.flatMap(({ tags }) => Object.entries(tags).map(tagValue)),
      ),
    },
    {
      key: 'region',
      options: counted(
        'region',
        servers.flatMap(({ region }) => (region === null ? [] : [region])),
      ),
    },
    {
      key: 'cluster',
      options: clusters.map(({ cluster_id, name }) => ({
        term: { key: 'cluster', value: name ?? cluster_id },
        count: null,
      })),
    },
    {
      key: 'status',
      options: SERVER_STATUSES.flatMap((status) => statuses.filter(({ term }) => term.value === status)),
    },
  ];
  return groups.filter(({ options }) => options.length > 0);
}
