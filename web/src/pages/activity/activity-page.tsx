import { styled } from '@mui/material/styles';
import { EVENT_SEVERITIES, EVENT_TYPES, LEADING_EVENT_TYPES } from '@plimsoll/contract/rules/limits';
import type { EventType } from '@plimsoll/contract/rules/limits';
import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import { activityRangeQuery } from '../../api/activity.ts';
import { timeseriesQuery } from '../../api/metrics.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { useServerNames } from '../../api/server-names.ts';
import { EventRow } from '../../components/event-row.tsx';
import { Failure, FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { Page } from '../../components/page.tsx';
import { RangeToggle } from '../../components/form/range-toggle.tsx';
import { ServerFilter } from '../../components/form/server-filter.tsx';
import { timelineLine } from '../../components/chart/points/timeline-line.ts';
import { TimelineCard } from '../../components/chart/timeline-card.tsx';
import { FoldedRuns } from '../../components/folded-runs.tsx';
import { ExportButton } from '../../components/export/export-button.tsx';
import { Filter, Toolbar, ToolbarEnd } from '../../components/form/toolbar.tsx';
import { useFilters } from '../../state/use-filters.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { eventMarkers } from '../../components/chart/markers/event-markers.ts';
import { markerTarget, stretchOf } from '../../components/chart/markers/marker-target.ts';
import { eventsTable } from './events-table.ts';
import { numberText, plural } from '../../format/figures.ts';
import type { MarkerCluster } from '../../components/chart/markers/cluster-markers.ts';
import { SERVER_RANGES } from '../../time/range.ts';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';

const Heading = styled('li')(({ theme }) => ({
  ...theme.typography.caption,
  padding: '8px 16px 4px',
  fontWeight: 600,
  color: theme.vars.palette.text.secondary,
}));
const LEADING: ReadonlySet<EventType> = new Set(LEADING_EVENT_TYPES);
const isLeading = ({ event_type: type }: ActivityEvent): boolean => LEADING.has(type);

const ALL = { value: '', label: 'All' };
const TYPES = [ALL, ...EVENT_TYPES.map((type) => ({ value: type, label: type }))];
const PROCESS_RUNS = [
  { value: '', label: 'Folded' },
  { value: 'shown', label: 'Shown' },
];
const SEVERITIES = [
  ALL,
  ...EVENT_SEVERITIES.map((severity) => ({ value: severity, label: severity[0]?.toUpperCase() + severity.slice(1) })),
];

/** Crashes, updates and config changes lead; `hidden` runs of processes are folded into one row. */
function eventRows(shown: readonly ActivityEvent[], hidden: number, onShow: () => void) {
  const leading = shown.filter(isLeading);
  const rest = shown.filter((event) => !isLeading(event));
  return [
    ...(leading.length > 0 ? [<Heading key="leading">Crashes, updates and config changes</Heading>] : []),
    ...leading.map((event) => <EventRow key={event.id} event={event} />),
    ...(leading.length > 0 && rest.length > 0 ? [<Heading key="rest">Other events</Heading>] : []),
    ...(hidden > 0 ? [<FoldedRuns key="folded" count={hidden} onShow={onShow} />] : []),
    ...rest.map((event) => <EventRow key={event.id} event={event} />),
  ];
}

interface ActivityToolbarProps {
  filters: ReturnType<typeof useFilters>;
  servers: ReturnType<typeof useServerNames>;
  shown: readonly ActivityEvent[];
}

function ActivityToolbar({ filters, servers, shown }: ActivityToolbarProps) {
  const { range, server, setRange, setServer, get, set } = filters;
  return (
    <Toolbar>
      <ServerFilter value={server} servers={servers} onChange={setServer} />
      <RangeToggle hours={SERVER_RANGES} range={range} onChange={setRange} />
      <Filter label="Type" value={get('type')} options={TYPES} onChange={(value) => set('type', value)} />
      <Filter
        label="Severity"
        value={get('severity')}
        options={SEVERITIES}
        onChange={(value) => set('severity', value)}
      />
      <Filter
        label="Processes"
        value={get('processes')}
        options={PROCESS_RUNS}
        onChange={(value) => set('processes', value)}
      />
      <ToolbarEnd>
        <ExportButton holds={['activity']} table={() => eventsTable(shown)} disabled={shown.length === 0} labelled />
      </ToolbarEnd>
    </Toolbar>
  );
}

export function Component() {
  const filters = useFilters();
  const { range, server, setRange, get, set } = filters;
  const navigate = useNavigate();
  const servers = useServerNames();
  const serverId = server === '' ? undefined : server;
  const series = useQuery(timeseriesQuery(range, serverId));
  // A type that somebody chose is shown, whatever it is.
  const folded = get('processes') !== 'shown' && get('type') === '';
  const filter = {
    ...(folded ? { process_runs: 'folded' as const } : {}),
    event_type: get('type'),
    severity: get('severity'),
    order: 'leading' as const,
    ...(serverId ? { server_id: serverId } : {}),
  };
  const asked = useQuery(activityRangeQuery(range, filter));
  useFreshness('updated', asked.dataUpdatedAt || null);

  const total = asked.data?.total;
  const shown = asked.data?.events ?? [];
  const rest = shown.filter((event) => !isLeading(event));
  const answer = series.data;
  /** One event leads to what ran then on its server; several into the stretch they lie in. */
  const open = (group: MarkerCluster) => {
    const event = shown.find(({ id }) => id === group.marks[0]?.id);
    if (group.marks.length === 1 && event !== undefined && markerTarget(group).kind === 'moment')
      void navigate(paths.serverAt(event.server_id, event.timestamp));
    else setRange({ kind: 'absolute', ...stretchOf(group) });
  };
  return (
    <Page
      title="Activity"
      canonical={paths.activity}
      sentence={total === undefined ? 'Loading events…' : `${plural(total, 'event')} in this range`}
    >
      <ActivityToolbar filters={filters} servers={servers} shown={shown} />
      <TimelineCard
        title="CPU, memory and disk"
        note={servers.find(({ id }) => id === server)?.name ?? 'average of all servers'}
        answer={answer}
        range={range}
        onRange={setRange}
        line={timelineLine(servers, server)}
        height={240}
        marks={eventMarkers(shown, total ?? 0, answer?.from ?? 0, rest)}
        onMark={open}
        pad
        loading={answer === undefined && series.error === null}
        failure={answer === undefined && series.error !== null ? <Failure asked={series} /> : undefined}
      />
      <FeedPanel
        title="Events"
        note={total !== undefined && total > shown.length ? `${shown.length} of ${numberText(total)}` : total}
        asked={asked}
        rows={ROWS.serverActivity}
        empty={{
          sentence: 'No activity in this time range',
          reason: 'Starts, stops, crashes and updates appear here.',
        }}
      >
        {eventRows(shown, asked.data?.folded ?? 0, () => set('processes', 'shown'))}
      </FeedPanel>
    </Page>
  );
}
