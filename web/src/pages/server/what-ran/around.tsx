import { styled } from '@mui/material/styles';
import { alertsAroundQuery } from '../../../api/alerts.ts';
import { eventsAroundQuery } from '../../../api/activity.ts';
import { useQuery } from '../../../api/query.ts';
import { LEVEL_NAME } from '../../../components/chips.tsx';
import { EventIcon } from '../../../components/event-row.tsx';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { LevelIcon } from '../../../components/status-icons.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { AROUND_SECONDS } from '../../../time/moment.ts';
import { distanceWords, happenings } from './moment-context.ts';
import type { Happening } from './moment-context.ts';
import { escapeMessage } from '../../../format/escape-invisible.ts';
import { clockTime, fullMoment } from '../../../time/zone.ts';
import { paths } from '../../../paths.ts';
import { Link } from '../../../router.ts';

const Frame = styled('section')(({ theme }) => ({
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  paddingBottom: 8,
  '& h3': { ...theme.typography.h2, fontSize: 13, margin: 0, padding: '12px 16px 4px' },
  '& ol': { listStyle: 'none', margin: 0, padding: 0 },
  '& p': { ...theme.typography.caption, margin: 0, padding: '0 16px 8px', color: theme.vars.palette.load.text3 },
}));
const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '40px 16px minmax(0, 1fr)',
  gap: '0 8px',
  padding: '5px 16px',
  '& > time': { color: theme.vars.palette.text.secondary, fontVariantNumeric: 'tabular-nums' },
  '& > svg': { fontSize: 16, marginTop: 2, color: theme.vars.palette.load.text3 },
  '& .message': { overflowWrap: 'anywhere' },
  '& .message a': { display: 'block' },
  '& .distance': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
}));

function What({ one }: { one: Happening }) {
  if (one.kind === 'event') return <>{escapeMessage(one.event.message)}</>;
  const { alert } = one;
  return (
    <Link to={`${paths.alerts}?server=${alert.server_id}&alert=${alert.alert_id}`}>
      <VisuallyHidden>{LEVEL_NAME[alert.level]}: </VisuallyHidden>
      {escapeMessage(alert.message)}
    </Link>
  );
}

function Line({ one, at }: { one: Happening; at: number }) {
  return (
    <Row>
      <time dateTime={new Date(one.at * 1000).toISOString()} title={fullMoment(one.at * 1000)}>
        {clockTime(one.at * 1000)}
      </time>
      {one.kind === 'alert' ? <LevelIcon level={one.alert.level} /> : <EventIcon type={one.event.event_type} />}
      <div>
        <div className="message">
          <What one={one} />
        </div>
        <div className="distance">
          {distanceWords(one.at, at)}
          {one.kind === 'event' && (
            <>
              {' '}
              · <code>{one.event.event_type}</code>
            </>
          )}
        </div>
      </div>
    </Row>
  );
}

/** Events and alerts around the moment in order of time, those that were firing then first. */
export function Around({ serverId, at }: { serverId: string; at: number }) {
  const events = useQuery(eventsAroundQuery(serverId, at, AROUND_SECONDS));
  const fired = useQuery(alertsAroundQuery(serverId, at, AROUND_SECONDS));
  const found = happenings(events.data?.events ?? [], fired.data?.alerts ?? [], at);
  const pending = events.isPending || fired.isPending;
  const failed = events.error !== null || fired.error !== null;
  return (
    <Frame aria-label="Events and alerts around this time">
      <h3>Within {AROUND_SECONDS / 60} minutes</h3>
      <Failure asked={events} />
      <Failure asked={fired} />
      {pending && <RowsSkeleton rows={2} height={46} />}
      {!pending && !failed && found.length === 0 && <p>No events or alerts within {AROUND_SECONDS / 60} minutes.</p>}
      {!pending && (
        <ol>
          {found.map((one) => (
            <Line key={one.id} one={one} at={at} />
          ))}
        </ol>
      )}
    </Frame>
  );
}
