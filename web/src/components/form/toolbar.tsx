import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { styled } from '@mui/material/styles';
import { useId } from 'react';

export { Toggle, ToolbarNote } from './toggle.tsx';

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
