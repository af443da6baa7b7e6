import { ExpandMore as ExpandMoreIcon } from '../../../components/icons/material.tsx';
import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { ReactNode } from 'react';

const Fold = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  width: '100%',
  minHeight: 44,
  padding: '0 12px',
  justifyContent: 'flex-start',
  textAlign: 'left',
  '& > svg': { flex: 'none', fontSize: 18, color: theme.vars.palette.text.secondary },
  '& > svg:last-child': { marginLeft: 'auto' },
  '&[aria-expanded="true"] > svg:last-child': { transform: 'rotate(180deg)' },
  '& > small': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
  '&:focus-visible': { outlineOffset: -2 },
}));

interface FoldLineProps {
  icon: ReactNode;
  title: string;
  count: number;
  /** The next or the latest of them, in words. */
  note: ReactNode;
  open: boolean;
  onToggle: () => void;
  columns: number;
}

/** "Silenced 2": one closed row for all that needs nobody. */
export const FoldLine = ({ icon, title, count, note, open, onToggle, columns }: FoldLineProps) => (
  <TableRow>
    <TableCell colSpan={columns} sx={{ p: 0 }}>
      <Fold aria-expanded={open} onClick={onToggle}>
        {icon}
        <span>
          {title} <b>{count}</b>
        </span>
        <small>{note}</small>
        <ExpandMoreIcon aria-hidden />
      </Fold>
    </TableCell>
  </TableRow>
);
