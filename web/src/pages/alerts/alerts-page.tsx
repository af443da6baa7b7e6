import type { Alert } from '@plimsoll/contract/wire/alerts';
import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import { useEffect, useState } from 'react';
import { markRead, readAlertIds } from '../../state/read-alerts.ts';
import { alertDetailQuery } from '../../api/alert-acting.ts';
import { activeAlertsQuery, listAlertsQuery, sidebarAlertsQuery } from '../../api/alerts.ts';
import { timeseriesQuery } from '../../api/metrics.ts';
import { useQuery, useQueryClient } from '../../api/query.ts';
import { useMayEdit } from '../../api/user.ts';
import { useServerNames } from '../../api/server-names.ts';
import { ExportButton } from '../../components/export/export-button.tsx';
import { awaitedWords, Failure } from '../../components/feedback/feed-panel.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { UndoToast } from '../../components/feedback/undo-toast.tsx';
import { Page } from '../../components/page.tsx';
import { RangeToggle } from '../../components/form/range-toggle.tsx';
import { ServerFilter } from '../../components/form/server-filter.tsx';
import { timelineLine } from '../../components/chart/points/timeline-line.ts';
import { TimelineCard } from '../../components/chart/timeline-card.tsx';
import { Toggle, Toolbar, ToolbarEnd, ToolbarNote } from '../../components/form/toolbar.tsx';
import { useFilters } from '../../state/use-filters.ts';
import { useView } from '../../state/view.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { alertsTable } from './alerts-table.ts';
import { alertsSentence, mergeAlerts, sortAlerts } from './alert-list.ts';
import { alertMarkers } from '../../components/chart/markers/alert-markers.ts';
import { bucketCount } from './chart-buckets.ts';
import { SERVER_RANGES } from '../../time/range.ts';
import { zoneName } from '../../time/zone.ts';
import { useActing } from './acting/use-acting.ts';
import { AlertsNav } from './alerts-nav.tsx';
import { AlertsPanel } from './alerts-panel.tsx';

const bucketText = (seconds: number) =>
  seconds < 3600 ? `${seconds / 60} min buckets` : `${seconds / 3600} h buckets`;

/** Opening the page reads everything the badge counts, and what arrives while it is open. */
function useMarkRead(shown: readonly Alert[]): void {
  const counted = useQuery(sidebarAlertsQuery()).data?.alerts;
  useEffect(() => {
    const before = readAlertIds.get();
    const after = markRead([...(counted ?? []), ...shown], before);
    if (after !== before) readAlertIds.set(after);
  }, [counted, shown]);
}

/** A link may lead to an alert outside the range, or to one below another: it stands on top of the list. */
function useLinked(id: string, listed: readonly Alert[], isListed: boolean) {
  const isMissing = id !== '' && isListed && !listed.some((alert) => alert.alert_id === id);
  const asked = useQuery({ ...alertDetailQuery(id), enabled: isMissing });
  return { alert: isMissing ? (asked.data?.alert ?? null) : null, isGone: isMissing && asked.error?.status === 404 };
}

/** Alerts of the range and those that are active; `shown`: those the page lists, with the one that a link names on top. */
function useAlertLists({ range, server, get }: ReturnType<typeof useFilters>) {
  const listed = useQuery(listAlertsQuery(range, server === '' ? undefined : server));
  const active = useQuery(activeAlertsQuery());
  const alerts = sortAlerts(mergeAlerts(listed.data?.alerts ?? [], active.data?.alerts ?? [], server));
  const only = get('show') === 'active';
  const open = alerts.filter((alert) => alert.status !== 'resolved');
  const listedNow = only ? open : alerts;
  const linked = useLinked(get('alert'), listedNow, listed.data !== undefined && active.data !== undefined);
  const shown = linked.alert === null ? listedNow : [linked.alert, ...listedNow];
  useMarkRead(alerts);
  useFreshness('updated', listed.dataUpdatedAt || null);
  return { listed, alerts, open, only, shown, isLinkGone: linked.isGone };
}

/** Alerts that an action is for. One that was resolved or filtered away meanwhile is no longer ticked. */
function useTicked(shown: readonly Alert[]) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const tick = (id: string, on: boolean) =>
    setChosen((before) => [...before.filter((one) => one !== id), ...(on ? [id] : [])]);
  const ticked = chosen.filter((id) => shown.some((alert) => alert.alert_id === id && alert.status !== 'resolved'));
  return { ticked, tick, tickAll: setChosen };
}

/** Opens the row of an alert: the address names it, so that it can be sent on. */
function useOpening({ set }: ReturnType<typeof useFilters>, open: readonly Alert[]) {
  const queries = useQueryClient();
  return {
    /** The request starts with the click, and the row is drawn meanwhile. */
    openRow: (id: string) => {
      if (id !== '') void queries.prefetchQuery(alertDetailQuery(id));
      set('alert', id);
    },
    /** A mark may stand for a resolved alert, which the list of active ones hides. */
    openMark: (id: string) => {
      if (!open.some((alert) => alert.alert_id === id)) set('show', '');
      set('alert', id);
    },
  };
}

interface AlertsToolbarProps {
  filters: ReturnType<typeof useFilters>;
  lists: ReturnType<typeof useAlertLists>;
  servers: ReturnType<typeof useServerNames>;
  answer: TimeseriesAnswer | undefined;
}

function AlertsToolbar({ filters, lists, servers, answer }: AlertsToolbarProps) {
  const { range, server, setRange, setServer, set } = filters;
  const { alerts, open, only, shown } = lists;
  return (
    <Toolbar>
      <ServerFilter value={server} servers={servers} onChange={setServer} />
      <RangeToggle hours={SERVER_RANGES} range={range} onChange={setRange} />
      <ToolbarNote>
        {answer !== undefined && `${bucketText(answer.bucket_seconds)}, ${zoneName(answer.to * 1000)}`}
      </ToolbarNote>
      <ToolbarEnd>
        <ExportButton
          holds={['alerts', servers.find(({ id }) => id === server)?.name ?? '']}
          table={() => alertsTable(shown)}
          disabled={shown.length === 0}
          labelled
        />
        <Toggle
          label="Which alerts"
          value={only ? 'active' : 'all'}
          options={[
            { value: 'active', label: `Active ${open.length}` },
            { value: 'all', label: `All ${alerts.length}` },
          ]}
          onChange={(value) => set('show', value === 'active' ? 'active' : '')}
        />
      </ToolbarEnd>
    </Toolbar>
  );
}

export function Component() {
  const filters = useFilters();
  const { range, server, setRange, get } = filters;
  const servers = useServerNames();
  const series = useQuery(timeseriesQuery(range, server === '' ? undefined : server, bucketCount(range)));
  const lists = useAlertLists(filters);
  const { listed, alerts, open, shown, isLinkGone } = lists;
  const { ticked, tick, tickAll } = useTicked(shown);
  const { openRow, openMark } = useOpening(filters, open);
  const mayEdit = useMayEdit();
  /** Nobody can act on what was. */
  const past = useView().at !== null;
  const acting = useActing(() => tickAll([]));
  const answer = series.data;
  return (
    <Page
      title="Alerts"
      sentence={listed.data === undefined ? awaitedWords(listed, 'alerts') : alertsSentence(alerts)}
      actions={<AlertsNav current="alerts" />}
    >
      <AlertsToolbar filters={filters} lists={lists} servers={servers} answer={answer} />
      <TimelineCard
        title="Metrics timeline"
        note={servers.find(({ id }) => id === server)?.name ?? 'average of all servers'}
        answer={answer}
        range={range}
        onRange={setRange}
        line={timelineLine(servers, server)}
        height={260}
        marks={alertMarkers(alerts, listed.dataUpdatedAt)}
        onMark={({ marks }) => openMark(marks[0]?.id ?? '')}
        loading={answer === undefined && series.error === null}
        failure={answer === undefined && series.error !== null ? <Failure asked={series} /> : undefined}
      />
      {isLinkGone && (
        <Notice tone="warning">
          The alert of this link was not found. Its history may be over, or it is not yours.
        </Notice>
      )}
      <AlertsPanel
        alerts={shown}
        asked={listed}
        opened={get('alert')}
        onOpen={openRow}
        acting={mayEdit && !past ? acting : null}
        ticked={ticked}
        onTick={tick}
        onTickAll={tickAll}
      />
      {acting.error !== null && <Notice tone="error">{acting.error}</Notice>}
      <UndoToast
        text={acting.done?.text ?? null}
        onUndo={acting.done?.operationId == null ? null : acting.undo}
        onClose={acting.dismiss}
      />
    </Page>
  );
}
