import { serverAlertsQuery } from '../../api/alerts.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { AlertRow } from '../../components/alert-row.tsx';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { rowOfAlert } from '../../format/incident-rows.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

export function ServerAlerts({ serverId }: { serverId: string }) {
  const asked = useQuery(serverAlertsQuery(serverId));
  // One row each: nothing folds on this page.
  const rows = asked.data?.alerts.slice(0, ROWS.serverAlerts).map(rowOfAlert) ?? [];
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
      {rows.map((row) => (
        <AlertRow key={row.id} row={row} />
      ))}
    </FeedPanel>
  );
}
