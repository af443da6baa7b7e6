import { escapeInvisible } from '../../format/escape-invisible.ts';
import Dialog from '@mui/material/Dialog';
import InputBase from '@mui/material/InputBase';
import { styled } from '@mui/material/styles';
import { useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useStored } from '../../state/use-stored.ts';
import { matchItems } from './palette-match.ts';
import { paletteQuery } from './palette-query.ts';
import { usePaletteItems } from './use-palette-items.ts';
import type { PaletteEntry } from './use-palette-items.ts';
import { Search as SearchIcon } from '../../components/icons/material.tsx';

const MOST = 50;

const Input = styled(InputBase)(({ theme }) => ({
  display: 'flex',
  gap: 10,
  padding: '8px 16px',
  fontSize: 15,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& svg': { color: theme.vars.palette.load.text3 },
}));
const List = styled('div')(({ theme }) => ({
  padding: 6,
  height: 360,
  overflowY: 'auto',
  '& > [role="option"]': {
    display: 'flex',
    gap: 12,
    alignItems: 'center',
    minHeight: 36,
    padding: '0 10px',
    borderRadius: 6,
    cursor: 'pointer',
  },
  '& > [aria-selected="true"]': { backgroundColor: theme.vars.palette.action.selected },
  '& > [role="option"] > small': {
    ...theme.typography.caption,
    marginLeft: 'auto',
    color: theme.vars.palette.text.secondary,
  },
  '& > p': { padding: 16, margin: 0, textAlign: 'center', color: theme.vars.palette.text.secondary },
}));

interface OptionsProps {
  id: string;
  items: readonly PaletteEntry[];
  at: number;
  onPick: (item: PaletteEntry) => void;
}

function Options({ id, items, at, onPick }: OptionsProps) {
  return (
    <List id={id} role="listbox" aria-label="Results">
      {items.map((item, index) => (
        <div
          key={item.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          ref={index === at ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(item);
          }}
        >
          {escapeInvisible(item.name)}
          <small>{item.kind}</small>
        </div>
      ))}
      {items.length === 0 && <p>Nothing found</p>}
    </List>
  );
}

const focus = (field: HTMLInputElement | null) => field?.focus();

/** Go anywhere, do anything, by a few letters. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useStored(paletteQuery);
  const [at, setAt] = useState(0);
  const id = useId();
  const items = matchItems(usePaletteItems(query), query, MOST);
  const pick = (item: PaletteEntry) => {
    if (item.stays !== true) onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = items.length - 1;
    const next = { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setAt(Math.max(0, next));
    }
    const chosen = items[at];
    if (event.key !== 'Enter' || chosen === undefined) return;
    // The focus goes back to the button that opened this: the same key must not press it.
    event.preventDefault();
    pick(chosen);
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-label="Search" transitionDuration={0}>
      <Input
        inputRef={focus}
        fullWidth
        value={query}
        placeholder="Search servers, pods, pages, or type a time: 03:12"
        startAdornment={<SearchIcon aria-hidden />}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        inputProps={{
          role: 'combobox',
          'aria-label': 'Search',
          'aria-expanded': true,
          'aria-controls': id,
          'aria-activedescendant': items.length > 0 ? `${id}-${at}` : undefined,
        }}
      />
      <Options id={id} items={items} at={at} onPick={pick} />
    </Dialog>
  );
}
