import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Process } from '@plimsoll/contract/wire/processes';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import type { Asking } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { ProcessRow } from './process-row.tsx';

const Frame = styled(Paper)(({ theme }) => ({
  overflow: 'hidden',
  containerType: 'inline-size',
  '& td, & th': { padding: '0 9px' },
  // Every column fits where the page is 1,440 px wide.
  '@container (max-width: 1119px)': { '& .wide': { display: 'none' } },
  [theme.breakpoints.down('md')]: { '& .medium': { display: 'none' } },
  [theme.breakpoints.down('sm')]: { '& .small': { display: 'none' } },
}));

const ROWS_BEFORE = 12;

interface ProcessesPanelProps {
  asked: Asking;
  processes: readonly Process[];
  rank: 'cpu' | 'memory';
  filtered: boolean;
  /** The list is the last one of an offline server, or that of a chosen moment. */
  past?: boolean;
  /** The lists of many servers are merged, of this minute where there is one; epoch seconds. Null: the list is of one time. */
  minute?: number | null;
  /** Why the list of a chosen moment is empty. */
  nothing?: { sentence: string; reason: string } | null;
}

function Head({ rank }: { rank: 'cpu' | 'memory' }) {
  const order = (mine: 'cpu' | 'memory') => (rank === mine ? ('descending' as const) : undefined);
  return (
    <TableHead>
      <TableRow>
        <TableCell align="right" className="small">
          PID
        </TableCell>
        <TableCell>Name</TableCell>
        <TableCell className="wide">Command</TableCell>
        <TableCell className="small">Server</TableCell>
        <TableCell className="medium">User</TableCell>
        <TableCell className="medium">Status</TableCell>
        <TableCell aria-sort={order('cpu')}>CPU</TableCell>
        <TableCell align="right" aria-sort={order('memory')}>
          Memory
        </TableCell>
        <TableCell align="right" className="small">
          Size
        </TableCell>
        <TableCell align="right" className="wide">
          Threads
        </TableCell>
        <TableCell align="right" className="medium">
          Started
        </TableCell>
        <TableCell align="right" className="wide">
          Uptime
        </TableCell>
      </TableRow>
    </TableHead>
  );
}

export function ProcessesPanel({
  asked,
  processes,
  rank,
  filtered,
  past = false,
  minute = null,
  nothing = null,
}: ProcessesPanelProps) {
  const none = !asked.isPending && asked.error === null && processes.length === 0;
  return (
    <Frame>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={ROWS_BEFORE} height={32} />}
      {none && filtered && <EmptyState sentence="No processes match your filter" />}
      {none && !filtered && (
        <EmptyState
          sentence={nothing?.sentence ?? 'No process data available'}
          reason={nothing?.reason ?? 'Data will appear when your servers start sending metrics.'}
        />
      )}
      {processes.length > 0 && (
        <Table size="small" aria-label="Processes">
          <Head rank={rank} />
          <TableBody>
            {processes.map((each) => (
              <ProcessRow key={`${each.server_id}/${each.pid}`} process={each} past={past} minute={minute} />
            ))}
          </TableBody>
        </Table>
      )}
    </Frame>
  );
}
