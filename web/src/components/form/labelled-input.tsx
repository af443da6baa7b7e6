import OutlinedInput from '@mui/material/OutlinedInput';
import type { OutlinedInputProps } from '@mui/material/OutlinedInput';
import { LabelledField, type FieldWords } from './labelled-field.tsx';

type LabelledInputProps = Omit<OutlinedInputProps, 'error' | 'label' | 'id'> & FieldWords;

/** An input with its name above it and its hint or problem below. */
export function LabelledInput({ label, hint, problem, inputProps, ...input }: LabelledInputProps) {
  return (
    <LabelledField label={label} hint={hint} problem={problem}>
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          error={problem != null}
          fullWidth
          inputProps={{ ...inputProps, 'aria-describedby': describedBy }}
          {...input}
        />
      )}
    </LabelledField>
  );
}
