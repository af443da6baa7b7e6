import { styled } from '@mui/material/styles';
import { linesBetweenQuery, type LinePlace } from '../../api/lines.ts';
import { useQuery } from '../../api/query.ts';
import { Failure } from '../feedback/feed-panel.tsx';
import { RowsSkeleton } from '../feedback/skeletons.tsx';
import { LineRows } from './line-rows.tsx';
import { ofWorkload } from './line-words.ts';
import { WordsOfRuns } from './words-of-runs.tsx';

const Part = styled('section')(({ theme }) => ({
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > h3': { ...theme.typography.h3, margin: 0, padding: '12px 16px 4px', fontWeight: 600 },
  '& > p': { ...theme.typography.caption, margin: 0, padding: '0 16px 12px', color: theme.vars.palette.load.text3 },
}));

/** Seconds before and after a moment: a value crosses its line some minutes after its cause. */
const AROUND = { before: 600, after: 120 };

interface LinesOfMinuteProps {
  place: LinePlace;
  /** Epoch seconds. */
  at: number;
  /** Only pods of this workload. */
  workload?: string | null;
}

/** Lines of the kernel, the journal and containers around the moment at which something went wrong. */
export function LinesOfMinute({ place, at, workload = null }: LinesOfMinuteProps) {
  const asked = useQuery(linesBetweenQuery(place, Math.floor(at) - AROUND.before, Math.floor(at) + AROUND.after));
  const { data } = asked;
  const lines = data === undefined ? [] : workload === null ? data.lines : ofWorkload(data.lines, workload);
  const words = lines.filter(({ kind }) => kind === 'last_words');
  const ofHosts = lines.filter(({ kind }) => kind !== 'last_words');
  return (
    <Part>
      <h3>Lines of the minute</h3>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={2} height={44} />}
      {data !== undefined && lines.length === 0 && (
        <p>
          {data.unavailable === null
            ? 'No error was logged from 10 minutes before it to 2 minutes after.'
            : `N/A: ${data.unavailable}`}
        </p>
      )}
      {ofHosts.length > 0 && <LineRows lines={ofHosts} />}
      {words.length > 0 && <WordsOfRuns lines={words} />}
    </Part>
  );
}
