import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import { styled } from '@mui/material/styles';
import { headroomBand } from '@plimsoll/contract/rules/headroom';
import type { FleetEntry, ServersAnswer, ServersSummary } from '@plimsoll/contract/wire/servers';
import { worstChecksQuery } from '../../api/checks.ts';
import { CheckSquares } from '../../components/checks/check-squares.tsx';
import { changesQuery } from '../../api/change-ledger.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { FLEET_RANGE, FleetChanges } from '../../components/changes/fleet-changes.tsx';
import { TARGET_PX, TOUCH } from '../../components/screen.ts';
import { BandIcon } from '../../components/status-icons.tsx';
import { BandSigns, LoadLineHelp } from '../../components/fleet/load-line-help.tsx';
import { FleetStrip } from '../../components/fleet/fleet-strip.tsx';
import { MiddleTruncate } from '../../components/middle-truncate.tsx';
import { distanceText, RESOURCE_NAME } from '@plimsoll/contract/rules/load-words';
import { isLargeFleet, nearestServers } from '../../components/fleet/fleet-bars.ts';
import { HeatGrid } from '../../components/fleet/heat/heat-grid.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { TimeMachine } from './time-machine.tsx';
import { paths } from '../../paths.ts';
import { useAt } from '../../state/use-at.ts';
import { Link } from '../../router.ts';

/** Names beside the strip, and beside the higher grid of a large fleet. */
const NEAREST = { strip: 6, grid: 16 } as const;

const Frame = styled(Paper)(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '288px minmax(0, 1fr)',
  overflow: 'hidden',
  minHeight: 220,
  '& > div': { padding: 16, minWidth: 0 },
  '& > div + div': { borderLeft: `1px solid ${theme.vars.palette.divider}` },
  [theme.breakpoints.down('md')]: {
    gridTemplateColumns: 'minmax(0, 1fr)',
    '& > .strip': { order: -1, borderLeft: 0, borderBottom: `1px solid ${theme.vars.palette.divider}` },
    '& > div': { padding: 12 },
  },
})) as typeof Paper;
const Counts = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: '2px 0 10px',
  color: theme.vars.palette.text.secondary,
  '& b[data-band="over"]': { color: theme.vars.palette.load.overText },
  '& b[data-band="near"]': { color: theme.vars.palette.load.nearText },
}));
const Title = styled('h2')(({ theme }) => ({ ...theme.typography.h2, margin: 0 }));
const List = styled('ol')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  display: 'grid',
  gap: 5,
  '& > li': {
    display: 'grid',
    gridTemplateColumns: '10px minmax(0, 1fr) auto minmax(62px, auto)',
    alignItems: 'center',
    gap: 8,
    ...theme.typography.caption,
    lineHeight: '20px',
  },
  [TOUCH]: { gap: 0, '& > li': { minHeight: TARGET_PX }, '& a': { lineHeight: `${TARGET_PX}px` } },
  '& a': { color: theme.vars.palette.text.primary, fontWeight: 600, minWidth: 0, overflow: 'hidden' },
  '& .resource': { color: theme.vars.palette.text.secondary },
  '& .distance': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  '& [data-band="over"] .distance': { color: theme.vars.palette.load.overText },
  '& [data-band="near"] .distance': { color: theme.vars.palette.load.nearText },
}));
const Caption = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  justifyContent: 'space-between',
  flexWrap: 'wrap',
  gap: '0 16px',
  marginBottom: 10,
  color: theme.vars.palette.load.text3,
  [theme.breakpoints.down('sm')]: { '& .wide': { display: 'none' } },
}));

function NearestList({ fleet }: { fleet: readonly FleetEntry[] }) {
  return (
    <List>
      {nearestServers(fleet, NEAREST[isLargeFleet(fleet) ? 'grid' : 'strip']).map(
        ({ server_id, hostname, headroom }) => {
          if (headroom === null) return null;
          const band = headroomBand(headroom);
          return (
            <li key={server_id} data-band={band}>
              <span>
                <BandIcon band={band} />
              </span>
              <Link to={paths.server(server_id)}>
                <MiddleTruncate text={escapeInvisible(hostname)} />
              </Link>
              <span className="resource">{RESOURCE_NAME[headroom.resource]}</span>
              <span className="distance">{distanceText(headroom.points)}</span>
            </li>
          );
        },
      )}
    </List>
  );
}

function FleetCounts({ summary }: { summary: ServersSummary }) {
  const { over_line: over, near_line: near, clear } = summary;
  return (
    <Counts>
      <b data-band={over > 0 ? 'over' : undefined}>{over}</b> over,{' '}
      <b data-band={near > 0 ? 'near' : undefined}>{near}</b> within 20 points, {clear} clear
    </Counts>
  );
}

/** The load line of the whole fleet: who is over, who is near, in one glance. */
export function FleetPanel({ answer }: { answer: ServersAnswer | undefined }) {
  const [at] = useAt();
  const checks = useQuery({ ...worstChecksQuery(), enabled: at === null }).data;
  const changes = useQuery(changesQuery(FLEET_RANGE, { limit: ROWS.chartChanges }));
  return (
    <Frame component="section" aria-label="Load line">
      <div>
        <LoadLineHelp>
          <Title>Load line</Title>
        </LoadLineHelp>
        {answer === undefined ? (
          <Skeleton width="80%" height={120} />
        ) : (
          <>
            <FleetCounts summary={answer.summary} />
            <NearestList fleet={answer.fleet} />
          </>
        )}
      </div>
      <div className="strip">
        <Caption>
          <span>
            Nearest resource of each server<span className="wide">, most loaded first</span>
          </span>
          <BandSigns />
        </Caption>
        {answer === undefined ? (
          <Skeleton width="100%" height={140} />
        ) : isLargeFleet(answer.fleet) ? (
          <HeatGrid fleet={answer.fleet} to={paths.server} folds />
        ) : (
          <FleetStrip fleet={answer.fleet} to={paths.server} />
        )}
        {at === null && checks !== undefined && <CheckSquares checks={checks.checks} total={checks.total} />}
        <FleetChanges asked={changes} />
        <TimeMachine />
      </div>
    </Frame>
  );
}
