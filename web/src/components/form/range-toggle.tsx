import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { styled } from '@mui/material/styles';
import { LONGER_RANGES, rangeLabel } from '../../time/range.ts';
import type { TimeRange } from '../../time/range.ts';
import { Toggle } from './toggle.tsx';

const Both = styled('div')({ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', gap: 8 });
const Longer = styled(Select<string>)(({ theme }) => ({
  '& .MuiSelect-select': { fontWeight: 500, paddingTop: 6, paddingBottom: 6 },
  '& .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars.palette.load.edge },
  '&[data-chosen]': { backgroundColor: theme.vars.palette.action.selected },
}));

const LONGER_NAMES: Partial<Record<number, string>> = {
  168: '7 days',
  720: '30 days',
  2160: '90 days',
  8760: '1 year',
};

interface RangeToggleProps {
  /** Hours each button stands for. */
  hours: readonly number[];
  range: TimeRange;
  onChange: (range: TimeRange) => void;
}

/** 1h 6h 12h 24h, and a list of the longer ranges that no button stands for; an absolute range leaves all unpressed. */
export function RangeToggle({ hours, range, onChange }: RangeToggleProps) {
  const chosen = range.kind === 'relative' ? String(range.hours) : null;
  const choose = (value: string) => onChange({ kind: 'relative', hours: Number(value) });
  const longer = LONGER_RANGES.filter((each) => !hours.includes(each));
  const isLonger = longer.some((each) => String(each) === chosen);
  return (
    <Both>
      <Toggle
        label="Time range"
        value={chosen}
        options={hours.map((each) => ({ value: String(each), label: rangeLabel(each) }))}
        onChange={choose}
      />
      {longer.length > 0 && (
        <Longer
          displayEmpty
          value={isLonger && chosen !== null ? chosen : ''}
          data-chosen={isLonger ? '' : undefined}
          onChange={(event) => choose(event.target.value)}
          inputProps={{ 'aria-label': 'Longer time range' }}
          SelectDisplayProps={{
            'aria-label': `Longer time range: ${isLonger ? (LONGER_NAMES[Number(chosen)] ?? '') : 'none'}`,
          }}
          renderValue={(value) => (value === '' ? 'Longer' : rangeLabel(Number(value)))}
        >
          {longer.map((each) => (
            <MenuItem key={each} value={String(each)}>
              {LONGER_NAMES[each] ?? rangeLabel(each)}
            </MenuItem>
          ))}
        </Longer>
      )}
    </Both>
  );
}
