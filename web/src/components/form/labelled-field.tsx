import { styled } from '@mui/material/styles';
import { useId, type ReactNode } from 'react';

const Field = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: 4,
  minWidth: 0,
  '& > label': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
  '& > p': { ...theme.typography.caption, margin: 0, color: theme.vars.palette.load.text3 },
  '& > p[data-error]': { color: theme.vars.palette.load.overText },
}));

export interface FieldWords {
  label: string;
  /** Under the control while nothing is wrong. */
  hint?: ReactNode;
  /** The problem of the value and its remedy. */
  problem?: string | null | undefined;
}

interface LabelledFieldProps extends FieldWords {
  className?: string;
  /** Draws the control. `describedBy`: id of the note below it; undefined: it has none. */
  children: (ids: { id: string; describedBy: string | undefined }) => ReactNode;
}

/** A control with its name above it and its hint or problem below, tied together for screen readers. */
export function LabelledField({ label, hint, problem, className, children }: LabelledFieldProps) {
  const id = useId();
  const note = problem ?? hint;
  const describedBy = note === undefined ? undefined : `${id}-note`;
  return (
    <Field className={className}>
      <label htmlFor={id}>{label}</label>
      {children({ id, describedBy })}
      {note !== undefined && (
        <p id={describedBy} data-error={problem == null ? undefined : ''}>
          {note}
        </p>
      )}
    </Field>
  );
}
