import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { styled } from '@mui/material/styles';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useId } from 'react';
import type { ReactNode } from 'react';

/** Ranges and filters on the left, view and actions on the right. */
export const Toolbar = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  '@media print': { display: 'none' },
});
export const ToolbarEnd = styled('div')(({ theme }) => ({
  marginLeft: 'auto',
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  [theme.breakpoints.down('sm')]: { marginLeft: 0 },
}));
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

const Chosen = styled(Select<string>)(({ theme }) => ({
  '& .MuiSelect-select': { display: 'flex', gap: 6, fontWeight: 500, paddingTop: 6, paddingBottom: 6 },
  '& .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars.palette.load.edge },
  '& .MuiSelect-select > i': { fontStyle: 'normal', fontWeight: 400, color: theme.vars.palette.text.secondary },
}));

interface FilterProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** "Status All ⌄". The empty value is "All". */
export function Filter({ label, value, options, onChange }: FilterProps) {
  const id = useId();
  const name = (chosen: string) => options.find((option) => option.value === chosen)?.label ?? chosen;
  return (
    <Chosen
      value={options.some((option) => option.value === value) ? value : ''}
      displayEmpty
      onChange={(event) => onChange(event.target.value)}
      inputProps={{ id, 'aria-label': label }}
      SelectDisplayProps={{ 'aria-label': `${label}: ${name(value)}` }}
      renderValue={(chosen) => (
        <>
          <i>{label}</i>
          {name(chosen)}
        </>
      )}
    >
      {options.map((option) => (
        <MenuItem key={option.value} value={option.value}>
          {option.label}
        </MenuItem>
      ))}
    </Chosen>
  );
}
