import type { ChangePlace } from '@plimsoll/contract/rules/changes';
import { ROWS } from '../../api/polling.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { Failure } from '../feedback/feed-panel.tsx';
import { RowsSkeleton } from '../feedback/skeletons.tsx';
import { EmptyState } from '../feedback/states.tsx';
import { Panel, Rows } from '../panel.tsx';
import type { AskingChanges } from './asking-changes.ts';
import { ChangeRow } from './change-row.tsx';

interface ChangesPanelProps {
  place: ChangePlace;
  asked: AskingChanges;
}

/** The latest changes of one place, newest first. */
export function ChangesPanel({ place, asked }: ChangesPanelProps) {
  const { data } = asked;
  return (
    <Panel
      title="Changes"
      note="last 30 days"
      actions={
        data !== undefined &&
        data.total > ROWS.placeChanges && <Link to={paths.changesOf({ ...place })}>All {data.total}</Link>
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
