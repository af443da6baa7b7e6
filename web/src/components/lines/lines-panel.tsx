import { newestLinesQuery, type LinePlace } from '../../api/lines.ts';
import { useQuery } from '../../api/query.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { Failure } from '../feedback/feed-panel.tsx';
import { RowsSkeleton } from '../feedback/skeletons.tsx';
import { EmptyState } from '../feedback/states.tsx';
import { Panel } from '../panel.tsx';
import { LineRows } from './line-rows.tsx';

const ABOUT = 'Errors of the journal, events of the kernel and last words of containers appear here.';

/** The log lines of the last hour of a server. */
export function LinesPanel({ place }: { place: LinePlace }) {
  const asked = useQuery(newestLinesQuery(place));
  const { data } = asked;
  const [newest] = data?.lines ?? [];
  return (
    <Panel
      title="Log lines"
      note="last hour"
      fold={newest === undefined ? (data?.unavailable == null ? '' : 'N/A') : escapeInvisible(newest.text)}
    >
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={3} height={53} />}
      {data !== undefined && newest === undefined && (
        <EmptyState
          size="line"
          sentence={data.unavailable === null ? 'No error was logged' : 'N/A'}
          reason={data.unavailable ?? ABOUT}
        />
      )}
      {data !== undefined && newest !== undefined && <LineRows lines={data.lines} />}
    </Panel>
  );
}
