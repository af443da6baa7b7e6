import { styled } from '@mui/material/styles';
import type { CheckDetail } from '@plimsoll/contract/wire/checks';
import { ageText } from '../../time/age.ts';

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
const DAY_SECONDS = 86_400;

type Day = CheckDetail['days'][number];
function kindOf({ is_known: isKnown, down_seconds: down, unknown_seconds: unknown }: Day): keyof typeof HEIGHTS {
  if (!isKnown) return 'none';
  if (down > 0) return 'down';
  return unknown >= DAY_SECONDS / 2 ? 'unknown' : 'up';
}
const WORDS = { up: 'up', down: 'down', unknown: 'unknown', none: 'no check yet' } as const;
const dayWords = (day: Day): string => {
  const kind = kindOf(day);
  return `${day.date}: ${kind === 'down' ? `down for ${ageText(day.down_seconds)}` : WORDS[kind]}`;
};

/** A bar a day. The height says the same as the colour: a day with an outage is the highest. */
export function DayBars({ days }: { days: readonly Day[] }) {
  const bad = days.filter((day) => kindOf(day) === 'down').length;
  const said = `${String(bad)} of ${String(days.length)} days with an outage`;
  return (
    <Svg viewBox={`0 0 ${String(days.length * SLOT)} 56`} preserveAspectRatio="none" role="img" aria-label={said}>
      {days.map((day, index) => {
        const kind = kindOf(day);
        return (
          <rect
            key={day.date}
            data-day={kind}
            x={index * SLOT}
            y={54 - HEIGHTS[kind]}
            width={SLOT - 1.5}
            height={HEIGHTS[kind]}
          >
            <title>{dayWords(day)}</title>
          </rect>
        );
      })}
    </Svg>
  );
}
