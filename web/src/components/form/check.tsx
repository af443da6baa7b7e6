import Checkbox from '@mui/material/Checkbox';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const Line = styled('label')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  minHeight: 32,
  cursor: 'pointer',
  '& .MuiCheckbox-root': { padding: 4 },
  '@media (pointer: coarse)': { minHeight: 40 },
});

interface CheckProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** A box to tick with its words, which tick it as well. */
export function Check({ checked, onChange, children }: CheckProps) {
  return (
    <Line>
      <Checkbox size="small" color="info" checked={checked} onChange={(_, next) => onChange(next)} />
      {children}
    </Line>
  );
}
