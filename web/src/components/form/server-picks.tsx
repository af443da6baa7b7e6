import { styled } from '@mui/material/styles';
import { matchesServer, searchWords } from '@plimsoll/contract/rules/server-filter';
import type { Server } from '@plimsoll/contract/wire/servers';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { serverName } from '../../format/server-facts.ts';
import { Check } from './check.tsx';
import { LabelledInput } from './labelled-input.tsx';

const List = styled('ul')(({ theme }) => ({
  maxHeight: 232,
  margin: 0,
  padding: '4px 8px',
  overflowY: 'auto',
  listStyle: 'none',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 6,
  '& > li': { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 },
  '& > li[data-open]': { paddingBottom: 8 },
  '& > li > span': { padding: 8 },
  '& label': { minWidth: 0, overflowWrap: 'anywhere' },
}));

/** More rows than this are found by typing. */
const MOST_ROWS = 100;

interface ServerPicksProps {
  /** Name of the list for screen readers. */
  name: string;
  servers: readonly Server[];
  chosen: readonly string[];
  problem: string | undefined;
  onChange: (chosen: readonly string[]) => void;
  /** Fields below a chosen server. */
  details?: (server: Server) => ReactNode;
}

/** Boxes to tick, one for each server, with a filter above them. */
export function ServerPicks({ name, servers, chosen, problem, onChange, details }: ServerPicksProps) {
  const [search, setSearch] = useState('');
  const words = searchWords(search);
  const matching = servers.filter((server) =>
    matchesServer(
      { names: [server.display_name, server.hostname], system: [], region: server.region, tags: server.tags },
      words,
    ),
  );
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
      <List aria-label={name}>
        {matching.slice(0, MOST_ROWS).map((server) => {
          const isChosen = chosen.includes(server.id);
          const hasDetails = isChosen && details !== undefined;
          return (
            <li key={server.id} data-open={hasDetails ? '' : undefined}>
              <Check
                checked={isChosen}
                onChange={(on) => onChange(on ? [...chosen, server.id] : chosen.filter((id) => id !== server.id))}
              >
                {escapeInvisible(serverName(server))}
              </Check>
              {hasDetails && details(server)}
            </li>
          );
        })}
        {matching.length === 0 && (
          <li>
            <span>No server matches.</span>
          </li>
        )}
        {matching.length > MOST_ROWS && (
          <li>
            <span>{matching.length - MOST_ROWS} more. Type to find them.</span>
          </li>
        )}
      </List>
    </>
  );
}
