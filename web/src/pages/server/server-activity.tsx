import { activityQuery } from '../../api/activity.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { EventRow } from '../../components/event-row.tsx';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { escapeMessage } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

export function ServerActivity({ serverId }: { serverId: string }) {
  const asked = useQuery(activityQuery({ server_id: serverId, process_runs: 'folded', order: 'leading' }));
  const events = asked.data?.events.slice(0, ROWS.serverActivity) ?? [];
  const [newest] = events;
  return (
    <FeedPanel
      title="Recent Activity"
      fold={newest === undefined ? '' : escapeMessage(newest.message)}
      actions={<Link to={`${paths.activity}?server=${serverId}`}>All</Link>}
      asked={asked}
      rows={4}
      empty={{ sentence: 'No recent activity', reason: 'Starts, stops, crashes and updates appear here.' }}
    >
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </FeedPanel>
  );
}
