import { matchesServer, searchWords } from '@plimsoll/contract/rules/server-filter';
import type { Server } from '@plimsoll/contract/wire/servers';
import { useState } from 'react';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { serverName } from '../../format/server-facts.ts';
import { NamedChoices } from './named-choices.tsx';
import type { PageDraft } from './page-draft.ts';

interface ServerChoiceProps {
  servers: readonly Server[];
  draft: PageDraft;
  problem: string | undefined;
  onChange: (part: Partial<PageDraft>) => void;
}

/** Chooses the servers of a page and the names that it shows for them. */
export function ServerChoice({ servers, draft, problem, onChange }: ServerChoiceProps) {
  const [search, setSearch] = useState('');
  const words = searchWords(search);
  const matching = servers.filter((server) =>
    matchesServer(
      { names: [server.display_name, server.hostname], system: [], region: server.region, tags: server.tags },
      words,
    ),
  );
  const choices = matching.map((server) => {
    const name = escapeInvisible(serverName(server));
    const shownName = () => (draft.showsNames ? name : `Server ${draft.serverIds.indexOf(server.id) + 1}`);
    return { id: server.id, name, shownName };
  });
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
      <NamedChoices
        label="Servers of the page"
        choices={choices}
        empty="No server matches."
        draft={draft}
        chosen={draft.serverIds}
        onChosen={(serverIds) => onChange({ serverIds })}
        onChange={onChange}
      />
    </>
  );
}
