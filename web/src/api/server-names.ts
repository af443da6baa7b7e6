import type { ServersAnswer } from '@plimsoll/contract/wire/servers';
import { byName } from '../format/server-sort.ts';
import { serverName } from '../format/server-facts.ts';
import { WHOLE_VIEW } from '../state/view.ts';
import { inView, useQuery, useQueryClient } from './query.ts';
import { allServersQuery } from './servers.ts';

export interface ServerName {
  id: string;
  name: string;
  /** Warning threshold of the rule that applies to its CPU; null: there is none. */
  cpuLine: number | null;
  tags: Readonly<Record<string, string>>;
}

/** Asks at most once in the cache's time: for the keyboard, which must not poll. */
export function useServerNamesOnce(): () => Promise<readonly ServerName[]> {
  const queries = useQueryClient();
  return async () => {
    const data = await queries.ensureQueryData(inView(allServersQuery(), WHOLE_VIEW));
    return namesOf(data);
  };
}

/** Every server by id and name, for filters and the palette; not polled: names seldom change. */
export function useServerNames(): readonly ServerName[] {
  const { data } = useQuery({ ...allServersQuery(), refetchInterval: false });
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
