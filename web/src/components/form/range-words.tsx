import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import { useState, useSyncExternalStore } from 'react';
import { onTick } from '../../time/clock.ts';
import { rangeBounds } from '../../time/range.ts';
import type { TimeRange } from '../../time/range.ts';
import { dayAndTime, zoneName } from '../../time/zone.ts';
import { TOUCH } from '../screen.ts';
import { RangeDialog } from './range-dialog.tsx';
import { ScheduleOutlined as ScheduleIcon } from '../icons/material.tsx';

const Box = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.body2,
  display: 'inline-flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 32,
  padding: '0 10px',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  fontVariantNumeric: 'tabular-nums',
  '&:hover': { backgroundColor: theme.vars.palette.action.selected },
  '& svg': { fontSize: 16, color: theme.vars.palette.text.secondary },
  '& > i': { fontStyle: 'normal', color: theme.vars.palette.load.text3 },
  [TOUCH]: { minHeight: 40 },
}));

interface RangeWordsProps {
  range: TimeRange;
  onChange: (range: TimeRange) => void;
}

/** "19 Nov 21:08 to now UTC": what the range means, in the chosen zone; pressed, it lets one choose another. */
export function RangeWords({ range, onChange }: RangeWordsProps) {
  const [open, setOpen] = useState(false);
  const words = useSyncExternalStore(onTick, () => {
    const { from, to } = rangeBounds(range, Date.now());
    return `${dayAndTime(from * 1000)} to ${range.kind === 'relative' ? 'now' : dayAndTime(to * 1000)}`;
  });
  return (
    <>
      <Box onClick={() => setOpen(true)} aria-haspopup="dialog" title="Choose a time range">
        <ScheduleIcon aria-hidden />
        {words}
        <i>{zoneName(range.kind === 'absolute' ? range.from * 1000 : 0)}</i>
      </Box>
      {open && <RangeDialog range={range} onChoose={onChange} onClose={() => setOpen(false)} />}
    </>
  );
}
