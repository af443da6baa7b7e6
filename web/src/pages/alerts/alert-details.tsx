import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { ChangePlace } from '@plimsoll/contract/rules/changes';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import type { AlertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { alertDetailQuery } from '../../api/alert-acting.ts';
import { useQuery } from '../../api/query.ts';
import { changesBeforeQuery } from '../../api/change-ledger.ts';
import { CausePanel } from '../../components/causes/cause-panel.tsx';
import { ChangedBefore } from '../../components/changes/changed-before.tsx';
import { LinesOfMinute } from '../../components/lines/lines-of-minute.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { alertFigure, isState, unbroken } from '../../format/alert-words.ts';
import { escapeInvisible, escapeMessage } from '../../format/escape-invisible.ts';
import { lineText } from '../../format/incident-words.ts';
import type { AlertsRow } from '../../format/incident-rows.ts';
import { momentMs } from '../../time/age.ts';
import { paths } from '../../paths.ts';
import { useLocation } from '../../router.ts';
import { dayAndTime, fullMoment } from '../../time/zone.ts';
import type { Acting } from './acting/use-acting.ts';
import { DeliveriesPart, HistoryPart, RulePart } from './detail/alert-story.tsx';
import { BlackBox } from './detail/black-box.tsx';
import { IncidentMembers } from './detail/incident-members.tsx';
import { placeFacts } from './detail/place-facts.tsx';
import { GroupParts, IncidentParts } from './detail/row-parts.tsx';
import { MomentChart } from './detail/moment-chart.tsx';
import { NoteForm } from './detail/note-form.tsx';
import { Quiet } from '../../components/form/form-parts.tsx';

const Cell = styled(TableCell)(({ theme }) => ({
  height: 'auto',
  padding: '8px 12px 16px 36px',
  whiteSpace: 'normal',
  backgroundColor: theme.vars.palette.action.selected,
  '& dl': { display: 'grid', gridTemplateColumns: 'max-content minmax(0, 1fr)', gap: '4px 20px', margin: 0 },
  '& dt': { color: theme.vars.palette.load.text3 },
  // Messages of programs have several lines.
  '& dd': { margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line' },
  [theme.breakpoints.down('sm')]: { padding: '8px 12px 16px' },
}));
/** The browser balances the columns, whatever is stored of an alert. */
const Columns = styled('div')(({ theme }) => ({
  columns: 2,
  columnGap: 32,
  '& > *': { breakInside: 'avoid', marginBottom: 16 },
  [theme.breakpoints.down('md')]: { columns: 1 },
}));

function valueText(alert: Alert): string {
  const { value, threshold, unit } = alertFigure(alert);
  const line = threshold === null ? '' : `, line ${lineText(alert) ?? threshold}`;
  return `${value === null ? 'N/A' : `${value} ${unit}`.trim()}${line}`;
}

function factsOf(alert: Alert): { name: string; value: ReactNode }[] {
  const resolved = momentMs(alert.resolved_at);
  const seen = momentMs(alert.acknowledged_at);
  const silenced = momentMs(alert.silenced_until);
  const by = alert.acknowledged_by === null ? '' : ` by ${escapeInvisible(alert.acknowledged_by)}`;
  const note = alert.acknowledged_note === null ? '' : `: ${escapeInvisible(alert.acknowledged_note)}`;
  return [
    ...placeFacts(alert),
    { name: 'Alert', value: escapeInvisible(alert.title) },
    { name: 'Message', value: unbroken(escapeMessage(alert.message)) },
    { name: 'Fired', value: fullMoment(alert.timestamp * 1000) },
    { name: 'Resolved', value: resolved === null ? 'not yet' : fullMoment(resolved) },
    ...(isState(alert) ? [] : [{ name: 'Value', value: valueText(alert) }]),
    ...(seen === null ? [] : [{ name: 'Acknowledged', value: `${dayAndTime(seen)}${by}${note}` }]),
    ...(silenced === null ? [] : [{ name: 'Silenced', value: `until ${dayAndTime(silenced)}` }]),
  ];
}

interface StoryProps {
  detail: AlertDetailAnswer;
  mayEdit: boolean;
}

function BoxPart({ detail: { alert, black_box: box, black_box_note: note } }: { detail: AlertDetailAnswer }) {
  if (box === null) return <Quiet>{note ?? 'Nothing was frozen for this alert.'}</Quiet>;
  return <BlackBox box={box} clusterId={alert.kubernetes?.cluster_id ?? null} />;
}

function Story({ detail, mayEdit }: StoryProps) {
  return (
    <>
      <RulePart detail={detail} mayEdit={mayEdit} />
      <DeliveriesPart deliveries={detail.deliveries} />
      <HistoryPart history={detail.history} />
    </>
  );
}

function placeOf({ server_id: server, kubernetes }: Alert): ChangePlace {
  if (server !== null) return { server_id: server };
  const place: ChangePlace = {};
  if (kubernetes == null) return place;
  place.cluster_id = kubernetes.cluster_id;
  if (kubernetes.namespace !== null) place.namespace = kubernetes.namespace;
  if (kubernetes.name !== null) place.name = kubernetes.name;
  if (kubernetes.workload_kind !== null) place.kind = kubernetes.workload_kind;
  return place;
}

/** The changes before the alert. One about neither a server nor a cluster has no place. */
function AlertChanges({ alert }: { alert: Alert }) {
  const place = placeOf(alert);
  const hasPlace = place.server_id !== undefined || place.cluster_id !== undefined;
  const asked = useQuery({ ...changesBeforeQuery(place, Math.floor(alert.timestamp)), enabled: hasPlace });
  return hasPlace ? <ChangedBefore asked={asked} /> : null;
}

/** The likely cause of the incident of an alert; of an alert without one, its own. */
function AlertCause({ alert: { alert_id: alertId, incident, status } }: { alert: Alert }) {
  const isOpen = status !== 'resolved';
  return (
    <CausePanel subject={incident === null ? { alertId, isOpen } : { incidentId: incident.incident_id, isOpen }} />
  );
}

/** The log lines around the alert: of its server, else of the pods of its workload. */
function AlertLines({ alert }: { alert: Alert }) {
  const { server_id: server, kubernetes } = alert;
  if (server !== null) return <LinesOfMinute place={{ server_id: server }} at={alert.timestamp} />;
  if (kubernetes?.workload_kind == null) return null;
  const { cluster_id: cluster, namespace, name } = kubernetes;
  const place = { cluster_id: cluster, ...(namespace !== null && { namespace }) };
  return <LinesOfMinute place={place} at={alert.timestamp} workload={name} />;
}

/** The address that opens this alert, for a chat or a ticket. */
const linkTo = (alert: Alert) => `${window.location.origin}${paths.alert(alert.alert_id)}`;

function Facts({ alert }: { alert: Alert }) {
  return (
    <dl>
      {factsOf(alert).map(({ name, value }) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface BodyProps {
  alertId: string;
  /** Null: only its details have it. */
  alert: Alert | null;
  /** Null: a viewer reads only. */
  acting: Acting | null;
}

/** All that is stored of one alert: what the server did then, the rule, messages, who did what. */
function AlertBody({ alertId, alert: listed, acting }: BodyProps) {
  const asked = useQuery(alertDetailQuery(alertId));
  const detail = asked.data;
  const alert = listed ?? detail?.alert ?? null;
  return (
    <Columns>
      {detail !== undefined && <MomentChart detail={detail} now={asked.dataUpdatedAt} />}
      {asked.isPending && <RowsSkeleton rows={4} height={32} />}
      <Failure asked={asked} />
      {detail !== undefined && <BoxPart detail={detail} />}
      {alert !== null && <AlertChanges alert={alert} />}
      {alert !== null && <AlertLines alert={alert} />}
      {alert !== null && (
        <>
          <Facts alert={alert} />
          <div>
            <CopyButton text={linkTo(alert)} label="Copy link" />
          </div>
          {acting !== null && <NoteForm alert={alert} acting={acting} />}
        </>
      )}
      {detail !== undefined && <Story detail={detail} mayEdit={acting !== null} />}
    </Columns>
  );
}

interface RowDetailsProps {
  row: AlertsRow;
  /** Id of the alert that the address names, or of the group. */
  opened: string;
  acting: Acting | null;
  columns: number;
}

/** Key of the location that the browser loaded: nobody has navigated since. */
const LOADED = 'default';

/** Scrolls to the details that a link opens, unless most of them are on the screen. */
function useLinkedScroll() {
  const { key } = useLocation();
  const row = useRef<HTMLTableRowElement>(null);
  const isLinked = key === LOADED;
  useEffect(() => {
    const element = row.current;
    if (!isLinked || element === null) return;
    if (element.getBoundingClientRect().top > window.innerHeight / 2) element.scrollIntoView({ block: 'start' });
  }, [isLinked]);
  return row;
}

/** Under a row: the likely cause, what it is made of, the alerts that it explains, then all that is stored of the alert that leads. */
export default function RowDetails({ row, opened, acting, columns }: RowDetailsProps) {
  const { lead } = row;
  const { alert_id: id, incident } = lead;
  const scrolled = useLinkedScroll();
  const body = (alert: Alert) => <AlertBody alertId={alert.alert_id} alert={alert} acting={acting} />;
  const incidentBody = (alert: Alert) => (
    <>
      <AlertCause alert={alert} />
      {body(alert)}
    </>
  );
  return (
    <TableRow ref={scrolled} sx={{ scrollMarginTop: 160 }}>
      <Cell colSpan={columns}>
        {row.kind === 'group' && <GroupParts row={row} opened={opened} render={incidentBody} />}
        {row.kind === 'incident' && <AlertCause alert={lead} />}
        {row.kind === 'incident' && row.alerts.length > 1 && <IncidentParts row={row} opened={opened} render={body} />}
        {row.kind === 'incident' && incident !== null && incident.below > 0 && (
          <IncidentMembers
            incidentId={incident.incident_id}
            causeId={id}
            renderMember={(member) => <AlertBody alertId={member} alert={null} acting={acting} />}
          />
        )}
        {row.kind === 'incident' && body(lead)}
      </Cell>
    </TableRow>
  );
}
