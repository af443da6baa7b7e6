import { activeAlertsQuery, useOpenAlerts } from '../../api/alerts.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { AlertRow } from '../../components/alert-row.tsx';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { groupRows, incidentRows } from '../../format/incident-rows.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

/** The worst rows of the Alerts page: one for each cause. */
export function ActiveAlerts() {
  const asked = useQuery(activeAlertsQuery());
  const more = useOpenAlerts(asked.data);
  const alerts = more.length === 0 ? (asked.data?.alerts ?? []) : more.filter(({ status }) => status === 'active');
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
