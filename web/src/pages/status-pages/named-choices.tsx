import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/checks/status-page-limits';
import { useId, useState } from 'react';
import { Check } from '../../components/form/check.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { PickList, ticked } from '../../components/form/pick-list.tsx';
import type { PageDraft } from './page-draft.ts';

const Names = styled('div')({ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: 8 });

interface Choice {
  id: string;
  /** Name in the dashboard, without invisible marks. */
  name: string;
  /** Name that the page shows unless one is typed; asked only of a chosen one. */
  shownName: () => string;
}

interface NamedChoicesProps {
  /** "Servers". */
  title: string;
  /** Largest number of choices on a page. */
  most: number;
  placeholder: string;
  /** Returns the choices that match what was typed. */
  choicesOf: (search: string) => readonly Choice[];
  /** Sentence if none does. */
  empty: string;
  draft: PageDraft;
  problem: string | undefined;
  chosen: readonly string[];
  onChosen: (ids: readonly string[]) => void;
  onChange: (part: Partial<PageDraft>) => void;
}

/** A list to choose from with a filter above it; a chosen row has a public name and a group. */
export function NamedChoices({ title, most, placeholder, choicesOf, empty, problem, ...of }: NamedChoicesProps) {
  const { draft, chosen, onChosen, onChange } = of;
  const [search, setSearch] = useState('');
  const listId = useId();
  const over = chosen.length - most;
  const groups = [...new Set(Object.values(draft.groups).map((group) => group.trim()))].filter((group) => group !== '');
  return (
    <>
      <LabelledInput
        label={`${title} (${chosen.length} chosen)`}
        type="search"
        placeholder={placeholder}
        value={search}
        problem={problem ?? (over > 0 ? `A page has at most ${String(most)}. Untick ${String(over)}.` : undefined)}
        onChange={(event) => setSearch(event.target.value)}
      />
      <PickList
        name={`${title} of the page`}
        items={choicesOf(search)}
        empty={empty}
        renderRow={({ id, name, shownName }) => {
          const isChosen = chosen.includes(id);
          return (
            <li key={id} data-chosen={isChosen ? '' : undefined}>
              <Check checked={isChosen} onChange={(on) => onChosen(ticked(chosen, id, on))}>
                {name}
              </Check>
              {isChosen && (
                <Names>
                  <OutlinedInput
                    placeholder={shownName()}
                    value={draft.labels[id] ?? ''}
                    inputProps={{
                      'aria-label': `Public name of ${name}`,
                      maxLength: STATUS_PAGE_LIMITS.labelCharacters,
                    }}
                    onChange={(event) => onChange({ labels: { ...draft.labels, [id]: event.target.value } })}
                  />
                  <OutlinedInput
                    placeholder="Group (optional)"
                    value={draft.groups[id] ?? ''}
                    inputProps={{
                      'aria-label': `Group of ${name}`,
                      list: listId,
                      maxLength: STATUS_PAGE_LIMITS.groupCharacters,
                    }}
                    onChange={(event) => onChange({ groups: { ...draft.groups, [id]: event.target.value } })}
                  />
                </Names>
              )}
            </li>
          );
        }}
      />
      <datalist id={listId}>
        {groups.map((group) => (
          <option key={group} value={group} aria-label={group} />
        ))}
      </datalist>
    </>
  );
}
