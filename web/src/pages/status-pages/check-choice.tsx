import type { CheckListItem } from '@plimsoll/contract/wire/checks';
import { useState } from 'react';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { NamedChoices } from './named-choices.tsx';
import type { PageDraft } from './page-draft.ts';

interface CheckChoiceProps {
  checks: readonly CheckListItem[];
  draft: PageDraft;
  problem: string | undefined;
  onChange: (part: Partial<PageDraft>) => void;
}

/** Chooses the checks of a page and the names that it shows for them. */
export function CheckChoice({ checks, draft, problem, onChange }: CheckChoiceProps) {
  const [search, setSearch] = useState('');
  const words = search.toLowerCase().split(' ');
  const matching = checks
    .filter(({ name, target }) => words.every((word) => `${name} ${target}`.toLowerCase().includes(word)))
    // The list of the API has the worst first, so that rows would jump.
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const choices = matching.map(({ check_id: id, name }) => ({
    id,
    name: escapeInvisible(name),
    shownName: () => `Check ${draft.checkIds.indexOf(id) + 1}`,
  }));
  return (
    <>
      <LabelledInput
        label={`Checks (${draft.checkIds.length} chosen)`}
        type="search"
        placeholder="Filter by name or target"
        value={search}
        problem={problem}
        onChange={(event) => setSearch(event.target.value)}
      />
      <NamedChoices
        label="Checks of the page"
        choices={choices}
        empty="No check matches."
        draft={draft}
        chosen={draft.checkIds}
        onChosen={(checkIds) => onChange({ checkIds })}
        onChange={onChange}
      />
    </>
  );
}
