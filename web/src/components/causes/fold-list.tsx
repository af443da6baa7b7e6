import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { ExpandMore as ExpandMoreIcon } from '../icons/material.tsx';
import { TARGET_PX, TOUCH } from '../screen.ts';

const Toggle = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.body2,
  minHeight: 32,
  gap: 4,
  color: theme.vars.palette.text.secondary,
  '& > svg': { fontSize: 18 },
  '&[aria-expanded="true"] > svg': { transform: 'rotate(180deg)' },
  [TOUCH]: { minHeight: TARGET_PX },
}));
const List = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& > li': { padding: '4px 0', borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& small': { ...theme.typography.caption, display: 'block', color: theme.vars.palette.load.text3 },
}));

/** A list that a button opens. Nothing is drawn for an empty one. */
export function FoldList({ label, children }: { label: string; children: readonly ReactNode[] }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (children.length === 0) return null;
  return (
    <div style={{ minWidth: 0, flexBasis: isOpen ? '100%' : 'auto' }}>
      <Toggle aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)}>
        {label}
        <ExpandMoreIcon aria-hidden />
      </Toggle>
      {isOpen && (
        <List id={id} aria-label={label}>
          {children}
        </List>
      )}
    </div>
  );
}
