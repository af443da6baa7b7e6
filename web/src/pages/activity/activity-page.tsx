import type { TimelineAnswer, TimelineEntry } from '@plimsoll/contract/wire/timeline';
import { timelineQuery } from '../../api/activity.ts';
import { changesQuery } from '../../api/change-ledger.ts';
import { timeseriesQuery } from '../../api/metrics.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { useServerNames } from '../../api/server-names.ts';
import { changeMarks } from '../../components/changes/change-marks.ts';
import type { MarkerCluster } from '../../components/chart/markers/cluster-markers.ts';
import { stretchOf } from '../../components/chart/markers/marker-target.ts';
import { timelineLine } from '../../components/chart/points/timeline-line.ts';
import { TimelineCard } from '../../components/chart/timeline-card.tsx';
import { ExportButton } from '../../components/export/export-button.tsx';
import { Failure, FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { RangeToggle } from '../../components/form/range-toggle.tsx';
import { SearchField } from '../../components/form/search-field.tsx';
import { ServerFilter } from '../../components/form/server-filter.tsx';
import { Toolbar, ToolbarEnd } from '../../components/form/toolbar.tsx';
import { Page } from '../../components/page.tsx';
import { TabBar } from '../../components/tab-bar.tsx';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';
import { useFilters } from '../../state/use-filters.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { rangeBounds, SERVER_RANGES } from '../../time/range.ts';
import { dayAndTime } from '../../time/zone.ts';
import { KindChips, readKinds, toggledKinds } from './kind-chips.tsx';
import { timelineMarks } from './timeline-marks.ts';
import { TimelineRow } from './timeline-row.tsx';
import { timelineTable } from './timeline-table.ts';

/** From here on a time alone does not say the day. */
const UNDATED_SECONDS = 26 * 3600;

interface ActivityToolbarProps {
  filters: ReturnType<typeof useFilters>;
  servers: ReturnType<typeof useServerNames>;
  shown: readonly TimelineEntry[];
}

function ActivityToolbar({ filters, servers, shown }: ActivityToolbarProps) {
  const { range, server, setRange, setServer, get, set } = filters;
  return (
    <Toolbar>
      <ServerFilter value={server} servers={servers} onChange={setServer} />
      <RangeToggle hours={SERVER_RANGES} range={range} onChange={setRange} />
      <SearchField label="Search text, host, object" value={get('q')} onChange={(text) => set('q', text)} />
      <ToolbarEnd>
        <ExportButton holds={['activity']} table={() => timelineTable(shown)} disabled={shown.length === 0} labelled />
      </ToolbarEnd>
    </Toolbar>
  );
}

/** Says from when on the list is complete, where the range holds more than one answer reads. */
function Incomplete({ answer }: { answer: TimelineAnswer | undefined }) {
  if (answer?.complete_since == null) return null;
  return (
    <Notice>
      The list begins at {dayAndTime(answer.complete_since * 1000)}: this range has more entries than one list reads.
      Choose a shorter range or a server.
    </Notice>
  );
}

const TABS = [
  { to: paths.activity, label: 'Activity', current: true },
  { to: paths.changes, label: 'Changes', current: false },
] as const;

export function Component() {
  const filters = useFilters();
  const { range, server, setRange, get, set } = filters;
  const navigate = useNavigate();
  const servers = useServerNames();
  const serverId = server === '' ? undefined : server;
  const kinds = readKinds(get('kinds'));
  const series = useQuery(timeseriesQuery(range, serverId));
  const asked = useQuery(
    timelineQuery(range, { kinds: kinds.join(','), q: get('q') || undefined, server_id: serverId }),
  );
  const place = serverId === undefined ? {} : { server_id: serverId };
  const changes = useQuery(changesQuery(range, { ...place, limit: ROWS.chartChanges }));
  useFreshness('updated', asked.dataUpdatedAt || null);

  const total = asked.data?.total;
  const shown = asked.data?.entries ?? [];
  const answer = series.data;
  const bounds = rangeBounds(range, 0);
  const goTo = (at: number) =>
    void navigate(serverId === undefined ? paths.processesAt(at) : paths.serverAt(serverId, at));
  /** One entry of a server leads to what ran there then; several into the stretch they lie in. */
  const open = (group: MarkerCluster) => {
    const entry = group.marks.length === 1 ? shown.find(({ id }) => id === group.marks[0]?.id) : undefined;
    if (entry === undefined) setRange({ kind: 'absolute', ...stretchOf(group) });
    else if (entry.alert_id !== null) void navigate(paths.alert(entry.alert_id));
    else if (entry.servers[0] !== undefined && entry.servers_total === 1)
      void navigate(paths.serverAt(entry.servers[0].server_id, entry.timestamp));
    else goTo(entry.timestamp);
  };
  return (
    <Page
      title="Activity"
      canonical={paths.activity}
      sentence={total === undefined ? 'Loading…' : `${plural(total, 'entry', 'entries')} in this range`}
    >
      <TabBar label="What happened" tabs={TABS} />
      <ActivityToolbar filters={filters} servers={servers} shown={shown} />
      <TimelineCard
        title="CPU, memory and disk"
        note={servers.find(({ id }) => id === server)?.name ?? 'average of all servers'}
        answer={answer}
        range={range}
        onRange={setRange}
        line={timelineLine(servers, server)}
        height={240}
        marks={[...timelineMarks(shown), ...changeMarks(changes.data?.changes ?? [])]}
        onMark={open}
        onMoment={goTo}
        pad
        loading={answer === undefined && series.error === null}
        failure={answer === undefined && series.error !== null ? <Failure asked={series} /> : undefined}
      />
      <KindChips
        shown={kinds}
        counts={asked.data?.kinds}
        onToggle={(kind) => set('kinds', toggledKinds(kinds, kind))}
      />
      <Incomplete answer={asked.data} />
      <FeedPanel
        title="What happened"
        note={total !== undefined && total > shown.length ? `${shown.length} of ${numberText(total)}` : total}
        asked={asked}
        rows={ROWS.serverActivity}
        empty={{
          sentence: 'No activity in this time range',
          reason: 'Alerts, crashes, updates, services and Kubernetes warnings appear here.',
        }}
      >
        {shown.map((entry) => (
          <TimelineRow key={entry.id} entry={entry} dated={bounds.to - bounds.from > UNDATED_SECONDS} />
        ))}
      </FeedPanel>
    </Page>
  );
}
