import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import { Search as SearchIcon } from '../icons/material.tsx';

const Field = styled(OutlinedInput)(({ theme }) => ({
  width: 280,
  gap: 6,
  paddingLeft: 10,
  '& svg': { fontSize: 16, color: theme.vars.palette.load.text3 },
  '& kbd': {
    padding: '0 6px',
    border: `1px solid ${theme.vars.palette.load.edge}`,
    borderRadius: 4,
    // In the font of the text: the one of code would load for this single sign.
    fontFamily: 'inherit',
    fontSize: 11,
    lineHeight: '16px',
    color: theme.vars.palette.load.text3,
  },
  '& input': { paddingLeft: 0 },
  '& input::placeholder': { color: theme.vars.palette.load.text3 },
  [theme.breakpoints.down('sm')]: { width: '100%' },
}));

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Filters what the page shows; "/" jumps here from anywhere on the page. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  // The address follows what is typed a moment later: held to it, the field would lose letters of a fast typist.
  useEffect(() => {
    const input = field.current;
    if (input !== null && input !== document.activeElement) input.value = value;
  }, [value]);
  return (
    <Field
      type="search"
      defaultValue={value}
      inputRef={field}
      placeholder={label}
      onChange={(event) => onChange(event.target.value)}
      inputProps={{ 'aria-label': label, 'data-page-search': '' }}
      startAdornment={<SearchIcon aria-hidden />}
      endAdornment={value === '' ? <kbd aria-hidden>/</kbd> : null}
    />
  );
}
