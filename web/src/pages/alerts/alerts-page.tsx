import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { markRead, readAlertIds } from '../../state/read-alerts.ts';
import { alertDetailQuery } from '../../api/alert-acting.ts';
import { listAlertsQuery, sidebarAlertsQuery, useOpenAlerts } from '../../api/alerts.ts';
import { ROWS } from '../../api/polling.ts';
import { timeseriesQuery } from '../../api/metrics.ts';
import { inView, useQuery, useQueryClient } from '../../api/query.ts';
import { profileQuery, useMayEdit } from '../../api/user.ts';
import { useServerNames } from '../../api/server-names.ts';
import { awaitedWords } from '../../components/feedback/feed-panel.tsx';
import { ChartSkeleton } from '../../components/chart/chart-skeleton.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PHONE } from '../../components/screen.ts';
import { SkipLink } from '../../components/skip-link.tsx';
import { isAcknowledged, rowsSentence } from '../../format/incident-words.ts';
import { incidentRows, isGroupId, isOpen, isSilenced, openIds, type AlertsRow } from '../../format/incident-rows.ts';
import { tagValue } from '../../format/tag-value.ts';
import { timelineLine } from '../../components/chart/points/timeline-line.ts';
import { useFilters } from '../../state/use-filters.ts';
import { loadScript } from '../../state/load-script.ts';
import { useView, WHOLE_VIEW } from '../../state/view.ts';
import { whenIdle } from '../../state/when-idle.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { type AlertFilters, alertRows, mergeAlerts, type TagsOfServers } from './alert-list.ts';
import { alertMarkers } from '../../components/chart/markers/alert-markers.ts';
import { bucketCount } from './chart-buckets.ts';
import { loadSilenceDialog, SilenceEndDialog } from '../../components/silences/load-silence-dialog.tsx';
import { type Acting, useActing } from './acting/use-acting.ts';
import { AlertsNav } from './alerts-nav.tsx';
import { AlertsPanel } from './alerts-panel.tsx';
import { AlertsStrip } from './alerts-strip.tsx';
import { AlertsToolbar, type WhichAlerts } from './alerts-toolbar.tsx';
import { aboutRow } from './list/about-row.ts';
import { timelinePx, type TimelineChartProps } from './timeline-props.ts';
import { focusFirstAlert, useAlertKeys } from './use-alert-keys.ts';

const loadChart = () => loadScript(() => import('./timeline-chart.tsx'));
const TimelineChart = lazy(loadChart);
const loadToast = () => loadScript(() => import('../../components/feedback/undo-toast.tsx'));
const UndoToast = lazy(async () => ({ default: (await loadToast()).UndoToast }));

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
  const isMissing = id !== '' && !isGroupId(id) && isListed && !listed.some((alert) => alert.alert_id === id);
  const asked = useQuery({ ...alertDetailQuery(id), enabled: isMissing });
  return { alert: isMissing ? (asked.data?.alert ?? null) : null, isGone: isMissing && asked.error?.status === 404 };
}

/** The filters of the list, as the address has them. */
const wantedOf = (get: (name: string) => string): AlertFilters => ({
  search: get('q'),
  level: get('level'),
  rule: get('rule'),
  tag: get('tag'),
  cluster: get('cluster'),
});

/** Alerts of the range and those that are active, as rows; the one that a link names on top. */
function useAlertLists({ range, server, get }: ReturnType<typeof useFilters>, tags: TagsOfServers) {
  const ofServer = server === '' ? undefined : server;
  const listed = useQuery(listAlertsQuery(range, ofServer));
  const isCut = (listed.data?.total ?? 0) > (listed.data?.alerts.length ?? 0);
  const longer = useQuery({ ...listAlertsQuery(range, ofServer, ROWS.openAlerts), enabled: isCut });
  const answer = isCut ? (longer.data ?? listed.data) : listed.data;
  // Even the longest list may lack alerts that have been open for long.
  const open = useOpenAlerts(answer === listed.data ? undefined : answer, server);
  const alerts = mergeAlerts(answer?.alerts ?? [], open, server);
  const linked = useLinked(get('alert'), alerts, listed.data !== undefined);
  const wanted = wantedOf(get);
  const rows = alertRows(alerts, wanted, tags);
  const shown = linked.alert === null ? rows : { ...rows, active: [...incidentRows([linked.alert]), ...rows.active] };
  useMarkRead(alerts);
  useFreshness('updated', listed.dataUpdatedAt || null);
  return { listed, alerts, wanted, rows, shown, isLinkGone: linked.isGone };
}

/** Rows that an action is for. One that was resolved or filtered away meanwhile is no longer ticked. */
function useTicked(rows: readonly AlertsRow[]) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const tick = (id: string, on: boolean) =>
    setChosen((before) => [...before.filter((one) => one !== id), ...(on ? [id] : [])]);
  const ticked = chosen.filter((id) => rows.some((row) => row.id === id && isOpen(row.lead)));
  return { ticked, tick, tickAll: setChosen };
}

/** Opens the row of an alert: the address names it, so that it can be sent on. */
function useOpening({ set }: ReturnType<typeof useFilters>) {
  const queries = useQueryClient();
  return {
    /** The request starts with the click, and the row is drawn meanwhile. */
    openRow: (id: string) => {
      if (id !== '' && !isGroupId(id)) void queries.prefetchQuery(inView(alertDetailQuery(id), WHOLE_VIEW));
      set('alert', id);
    },
    openMark: (id: string) => set('alert', id),
  };
}

/** The keys that act on the row with the focus. Returns the row whose silence has a dialog, and what closes it. */
function useKeys(
  rows: readonly AlertsRow[],
  acting: Acting | null,
  { ticked, tick }: Pick<ReturnType<typeof useTicked>, 'ticked' | 'tick'>,
) {
  const [silenced, setSilenced] = useState<AlertsRow | null>(null);
  const find = (id: string) => rows.find((row) => row.id === id && isOpen(row.lead));
  useAlertKeys(
    acting === null
      ? null
      : {
          onAcknowledge: (id) => {
            const row = find(id);
            if (row !== undefined && !isAcknowledged(row) && !acting.busy)
              acting.act({ action: 'acknowledge', alert_ids: openIds(row) });
          },
          onSilence: (id) => {
            const row = find(id);
            if (row !== undefined && !isSilenced(row)) setSilenced(row);
          },
          onTick: (id) => find(id) !== undefined && tick(id, !ticked.includes(id)),
        },
  );
  return { silenced, close: () => setSilenced(null) };
}

/** The strip above the list, with the whole chart behind its button. */
function Timeline(props: TimelineChartProps) {
  useEffect(() => whenIdle(() => void loadChart().catch(() => undefined)), []);
  const { filters, servers, lists } = props;
  const { range, server } = filters;
  const { data } = useQuery(timeseriesQuery(range, server === '' ? undefined : server, bucketCount(range)));
  return (
    <AlertsStrip
      answer={data}
      range={range}
      line={timelineLine(servers, server)}
      marks={alertMarkers(lists.alerts, lists.listed.dataUpdatedAt)}
      subject={server === '' ? null : (servers.find(({ id }) => id === server)?.name ?? 'the server')}
      servers={servers.length}
    >
      <Suspense fallback={<ChartSkeleton height={timelinePx(props.phone)} />}>
        <TimelineChart {...props} />
      </Suspense>
    </AlertsStrip>
  );
}

const whichOf = (show: string): WhichAlerts => (show === 'all' || show === 'mine' ? show : 'active');
/** Returns true if the person acknowledged the alert. */
const isOf = ({ acknowledged_by_id: by }: Alert, personId: string | null): boolean => by !== null && by === personId;

/** Tags of each server, as the filter names them. */
const tagsOf = (servers: ReturnType<typeof useServerNames>): TagsOfServers =>
  new Map(servers.map(({ id, tags }) => [id, Object.entries(tags).map(tagValue)]));

export function Component() {
  const filters = useFilters();
  const { get } = filters;
  const servers = useServerNames();
  const tags = tagsOf(servers);
  const lists = useAlertLists(filters, tags);
  const { listed, alerts, wanted, rows, shown, isLinkGone } = lists;
  const { ticked, tick, tickAll } = useTicked(shown.active);
  const { openRow, openMark } = useOpening(filters);
  const mayEdit = useMayEdit();
  /** Nobody can act on what was. */
  const past = useView().at !== null;
  const acting = useActing(() => tickAll([]));
  const acts = mayEdit && !past ? acting : null;
  useEffect(
    () =>
      whenIdle(() => {
        loadSilenceDialog();
        void loadToast().catch(() => undefined);
      }),
    [],
  );
  const { silenced, close } = useKeys([...shown.active, ...shown.silenced], acts, { ticked, tick });
  const phone = useMediaQuery(PHONE);
  const which = whichOf(get('show'));
  const me = useQuery(profileQuery()).data?.user.id ?? null;
  const mine = rows.active.filter(({ alerts: parts }) => parts.some((one) => isOf(one, me)));
  const isFiltered = Object.values(wanted).some((value) => value !== '');
  return (
    <Page
      title="Alerts"
      sentence={listed.data === undefined ? awaitedWords(listed, 'alerts') : rowsSentence(rows.active, rows.silenced)}
      actions={
        <>
          <SkipLink
            href="#alerts"
            onClick={(event) => {
              event.preventDefault();
              focusFirstAlert();
            }}
          >
            Skip to the first alert
          </SkipLink>
          <AlertsNav current="alerts" />
        </>
      }
    >
      <AlertsToolbar {...{ filters, wanted, alerts, rows, mine, which, servers, tags, phone }} />
      <Timeline {...{ filters, servers, lists, phone }} onMark={openMark} />
      {isLinkGone && (
        <Notice tone="warning">
          The alert of this link was not found. Its history may be over, or it is not yours.
        </Notice>
      )}
      {/* Details below a row have headings of the third level. */}
      <VisuallyHidden as="h2">List of alerts</VisuallyHidden>
      <AlertsPanel
        rows={which === 'mine' ? { active: mine, silenced: [], resolved: [] } : shown}
        all={which === 'all'}
        asked={listed}
        isFiltered={isFiltered}
        isMine={which === 'mine'}
        opened={get('alert')}
        onOpen={openRow}
        acting={acts}
        ticked={ticked}
        onTick={tick}
        onTickAll={tickAll}
      />
      {acting.error !== null && <Notice tone="error">{acting.error}</Notice>}
      <Suspense fallback={null}>
        {silenced !== null && (
          <SilenceEndDialog
            about={aboutRow(silenced)}
            onClose={close}
            onSilence={(end) => {
              close();
              acting.act({ action: 'silence', alert_ids: openIds(silenced), ...end });
            }}
          />
        )}
        {acting.done !== null && (
          <UndoToast
            text={acting.done.text}
            onUndo={acting.done.operationId === null ? null : acting.undo}
            onClose={acting.dismiss}
          />
        )}
      </Suspense>
    </Page>
  );
}
