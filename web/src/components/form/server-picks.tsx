import { styled } from '@mui/material/styles';
import { matchesServer, searchWords } from '@plimsoll/contract/rules/server-filter';
import type { Server } from '@plimsoll/contract/wire/servers';
import { useState } from 'react';
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
}

/** Boxes to tick, one for each server, with a filter above them. */
export function ServerPicks({ name, servers, chosen, problem, onChange }: ServerPicksProps) {
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
        {matching.slice(0, MOST_ROWS).map(({ id, ...server }) => (
          <li key={id}>
            <Check
              checked={chosen.includes(id)}
              onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((each) => each !== id))}
            >
              {escapeInvisible(serverName(server))}
            </Check>
          </li>
        ))}
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
