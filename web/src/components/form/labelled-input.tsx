import OutlinedInput from '@mui/material/OutlinedInput';
import type { OutlinedInputProps } from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { useId } from 'react';
import type { ReactNode } from 'react';

const Field = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: 4,
  minWidth: 0,
  '& > label': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
  '& > p': { ...theme.typography.caption, margin: 0, color: theme.vars.palette.load.text3 },
  '& > p[data-error]': { color: theme.vars.palette.load.overText },
}));

type LabelledInputProps = Omit<OutlinedInputProps, 'error' | 'label' | 'id'> & {
  label: string;
  /** Under the input while nothing is wrong. */
  hint?: ReactNode;
  /** The problem of the value and its remedy. */
  problem?: string | null | undefined;
};

/** An input with its name above it and its hint or problem below, tied together for screen readers. */
export function LabelledInput({ label, hint, problem, inputProps, ...input }: LabelledInputProps) {
  const id = useId();
  const note = problem ?? hint;
  const describedBy = note === undefined ? undefined : `${id}-note`;
  return (
    <Field>
      <label htmlFor={id}>{label}</label>
      <OutlinedInput
        id={id}
        error={problem != null}
        fullWidth
        inputProps={{ ...inputProps, 'aria-describedby': describedBy }}
        {...input}
      />
      {note !== undefined && (
        <p id={describedBy} data-error={problem == null ? undefined : ''}>
          {note}
        </p>
      )}
    </Field>
  );
}
