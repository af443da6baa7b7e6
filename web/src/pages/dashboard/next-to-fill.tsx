import { styled } from '@mui/material/styles';
import type { ServersSummary } from '@plimsoll/contract/wire/servers';
import { useSyncExternalStore } from 'react';
import { Figure } from '../../components/figure.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { timeLeft } from '../../format/forecast-words.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { useView } from '../../state/view.ts';
import { onTick } from '../../time/clock.ts';
import { fullMoment } from '../../time/zone.ts';

const Tile = styled('div')(({ theme }) => ({
  gridColumn: '1 / -1',
  margin: '-1px 0 0 -1px',
  padding: '10px 16px',
  minHeight: 40,
  minWidth: 0,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  gap: '2px 12px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > .label': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
  '& > a': { minWidth: 0, overflowWrap: 'anywhere' },
  '& > .when': { fontWeight: 600 },
}));

interface NextToFillProps {
  next: ServersSummary['next_to_fill'];
  /** Stands still for a test. */
  now?: number;
}

/** The filesystem of the fleet that reaches its load line first. */
export function NextToFill({ next, now }: NextToFillProps) {
  const past = useView().at !== null;
  const left = useSyncExternalStore(onTick, () =>
    next === null ? null : timeLeft(next.reaches_at, now ?? Date.now()),
  );
  return (
    <Tile role="group" aria-label="Next disk to fill">
      <span className="label">Next disk to fill</span>
      {next === null ? (
        <Figure
          value={null}
          reason={past ? 'forecasts of the past are not stored' : 'no disk grows steadily towards its line'}
        />
      ) : (
        <>
          <Link to={paths.server(next.server_id)}>
            {escapeInvisible(next.hostname)} {escapeInvisible(next.mount)}
          </Link>
          <span className="when" title={`Reaches its line about ${fullMoment(Date.parse(next.reaches_at))}`}>
            <Figure value={left} />
          </span>
        </>
      )}
    </Tile>
  );
}
