import NativeSelect from '@mui/material/NativeSelect';
import { styled } from '@mui/material/styles';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { TOUCH } from '../screen.ts';

const Field = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: 4,
  minWidth: 0,
  '& > label': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
  '& > p': { ...theme.typography.caption, margin: 0, color: theme.vars.palette.load.text3 },
  '& > p[data-error]': { color: theme.vars.palette.load.overText },
  '& > div': {
    minHeight: 32,
    paddingLeft: 12,
    border: `1px solid ${theme.vars.palette.load.control}`,
    borderRadius: 6,
    '&:focus-within': { borderColor: theme.vars.palette.info.main },
    [TOUCH]: { minHeight: 40 },
  },
  '& select': { ...theme.typography.body2, textOverflow: 'ellipsis' },
  '& option': { backgroundColor: theme.vars.palette.background.paper },
}));

interface LabelledSelectProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  hint?: ReactNode;
  problem?: string | null | undefined;
  disabled?: boolean;
}

/** A choice of one, with its name above it. The browser's own list: it opens at once with 500 entries. */
export function LabelledSelect({ label, value, options, onChange, hint, problem, disabled }: LabelledSelectProps) {
  const id = useId();
  const note = problem ?? hint;
  const isKnown = options.some((option) => option.value === value);
  return (
    <Field>
      <label htmlFor={id}>{label}</label>
      <NativeSelect
        id={id}
        disableUnderline
        fullWidth
        value={value}
        disabled={disabled ?? false}
        onChange={(event) => onChange(event.target.value)}
        inputProps={{ 'aria-describedby': note === undefined ? undefined : `${id}-note` }}
      >
        {!isKnown && <option value={value}>{value === '' ? 'Choose' : value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </NativeSelect>
      {note !== undefined && (
        <p id={`${id}-note`} data-error={problem == null ? undefined : ''}>
          {note}
        </p>
      )}
    </Field>
  );
}
