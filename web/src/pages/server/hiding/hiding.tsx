import { VisibilityOffOutlined as VisibilityOffIcon } from '../../../components/icons/first-load.tsx';
import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import Tooltip from '@mui/material/Tooltip';
import type { HiddenPart } from '@plimsoll/contract/wire/hidden-parts';
import { createContext, useContext } from 'react';
import { escapeInvisible } from '../../../format/escape-invisible.ts';

/** Hides a part of the server; null where the reader may not, or the page shows the past. */
const Hiding = createContext<((part: HiddenPart) => void) | null>(null);
export const HidingProvider = Hiding.Provider;

/** Returns the head of the column with the buttons; none where nothing can be hidden. */
export function useHideColumn(): { name: string; unseen: true }[] {
  return useContext(Hiding) === null ? [] : [{ name: 'Hide', unseen: true }];
}

// In a narrow table the button stays in sight while the figures scroll below it.
const Cell = styled(TableCell)(({ theme }) => ({
  position: 'sticky',
  right: 0,
  width: 36,
  padding: 0,
  backgroundColor: theme.vars.palette.background.paper,
}));

/** The last cell of a row: a button that hides what the row is about. */
export function HideCell({ kind, subject }: HiddenPart) {
  const hide = useContext(Hiding);
  if (hide === null) return null;
  const label = `Hide ${escapeInvisible(subject)}`;
  return (
    <Cell align="right">
      <Tooltip title="Hide: no alerts, not in the headroom">
        <IconButton size="small" aria-label={label} onClick={() => hide({ kind, subject })}>
          <VisibilityOffIcon fontSize="inherit" />
        </IconButton>
      </Tooltip>
    </Cell>
  );
}
