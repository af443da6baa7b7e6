import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/status-page-limits';
import { matchesServer, searchWords } from '@plimsoll/contract/rules/server-filter';
import type { Server } from '@plimsoll/contract/wire/servers';
import { useId, useState } from 'react';
import { Check } from '../../components/form/check.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { serverName } from '../../format/server-facts.ts';
import type { PageDraft } from './page-draft.ts';

const List = styled('ul')(({ theme }) => ({
  maxHeight: 232,
  margin: 0,
  padding: '4px 8px',
  overflowY: 'auto',
  listStyle: 'none',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 6,
  '& > li': { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 },
  '& > li[data-chosen]': { paddingBottom: 8 },
  '& > li > span': { padding: 8 },
  '& label': { minWidth: 0, overflowWrap: 'anywhere' },
}));

const Hint = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  color: theme.vars.palette.load.text3,
}));
const Names = styled('div')({ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: 8 });

/** More rows than this are found by typing. */
const MOST_ROWS = 100;

interface ServerChoiceProps {
  servers: readonly Server[];
  draft: PageDraft;
  problem: string | undefined;
  onChange: (part: Partial<PageDraft>) => void;
}

/** Chooses the servers of a page and the names that it shows for them. */
export function ServerChoice({ servers, draft, problem, onChange }: ServerChoiceProps) {
  const listId = useId();
  const [search, setSearch] = useState('');
  const words = searchWords(search);
  const isChosen = (id: string) => draft.serverIds.includes(id);
  const matching = servers.filter((server) =>
    matchesServer(
      { names: [server.display_name, server.hostname], system: [], region: server.region, tags: server.tags },
      words,
    ),
  );
  const groups = [...new Set(Object.values(draft.groups).map((group) => group.trim()))].filter((group) => group !== '');
  const toggle = (id: string, on: boolean) =>
    onChange({ serverIds: on ? [...draft.serverIds, id] : draft.serverIds.filter((each) => each !== id) });
  return (
    <>
      <LabelledInput
        label={`Servers (${draft.serverIds.length} chosen)`}
        type="search"
        placeholder="Filter by name, region or tag"
        value={search}
        problem={problem}
        onChange={(event) => setSearch(event.target.value)}
      />
      <List aria-label="Servers of the page">
        {matching.slice(0, MOST_ROWS).map((server) => {
          const name = escapeInvisible(serverName(server));
          return (
            <li key={server.id} data-chosen={isChosen(server.id) ? '' : undefined}>
              <Check checked={isChosen(server.id)} onChange={(on) => toggle(server.id, on)}>
                {name}
              </Check>
              {isChosen(server.id) && (
                <Names>
                  <OutlinedInput
                    placeholder={draft.showsNames ? name : `Server ${draft.serverIds.indexOf(server.id) + 1}`}
                    value={draft.labels[server.id] ?? ''}
                    inputProps={{
                      'aria-label': `Public name of ${name}`,
                      maxLength: STATUS_PAGE_LIMITS.labelCharacters,
                    }}
                    onChange={(event) => onChange({ labels: { ...draft.labels, [server.id]: event.target.value } })}
                  />
                  <OutlinedInput
                    placeholder="Group (optional)"
                    value={draft.groups[server.id] ?? ''}
                    inputProps={{
                      'aria-label': `Group of ${name}`,
                      list: listId,
                      maxLength: STATUS_PAGE_LIMITS.groupCharacters,
                    }}
                    onChange={(event) => onChange({ groups: { ...draft.groups, [server.id]: event.target.value } })}
                  />
                </Names>
              )}
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
      <datalist id={listId}>
        {groups.map((group) => (
          <option key={group} value={group} aria-label={group} />
        ))}
      </datalist>
      <Hint>Servers with the same public name in one group are one part of the page.</Hint>
    </>
  );
}
