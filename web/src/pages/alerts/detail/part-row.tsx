import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import type { AlertLevel } from '@plimsoll/contract/rules/limits';
import type { ReactNode } from 'react';
import { Age } from '../../../components/age.tsx';
import { LEVEL_NAME } from '../../../components/chips.tsx';
import { LevelIcon, ResolvedIcon } from '../../../components/status-icons.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';

/** The list of what an opened row is made of. */
export const PartList = styled('section')(({ theme }) => ({
  minWidth: 0,
  marginBottom: 16,
  '& > header': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px 12px', marginBottom: 4 },
  '& h3': { ...theme.typography.caption, margin: 0, flex: 1, color: theme.vars.palette.load.text3 },
  '& ol': { listStyle: 'none', margin: 0, padding: 0, borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& li': { borderBottom: `1px solid ${theme.vars.palette.divider}` },
}));

const Row = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'grid',
  // The rows are grids of their own, so their columns have fixed widths.
  gridTemplateColumns: '16px minmax(0, 200px) minmax(0, 1fr) 240px 48px',
  alignItems: 'center',
  gap: '0 12px',
  minHeight: 32,
  overflowWrap: 'anywhere',
  '& > button': { ...theme.typography.body2, minHeight: 32, justifyContent: 'flex-start', textAlign: 'left' },
  '& > .quiet': { color: theme.vars.palette.load.text3 },
  '& > .name': { fontWeight: 500 },
  '& > .age': { textAlign: 'right', whiteSpace: 'nowrap' },
  '&[data-muted]': { gridTemplateColumns: '16px minmax(0, 200px) minmax(0, 1fr) 240px 104px' },
  '& .reading > b': { minWidth: 48, textAlign: 'right', fontWeight: 600 },
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: '16px minmax(0, 1fr) minmax(0, 2fr) auto auto' },
  '& .reading': { display: 'inline-flex', alignItems: 'center', gap: 8, whiteSpace: 'nowrap' },
  '& .reading > .bar': { width: 72 },
  '& .reading > .quiet': { color: theme.vars.palette.load.text3 },
  '&[data-muted] > *': { color: theme.vars.palette.load.text3 },
  [theme.breakpoints.down('sm')]: {
    '&, &[data-muted]': { gridTemplateColumns: '16px minmax(0, 1fr) auto' },
    '& > .name, & > button': { gridColumn: 2 },
    '& > button': { minHeight: 44 },
    '& > .reading-cell': { display: 'none' },
    '& > .age': { gridColumn: 3, gridRow: 1 },
  },
}));

interface PartRowProps {
  level: AlertLevel;
  isResolved: boolean;
  /** Names it or its place, often as a link. */
  name: ReactNode;
  text: string;
  /** Its value and line. */
  reading?: ReactNode;
  /** Epoch milliseconds: since when it is open, or when it was resolved. */
  at: number | null;
  isOpen: boolean;
  onToggle: () => void;
  /** Drawn below the row while it is open. */
  children?: ReactNode;
}

/** One line of 32 px about an alert in a row; its text opens its details. */
export function PartRow({ level, isResolved, name, text, reading, at, isOpen, onToggle, children }: PartRowProps) {
  return (
    <li>
      <Row data-muted={isResolved ? '' : undefined}>
        {isResolved ? <ResolvedIcon /> : <LevelIcon level={level} />}
        <span className="name">{name}</span>
        <ButtonBase aria-expanded={isOpen} onClick={onToggle}>
          <VisuallyHidden>{isResolved ? 'Resolved' : LEVEL_NAME[level]}: </VisuallyHidden>
          {text}
        </ButtonBase>
        <span className="reading-cell">{reading}</span>
        <span className="quiet age">
          {isResolved && 'resolved '}
          <Age at={at} form="short" />
        </span>
      </Row>
      {isOpen && children}
    </li>
  );
}
