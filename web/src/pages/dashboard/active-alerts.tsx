import { useActiveAlerts, useOpenAlerts } from '../../api/alerts.ts';
import { ROWS } from '../../api/polling.ts';
import { AlertRow } from '../../components/alert-row.tsx';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { groupRows, incidentRows } from '../../format/incident-rows.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { useView } from '../../state/view.ts';

/** The worst rows of the Alerts page: one for each cause. */
export function ActiveAlerts() {
  const { at } = useView();
  const asked = useActiveAlerts();
  const more = useOpenAlerts(asked.data);
  const listed = more.length === 0 ? (asked.data?.alerts ?? []) : more;
  // The status of an alert is that of now, so a moment of the past shows every alert of its list.
  const alerts = at === null ? listed.filter(({ status }) => status === 'active') : listed;
  const rows = groupRows(incidentRows(alerts));
  return (
    <FeedPanel
      title="Active Alerts"
      note={asked.data === undefined ? undefined : rows.length}
      actions={<Link to={paths.alerts}>All alerts</Link>}
      asked={asked}
      rows={ROWS.dashboardAlerts}
      empty={{ sentence: 'No active alerts', reason: 'No value stayed over its threshold long enough.' }}
    >
      {rows.slice(0, ROWS.dashboardAlerts).map((row) => (
        <AlertRow key={row.id} row={row} />
      ))}
    </FeedPanel>
  );
}
