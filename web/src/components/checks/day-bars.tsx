import { styled } from '@mui/material/styles';
import type { CheckDetail } from '@plimsoll/contract/wire/checks/checks';
import { ageText } from '../../time/age.ts';
import { dayKind, type DayKind } from './day-kind.ts';
import { plural } from '../../format/figures.ts';

const Svg = styled('svg')(({ theme }) => ({
  display: 'block',
  width: '100%',
  height: 56,
  '& [data-day="up"]': { fill: theme.vars.palette.load.ok },
  '& [data-day="down"]': { fill: theme.vars.palette.load.over },
  '& [data-day="unknown"]': { fill: theme.vars.palette.load.stale },
  '& [data-day="none"]': { fill: theme.vars.palette.load.track },
}));
const HEIGHTS = { up: 26, down: 50, unknown: 14, none: 6 } as const;
const SLOT = 10;

type Day = CheckDetail['days'][number];
const WORDS = { up: 'up', down: 'down', unknown: 'unknown', none: 'no check yet' } as const;
const dayWords = (day: Day, kind: DayKind): string =>
  `${day.date}: ${kind === 'down' ? `down for ${ageText(day.down_seconds)}` : WORDS[kind]}`;

interface DayBarsProps {
  days: readonly Day[];
  /** Start of the check, epoch milliseconds. */
  since: number;
  /** Time of the answer, epoch milliseconds. */
  now: number;
}

/** A bar a day. The height says the same as the colour: a day with an outage is the highest. */
export function DayBars({ days, since, now }: DayBarsProps) {
  const bad = days.filter(({ down_seconds: down }) => down > 0).length;
  const said = `${String(bad)} of ${plural(days.length, 'day')} with an outage`;
  return (
    <Svg viewBox={`0 0 ${String(days.length * SLOT)} 56`} preserveAspectRatio="none" role="img" aria-label={said}>
      {days.map((day, index) => {
        const kind = dayKind(day, since, now);
        return (
          <rect
            key={day.date}
            data-day={kind}
            x={index * SLOT}
            y={54 - HEIGHTS[kind]}
            width={SLOT - 1.5}
            height={HEIGHTS[kind]}
          >
            <title>{dayWords(day, kind)}</title>
          </rect>
        );
      })}
    </Svg>
  );
}
