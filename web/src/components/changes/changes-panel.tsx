import { changesQuery, type ChangePlace } from '../../api/change-ledger.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import type { TimeRange } from '../../time/range.ts';
import { Failure } from '../feedback/feed-panel.tsx';
import { RowsSkeleton } from '../feedback/skeletons.tsx';
import { EmptyState } from '../feedback/states.tsx';
import { Panel, Rows } from '../panel.tsx';
import { ChangeRow } from './change-row.tsx';

const DAYS_30: TimeRange = { kind: 'relative', hours: 720 };

/** The latest changes of one place, newest first. */
export function ChangesPanel({ place, range = DAYS_30 }: { place: ChangePlace; range?: TimeRange }) {
  const asked = useQuery(changesQuery(range, { ...place, limit: ROWS.placeChanges }));
  const { data } = asked;
  return (
    <Panel
      title="Changes"
      note="last 30 days"
      actions={
        data !== undefined &&
        data.total > ROWS.placeChanges && <Link to={paths.changesOf(place)}>All {data.total}</Link>
      }
    >
      {asked.isPending && <RowsSkeleton rows={3} height={40} />}
      <Failure asked={asked} />
      {data?.changes.length === 0 && (
        <EmptyState sentence="No changes" reason="Nothing changed here in the last 30 days, or nobody reported it." />
      )}
      <Rows>
        {data?.changes.map((change) => (
          <ChangeRow key={change.id} change={change} dated />
        ))}
      </Rows>
    </Panel>
  );
}
