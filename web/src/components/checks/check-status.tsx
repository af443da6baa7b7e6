import { styled } from '@mui/material/styles';
import type { CheckListItem, CheckView } from '@plimsoll/contract/wire/checks/checks';
import { statusWord } from '../../format/check-words.ts';
import { durationText } from '../../format/duration-text.ts';
import { Chip } from '../chips.tsx';
import { BandIcon, StatusIcon } from '../status-icons.tsx';

/** The state with a mark; only "Down" is filled. */
export function CheckStatusChip({ status }: { status: CheckView['status'] }) {
  return (
    <Chip tone={status === 'down' ? 'over' : 'plain'}>
      {status === 'down' && <BandIcon band="over" />}
      {status === 'up' && <StatusIcon status="active" size={8} />}
      {status === 'unknown' && <StatusIcon status="offline" size={9} />}
      {status === 'paused' && <StatusIcon status="uninstalled" size={9} />}
      {statusWord(status)}
    </Chip>
  );
}

const Svg = styled('svg')(({ theme }) => ({
  display: 'block',
  width: '100%',
  maxWidth: 270,
  height: 18,
  '& [data-bar="up"]': { fill: theme.vars.palette.load.ok },
  '& [data-bar="down"]': { fill: theme.vars.palette.load.over },
  '& [data-bar="none"]': { fill: theme.vars.palette.load.track },
}));

interface CheckBarsProps {
  bars: CheckListItem['bars'];
  /** Length of a bar. */
  seconds?: number;
}

/** The last minutes, one bar each; a bad one is as high as the row, so that its colour is not alone. */
export function CheckBars({ bars, seconds = 60 }: CheckBarsProps) {
  const down = bars.filter((bar) => bar === 'down').length;
  const known = bars.filter((bar) => bar !== null).length;
  const of = seconds === 60 ? 'minutes' : `stretches of ${durationText(seconds)}`;
  const said =
    known === 0
      ? `No result in the last ${String(bars.length)} ${of}`
      : `${String(down)} of ${String(known)} known ${of} failed, of the last ${String(bars.length)}`;
  return (
    <Svg viewBox={`0 0 ${String(bars.length * 3)} 18`} preserveAspectRatio="none" role="img" aria-label={said}>
      <title>{said}</title>
      {bars.map((bar, index) => (
        <rect
          // The bars have no name but their place.
          key={`${String(index)} ${bar ?? ''}`}
          data-bar={bar ?? 'none'}
          x={index * 3}
          y={bar === 'down' ? 0 : bar === null ? 13 : 4}
          width={2}
          height={bar === 'down' ? 18 : bar === null ? 5 : 14}
        />
      ))}
    </Svg>
  );
}
