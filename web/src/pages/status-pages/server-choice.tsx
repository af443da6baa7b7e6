import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/status-page-limits';
import type { Server } from '@plimsoll/contract/wire/servers';
import { useId } from 'react';
import { ServerPicks } from '../../components/form/server-picks.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { serverName } from '../../format/server-facts.ts';
import type { PageDraft } from './page-draft.ts';

const Hint = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  color: theme.vars.palette.load.text3,
}));
const Names = styled('div')({ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: 8 });

interface ServerChoiceProps {
  servers: readonly Server[];
  draft: PageDraft;
  problem: string | undefined;
  onChange: (part: Partial<PageDraft>) => void;
}

/** Chooses the servers of a page and the names that it shows for them. */
export function ServerChoice({ servers, draft, problem, onChange }: ServerChoiceProps) {
  const listId = useId();
  const groups = [...new Set(Object.values(draft.groups).map((group) => group.trim()))].filter((group) => group !== '');
  const publicNames = (server: Server) => {
    const name = escapeInvisible(serverName(server));
    return (
      <Names>
        <OutlinedInput
          placeholder={draft.showsNames ? name : `Server ${draft.serverIds.indexOf(server.id) + 1}`}
          value={draft.labels[server.id] ?? ''}
          inputProps={{ 'aria-label': `Public name of ${name}`, maxLength: STATUS_PAGE_LIMITS.labelCharacters }}
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
    );
  };
  return (
    <>
      <ServerPicks
        name="Servers of the page"
        servers={servers}
        chosen={draft.serverIds}
        problem={problem}
        onChange={(serverIds) => onChange({ serverIds })}
        details={publicNames}
      />
      <datalist id={listId}>
        {groups.map((group) => (
          <option key={group} value={group} aria-label={group} />
        ))}
      </datalist>
      <Hint>Servers with the same public name in one group are one part of the page.</Hint>
    </>
  );
}
