import { styled } from '@mui/material/styles';
import type { Process } from '@plimsoll/contract/wire/processes';
import type { Server } from '@plimsoll/contract/wire/servers';
import { processesQuery } from '../../api/processes.ts';
import { useQuery } from '../../api/query.ts';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { Figure } from '../../components/figure.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { cssVars } from '../../components/css-vars.ts';
import { Age } from '../../components/age.tsx';
import { coresQuantity, cpuSentence, cpuShare, isHigh } from '../../format/process-words.ts';
import { isSilent } from '../../format/server-facts.ts';
import { momentMs } from '../../time/age.ts';
import { clockTime } from '../../time/zone.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

const SHOWN = 6;

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 110px) minmax(0, 1fr) 72px',
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

interface TopRowProps {
  process: Process;
  past: boolean;
}

export function TopRow({ process, past }: TopRowProps) {
  const { pid, name, cpu_usage: cpu } = process;
  const share = cpuShare(process);
  return (
    <Row data-high={!past && isHigh(share) ? '' : undefined} title={cpuSentence(process) ?? undefined}>
      <span title={`${escapeInvisible(name)}, pid ${pid}`}>{escapeInvisible(name)}</span>
      <i>
        <b style={cssVars({ v: Math.min(100, share ?? 0) })} />
      </i>
      <span>
        <Figure {...coresQuantity(cpu)} />
      </span>
    </Row>
  );
}

/** What is busy now, or was at the last report of a server that is offline. The bar is the share of the machine. */
export function TopProcesses({ server }: { server: Pick<Server, 'id' | 'status'> }) {
  const asked = useQuery(processesQuery('cpu', server.id));
  const processes = asked.data?.processes.slice(0, SHOWN) ?? [];
  const past = isSilent(server);
  const sampled = momentMs(processes[0]?.timestamp);
  const then = sampled !== null && (
    <>
      at {clockTime(sampled)}, <Age at={sampled} />
    </>
  );
  const [busiest] = processes;
  const cores = busiest === undefined ? null : coresQuantity(busiest.cpu_usage);
  const fold =
    busiest === undefined || cores === null
      ? ''
      : `${escapeInvisible(busiest.name)} ${cores.value ?? 'N/A'} ${cores.unit}`;
  return (
    <FeedPanel
      title="Top processes"
      fold={past && sampled !== null ? `${fold} at ${clockTime(sampled)}` : fold}
      note={past ? then : 'now, by CPU'}
      actions={<Link to={`${paths.processes}?server=${server.id}`}>All</Link>}
      asked={asked}
      rows={3}
      empty={{ sentence: 'No process data available' }}
    >
      {processes.map((process) => (
        <TopRow key={process.pid} process={process} past={past} />
      ))}
    </FeedPanel>
  );
}
