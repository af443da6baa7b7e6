import { activityQuery } from '../../api/activity.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { EventRow } from '../../components/event-row.tsx';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

export function RecentActivity() {
  const asked = useQuery(activityQuery({ process_runs: 'folded', order: 'leading' }));
  const events = asked.data?.events.slice(0, ROWS.dashboardActivity) ?? [];
  return (
    <FeedPanel
      title="Recent Activity"
      actions={<Link to={paths.activity}>All activity</Link>}
      asked={asked}
      rows={ROWS.dashboardActivity}
      empty={{ sentence: 'No recent activity', reason: 'Starts, stops, crashes and updates appear here.' }}
    >
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </FeedPanel>
  );
}
