import type { ServersAnswer } from '@plimsoll/contract/wire/servers';
import { byName } from '../format/server-sort.ts';
import { serverName } from '../format/server-facts.ts';
import { request } from './client.ts';
import { ROWS } from './polling.ts';
import { useQuery, useQueryClient } from './query.ts';
import { serversQuery } from './servers.ts';

export interface ServerName {
  id: string;
  name: string;
  /** Warning threshold of the rule that applies to its CPU; null: there is none. */
  cpuLine: number | null;
  tags: Readonly<Record<string, string>>;
}

/** Lists every server: the one that is searched for may be outside the scope. */
const serverNamesQuery = () => ({ ...serversQuery({ limit: ROWS.allServers }), meta: {} });

/** Asks at most once in the cache's time: for the keyboard, which must not poll. */
export function useServerNamesOnce(): () => Promise<readonly ServerName[]> {
  const queries = useQueryClient();
  return async () => {
    const filter = { limit: ROWS.allServers };
    const { queryKey } = serversQuery(filter);
    const queryFn = () => request<ServersAnswer>('/api/servers/list', { query: filter });
    const data = await queries.ensureQueryData({ queryKey, queryFn });
    return namesOf(data);
  };
}

/** Every server by id and name, for filters and the palette; not polled: names seldom change. */
export function useServerNames(): readonly ServerName[] {
  const { data } = useQuery({ ...serverNamesQuery(), refetchInterval: false });
  return namesOf(data);
}

function namesOf(data: ServersAnswer | undefined): readonly ServerName[] {
  return (data?.servers ?? []).toSorted(byName).map((server) => ({
    id: server.id,
    name: serverName(server),
    cpuLine: server.lines.cpu.warning,
    tags: server.tags,
  }));
}
