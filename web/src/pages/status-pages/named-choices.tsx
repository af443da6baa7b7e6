import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/status-page-limits';
import { useId } from 'react';
import { Check } from '../../components/form/check.tsx';
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
const Names = styled('div')({ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: 8 });

/** More rows than this are found by typing. */
const MOST_ROWS = 100;

interface Choice {
  id: string;
  /** Name in the dashboard, without invisible marks. */
  name: string;
  /** Name that the page shows unless one is typed; asked only of a chosen one. */
  shownName: () => string;
}

interface NamedChoicesProps {
  /** "Servers of the page". */
  label: string;
  choices: readonly Choice[];
  /** Sentence if there are none. */
  empty: string;
  draft: PageDraft;
  chosen: readonly string[];
  onChosen: (ids: readonly string[]) => void;
  onChange: (part: Partial<PageDraft>) => void;
}

/** A list to choose from; a chosen row has a public name and a group. */
export function NamedChoices({ label, choices, empty, draft, chosen, onChosen, onChange }: NamedChoicesProps) {
  const listId = useId();
  const groups = [...new Set(Object.values(draft.groups).map((group) => group.trim()))].filter((group) => group !== '');
  const toggle = (id: string, on: boolean) => onChosen(on ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    // The grid of the dialog shrinks what scrolls itself, so the list stands in a block that does not.
    <div>
      <List aria-label={label}>
        {choices.slice(0, MOST_ROWS).map(({ id, name, shownName }) => {
          const isChosen = chosen.includes(id);
          return (
            <li key={id} data-chosen={isChosen ? '' : undefined}>
              <Check checked={isChosen} onChange={(on) => toggle(id, on)}>
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
        })}
        {choices.length === 0 && (
          <li>
            <span>{empty}</span>
          </li>
        )}
        {choices.length > MOST_ROWS && (
          <li>
            <span>{choices.length - MOST_ROWS} more. Type to find them.</span>
          </li>
        )}
      </List>
      <datalist id={listId}>
        {groups.map((group) => (
          <option key={group} value={group} aria-label={group} />
        ))}
      </datalist>
    </div>
  );
}
