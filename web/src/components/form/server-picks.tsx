import { matchesServer, searchWords } from '@plimsoll/contract/rules/servers/server-filter';
import type { Server } from '@plimsoll/contract/wire/servers';
import { useState } from 'react';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { serverName } from '../../format/server-facts.ts';
import { Check } from './check.tsx';
import { LabelledInput } from './labelled-input.tsx';
import { PickList, ticked } from './pick-list.tsx';

interface ServerPicksProps {
  /** Name of the list for screen readers. */
  name: string;
  servers: readonly Server[];
  chosen: readonly string[];
  problem: string | undefined;
  onChange: (chosen: readonly string[]) => void;
}

/** Boxes to tick, one for each server, with a filter above them. */
export function ServerPicks({ name, servers, chosen, problem, onChange }: ServerPicksProps) {
  const [search, setSearch] = useState('');
  return (
    <>
      <LabelledInput
        label={`Servers (${chosen.length} chosen)`}
        type="search"
        placeholder="Filter by name, region or tag"
        value={search}
        problem={problem}
        onChange={(event) => setSearch(event.target.value)}
      />
      <PickList
        name={name}
        items={matchingServers(servers, search)}
        empty="No server matches."
        renderRow={({ id, ...server }) => (
          <li key={id}>
            <Check checked={chosen.includes(id)} onChange={(on) => onChange(ticked(chosen, id, on))}>
              {escapeInvisible(serverName(server))}
            </Check>
          </li>
        )}
      />
    </>
  );
}

/** Returns the servers that each typed word matches, by name, region or tag. */
export function matchingServers(servers: readonly Server[], search: string): Server[] {
  const words = searchWords(search);
  return servers.filter((server) =>
    matchesServer(
      { names: [server.display_name, server.hostname], system: [], region: server.region, tags: server.tags },
      words,
    ),
  );
}
