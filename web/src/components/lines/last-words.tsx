import { styled } from '@mui/material/styles';
import { newestLinesQuery, type LinePlace } from '../../api/lines.ts';
import { useQuery } from '../../api/query.ts';
import { Failure } from '../feedback/feed-panel.tsx';
import { RowsSkeleton } from '../feedback/skeletons.tsx';
import { WordsOfRuns } from './words-of-runs.tsx';

const HOURS = 24;

const Part = styled('section')(({ theme }) => ({
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > h3': { ...theme.typography.caption, margin: 0, padding: '10px 16px 2px', color: theme.vars.palette.load.text3 },
  '& > p': { ...theme.typography.caption, margin: 0, padding: '0 16px 10px', color: theme.vars.palette.load.text3 },
}));

/** The last lines that the containers of a pod wrote before they ended. */
export function LastWords({ place }: { place: Required<Pick<LinePlace, 'cluster_id' | 'namespace' | 'pod'>> }) {
  const asked = useQuery(newestLinesQuery(place, HOURS));
  const { data } = asked;
  const lines = data?.lines.filter(({ kind }) => kind === 'last_words') ?? [];
  return (
    <Part>
      <h3>Last words, 24 h</h3>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={2} height={44} />}
      {data !== undefined && lines.length === 0 && (
        <p>
          {data.unavailable === null
            ? 'None: no container of this pod failed, or it wrote nothing before it ended.'
            : `N/A: ${data.unavailable}`}
        </p>
      )}
      {lines.length > 0 && <WordsOfRuns lines={lines} isOnePod />}
    </Part>
  );
}
