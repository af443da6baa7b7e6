import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

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

/** More rows than this are found by typing. */
const MOST_ROWS = 100;

interface PickListProps<T> {
  /** Name of the list for screen readers. */
  name: string;
  items: readonly T[];
  /** Sentence if there are none. */
  empty: string;
  /** Draws the `li` of an item. */
  renderRow: (item: T) => ReactNode;
}

/** A list to tick, as long as a dialog has room for, with a line for what is left out. */
export function PickList<T>({ name, items, empty, renderRow }: PickListProps<T>) {
  return (
    // The grid of a dialog shrinks what scrolls itself, so the list stands in a block that does not.
    <div>
      <List aria-label={name}>
        {items.slice(0, MOST_ROWS).map(renderRow)}
        {items.length === 0 && (
          <li>
            <span>{empty}</span>
          </li>
        )}
        {items.length > MOST_ROWS && (
          <li>
            <span>{items.length - MOST_ROWS} more. Type to find them.</span>
          </li>
        )}
      </List>
    </div>
  );
}

/** Returns the chosen ids after a box was ticked or cleared. */
export const ticked = (chosen: readonly string[], id: string, on: boolean): string[] =>
  on ? [...chosen, id] : chosen.filter((each) => each !== id);
