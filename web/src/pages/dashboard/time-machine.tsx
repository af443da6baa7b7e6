import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import { activityQuery, activityRangeQuery } from '../../api/activity.ts';
import { listAlertsQuery, sidebarAlertsQuery } from '../../api/alerts.ts';
import { POLL } from '../../api/polling.ts';
import { aroundMoment, useMomentPending, useQuery, type Ask } from '../../api/query.ts';
import { alertMarkers } from '../../components/chart/markers/alert-markers.ts';
import { eventMarkers } from '../../components/chart/markers/event-markers.ts';
import { TimeScrubber } from '../../components/fleet/time-scrubber.tsx';
import { Toggle } from '../../components/form/toggle.tsx';
import { HistoryOutlined as HistoryIcon } from '../../components/icons/material.tsx';
import { WhatRanButton } from '../../components/processes/what-ran-button.tsx';
import { paths } from '../../paths.ts';
import { Link, useNavigate } from '../../router.ts';
import { useAt } from '../../state/use-at.ts';
import { rangeLabel, type TimeRange } from '../../time/range.ts';
import { useMinute } from '../../state/use-minute.ts';
import { TRACK_HOURS, trackHours } from '../../time/scrub.ts';
import { sinceMoment } from '../../time/since-moment.ts';

const Frame = styled('div')(({ theme }) => ({
  marginTop: 12,
  paddingTop: 8,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > header': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '4px 12px',
    marginBottom: 2,
    ...theme.typography.caption,
    color: theme.vars.palette.load.text3,
  },
  '@media print': { display: 'none' },
}));
/** Crashes, updates and config changes come first; the rest fills up. */
const EVENTS = { process_runs: 'folded', order: 'leading' } as const;

/** Moves the moment when the figures of the one before have arrived: a drag never outruns the API. */
function usePacedMoment(): [number | null, (at: number | null) => void] {
  const [at, setAt] = useAt();
  const [wanted, setWanted] = useState<{ at: number | null } | null>(null);
  const pending = useMomentPending();
  useEffect(() => {
    if (wanted === null || pending) return undefined;
    const timer = setTimeout(() => {
      setAt(wanted.at);
      setWanted(null);
    });
    return () => clearTimeout(timer);
  }, [wanted, pending, setAt]);
  return [wanted === null ? at : wanted.at, (next) => setWanted({ at: next })];
}

/** Loads a list that no change event makes stale: what is new on the track comes from the lists that the page polls. */
const ofTrack = <T,>(ask: Ask<T>): Ask<T> => ({
  ...aroundMoment(ask),
  queryKey: ['track', ...ask.queryKey],
  refetchInterval: POLL.scrubberMarks,
});

/** Returns each entry once, by its id, as the later list has it. */
const joined = <T,>(idOf: (one: T) => string, ...lists: readonly (readonly T[] | undefined)[]): T[] => [
  ...new Map(lists.flatMap((list) => (list ?? []).map((one): [string, T] => [idOf(one), one]))).values(),
];

/** Returns true while the first answer is on its way. */
const isAwaited = ({ data, error }: { data: unknown; error: unknown }) => data === undefined && error === null;
/** Returns true if a list is all there is, and not the first part of it. */
const isWhole = (total: number | undefined, list: readonly unknown[] | undefined) =>
  total !== undefined && list !== undefined && total <= list.length;

/**
 * Marks of the track: those of its range when it was loaded, and those that the lists of the page have since. While those
 * lists are whole, the range has nothing that they lack, and it is not requested.
 */
function useMarks(range: TimeRange, from: number, now: number) {
  const allAlerts = useQuery(aroundMoment(sidebarAlertsQuery()));
  const newestAlerts = allAlerts.data?.alerts;
  const alerts = useQuery({
    ...ofTrack(listAlertsQuery(range)),
    enabled: !isAwaited(allAlerts) && !isWhole(allAlerts.data?.total, newestAlerts),
  });
  const allEvents = useQuery(aroundMoment(activityQuery(EVENTS)));
  const newestEvents = allEvents.data?.events;
  const events = useQuery({
    ...ofTrack(activityRangeQuery(range, EVENTS)),
    enabled: !isAwaited(allEvents) && !isWhole(allEvents.data?.total, newestEvents),
  });
  const marks = [
    ...alertMarkers(
      joined(({ alert_id: id }) => id, alerts.data?.alerts, newestAlerts),
      now * 1000,
    ),
    ...eventMarkers(
      joined(({ id }) => id, events.data?.events, newestEvents),
      0,
      from,
    ),
  ].filter((mark) => (mark.to ?? mark.from) >= from);
  return { marks, isLacking: alerts.error !== null || events.error !== null };
}

/** The way from the strip to the processes of a moment: the one it shows, or one that is typed. */
function WhatRanThen({ at }: { at: number | null }) {
  const navigate = useNavigate();
  if (at === null) return <WhatRanButton at={null} onChoose={(chosen) => void navigate(paths.processesAt(chosen))} />;
  return (
    <Button component={Link} to={paths.processesAt(at)} variant="outlined" startIcon={<HistoryIcon />}>
      What ran at {sinceMoment(at * 1000)}?
    </Button>
  );
}

/** The time machine: a track of the past below the fleet strip. A moment chosen there stays on every page. */
export function TimeMachine() {
  const [at, setAt] = usePacedMoment();
  // Whole minutes: the track must not crawl below the pointer.
  const now = useMinute();
  const [chosen, setChosen] = useState<number>(TRACK_HOURS[0]);
  const hours = trackHours(chosen, at, now);
  const range: TimeRange = { kind: 'relative', hours };
  const { marks, isLacking } = useMarks(range, now - hours * HOUR_SECONDS, now);
  return (
    <Frame>
      <header>
        <span>Look back: drag, or use the arrow keys{isLacking && '. Alerts and events could not be loaded'}</span>
        <WhatRanThen at={at} />
        <Toggle
          label="Time range"
          value={String(hours)}
          options={TRACK_HOURS.map((each) => ({ value: String(each), label: rangeLabel(each) }))}
          onChange={(next) => setChosen(Number(next))}
        />
      </header>
      <TimeScrubber from={now - hours * HOUR_SECONDS} now={now} at={at} marks={marks} onChange={setAt} />
    </Frame>
  );
}
