import { serverAlertsQuery } from '../../api/alerts.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { AlertRow } from '../../components/alert-row.tsx';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

export function ServerAlerts({ serverId }: { serverId: string }) {
  const asked = useQuery(serverAlertsQuery(serverId));
  const alerts = asked.data?.alerts.slice(0, ROWS.serverAlerts) ?? [];
  return (
    <FeedPanel
      title="Active Alerts"
      note={asked.data?.total}
      actions={<Link to={`${paths.alerts}?server=${serverId}`}>History</Link>}
      asked={asked}
      rows={1}
      empty={{
        sentence: 'No active alerts',
        reason: 'No value on this server stayed over its threshold long enough.',
      }}
    >
      {alerts.map((alert) => (
        <AlertRow key={alert.alert_id} alert={alert} />
      ))}
    </FeedPanel>
  );
}
