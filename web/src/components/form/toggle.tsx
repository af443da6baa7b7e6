import { styled } from '@mui/material/styles';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { ReactNode } from 'react';

/** Text beside the parts of a toolbar. Here and not in toolbar.tsx, because a page without filters needs no menus. */
export const ToolbarNote = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  color: theme.vars.palette.load.text3,
  [theme.breakpoints.down('sm')]: { '&.wide': { display: 'none' } },
}));

interface ToggleProps<T extends string> {
  label: string;
  /** Null presses none: a range that no button stands for. */
  value: T | null;
  options: readonly { value: T; label: ReactNode }[];
  onChange: (value: T) => void;
}

/** Joined buttons; pressing the pressed one keeps it. */
export function Toggle<T extends string>({ label, value, options, onChange }: ToggleProps<T>) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={label}
      value={value}
      onChange={(_, next: T | null) => next !== null && onChange(next)}
    >
      {options.map((option) => (
        <ToggleButton key={option.value} value={option.value}>
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
