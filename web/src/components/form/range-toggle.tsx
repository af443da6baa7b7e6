import { rangeLabel } from '../../time/range.ts';
import type { TimeRange } from '../../time/range.ts';
import { Toggle } from './toggle.tsx';

interface RangeToggleProps {
  /** Hours each button stands for. */
  hours: readonly number[];
  range: TimeRange;
  onChange: (range: TimeRange) => void;
}

/** 1h 6h 12h 24h; an absolute range leaves all of them unpressed. */
export function RangeToggle({ hours, range, onChange }: RangeToggleProps) {
  return (
    <Toggle
      label="Time range"
      value={range.kind === 'relative' ? String(range.hours) : null}
      options={hours.map((each) => ({ value: String(each), label: rangeLabel(each) }))}
      onChange={(value) => onChange({ kind: 'relative', hours: Number(value) })}
    />
  );
}
