import { styled } from '@mui/material/styles';
import { processesQuery } from '../../api/processes.ts';
import { useQuery } from '../../api/query.ts';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { Figure } from '../../components/figure.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { cssVars } from '../../components/css-vars.ts';
import { HIGH_PERCENT } from '../../format/process-words.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

const SHOWN = 6;

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 110px) minmax(0, 1fr) 56px',
  alignItems: 'center',
  gap: 10,
  padding: '4px 16px',
  borderTop: '0 !important',
  '&:first-of-type': { paddingTop: 10 },
  '&:last-of-type': { paddingBottom: 10 },
  '& > :first-of-type': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& > i': { height: 4, backgroundColor: theme.vars.palette.load.track },
  '& > i > b': {
    display: 'block',
    height: 4,
    width: 'calc(var(--v) * 1%)',
    backgroundColor: theme.vars.palette.load.stale,
  },
  '& > :last-child': { textAlign: 'right' },
  '&[data-high] > i > b': { backgroundColor: theme.vars.palette.load.over },
  '&[data-high] > :last-child': { color: theme.vars.palette.load.overText, fontWeight: 600 },
}));

/** What is busy now; per cent of one core. */
export function TopProcesses({ serverId }: { serverId: string }) {
  const asked = useQuery(processesQuery('cpu', serverId));
  const processes = asked.data?.processes.slice(0, SHOWN) ?? [];
  return (
    <FeedPanel
      title="Top processes"
      note="now, by CPU"
      actions={<Link to={`${paths.processes}?server=${serverId}`}>All</Link>}
      asked={asked}
      rows={3}
      empty={{ sentence: 'No process data available' }}
    >
      {processes.map(({ pid, name, cpu_usage: cpu }) => (
        <Row key={pid} data-high={cpu !== null && cpu > HIGH_PERCENT ? '' : undefined}>
          <span title={`${escapeInvisible(name)}, pid ${pid}`}>{escapeInvisible(name)}</span>
          <i>
            <b style={cssVars({ v: Math.min(100, cpu ?? 0) })} />
          </i>
          <span>
            <Figure value={cpu?.toFixed(1) ?? null} unit="%" />
          </span>
        </Row>
      ))}
    </FeedPanel>
  );
}
