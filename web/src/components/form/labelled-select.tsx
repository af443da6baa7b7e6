import NativeSelect from '@mui/material/NativeSelect';
import { styled } from '@mui/material/styles';
import { TOUCH } from '../screen.ts';
import { LabelledField, type FieldWords } from './labelled-field.tsx';

const SelectField = styled(LabelledField)(({ theme }) => ({
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

interface LabelledSelectProps extends FieldWords {
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  disabled?: boolean;
}

/** A choice of one, with its name above it. The browser's own list: it opens at once with 500 entries. */
export function LabelledSelect({ label, value, options, onChange, hint, problem, disabled }: LabelledSelectProps) {
  const isKnown = options.some((option) => option.value === value);
  return (
    <SelectField label={label} hint={hint} problem={problem}>
      {({ id, describedBy }) => (
        <NativeSelect
          id={id}
          disableUnderline
          fullWidth
          value={value}
          disabled={disabled ?? false}
          onChange={(event) => onChange(event.target.value)}
          inputProps={{ 'aria-describedby': describedBy }}
        >
          {!isKnown && <option value={value}>{value === '' ? 'Choose' : value}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </NativeSelect>
      )}
    </SelectField>
  );
}
