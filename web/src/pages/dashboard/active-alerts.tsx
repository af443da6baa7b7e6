import { activeAlertsQuery } from '../../api/alerts.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { AlertRow } from '../../components/alert-row.tsx';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { byLevel } from '../../format/alert-words.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

export function ActiveAlerts() {
  const asked = useQuery(activeAlertsQuery());
  const alerts = asked.data?.alerts.toSorted(byLevel).slice(0, ROWS.dashboardAlerts) ?? [];
  return (
    <FeedPanel
      title="Active Alerts"
      note={asked.data?.total}
      actions={<Link to={paths.alerts}>All alerts</Link>}
      asked={asked}
      rows={ROWS.dashboardAlerts}
      empty={{ sentence: 'No active alerts', reason: 'No value stayed over its threshold long enough.' }}
    >
      {alerts.map((alert) => (
        <AlertRow key={alert.alert_id} alert={alert} />
      ))}
    </FeedPanel>
  );
}
