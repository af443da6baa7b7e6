import { styled } from '@mui/material/styles';
import { useId, useState } from 'react';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Process } from '@plimsoll/contract/wire/processes';
import type { SourceHealth } from '@plimsoll/contract/wire/report';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { processesQuery, type ProcessRank } from '../../api/processes.ts';
import { useQuery } from '../../api/query.ts';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { Figure } from '../../components/figure.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { Opener } from '../../components/processes/opener.tsx';
import { ProcessDetails } from '../../components/processes/process-details.tsx';
import { Uptime } from '../../components/processes/uptime.tsx';
import { cssVars } from '../../components/css-vars.ts';
import { Age } from '../../components/age.tsx';
import { kilobytesQuantity } from '../../format/figures.ts';
import { unlistedCpuText } from '../../format/unlisted-cpu.ts';
import { Toggle } from '../../components/form/toolbar.tsx';
import { coresQuantity, cpuSentence, cpuShare, isHigh } from '../../format/process-words.ts';
import { isSilent } from '../../format/server-facts.ts';
import { momentMs } from '../../time/age.ts';
import { clockTime } from '../../time/zone.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { HistoryOf } from '../../components/processes/history-of.tsx';

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
  '& > button': { fontWeight: 400 },
  '& > div': { gridColumn: '1 / -1', margin: '0 -16px' },
  '& > i': { height: 4, backgroundColor: theme.vars.palette.load.track },
  '& > i > b': {
    display: 'block',
    height: 4,
    width: 'calc(var(--v) * 1%)',
    backgroundColor: theme.vars.palette.load.stale,
  },
  '& > .cores': { textAlign: 'right' },
  '&[data-high] > i > b': { backgroundColor: theme.vars.palette.load.over },
  '&[data-high] > .cores': { color: theme.vars.palette.load.overText, fontWeight: 600 },
}));

const Remark = styled('li')(({ theme }) => ({
  ...theme.typography.caption,
  padding: '8px 16px',
  color: theme.vars.palette.load.text3,
  overflowWrap: 'anywhere',
}));

interface TopRowProps {
  process: Process;
  past: boolean;
  rank?: ProcessRank;
}

export function TopRow({ process, past, rank = 'cpu' }: TopRowProps) {
  const { pid, name, cpu_usage: cpu, start_time: since, timestamp } = process;
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  const share = rank === 'cpu' ? cpuShare(process) : process.memory_usage;
  return (
    <Row data-high={!past && isHigh(share) ? '' : undefined} title={cpuSentence(process) ?? undefined}>
      <Opener
        disableRipple
        title={`${escapeInvisible(name)}, pid ${pid}`}
        aria-expanded={open}
        aria-controls={open ? detailsId : undefined}
        onClick={() => setOpen(!open)}
      >
        <span>{escapeInvisible(name)}</span>
      </Opener>
      <i>
        <b style={cssVars({ v: Math.min(100, share ?? 0) })} />
      </i>
      <span className="cores">
        <Figure {...(rank === 'cpu' ? coresQuantity(cpu) : kilobytesQuantity(process.memory_kb))} />
      </span>
      {open && (
        <div id={detailsId}>
          <ProcessDetails
            history={<HistoryOf process={process} />}
            process={process}
            past={past}
            uptime={<Uptime since={since} until={past ? timestamp : null} />}
          />
        </div>
      )}
    </Row>
  );
}

/** Says why the list is not complete, where the agent found out. */
export function ListRemark({ health }: { health: SourceHealth | undefined }) {
  if (health?.ok !== true || health.error === null) return null;
  return <Remark>{escapeInvisible(health.error)}</Remark>;
}

const RANKS = [
  { value: 'cpu', label: 'CPU' },
  { value: 'memory', label: 'Memory' },
] as const;

/** Memory where memory is what is over its line, or nearest to it; else CPU. */
const rankOf = ({ headroom }: Pick<ServerDetail, 'headroom'>): ProcessRank =>
  headroom !== null && headroom.resource === 'memory' && headroom.points <= 0 ? 'memory' : 'cpu';

interface TopProcessesProps {
  server: ServerDetail;
  latest: LatestMetricsItem | undefined;
}

const foldText = (busiest: Process | undefined, rank: ProcessRank): string => {
  if (busiest === undefined) return '';
  const { value, unit } = rank === 'cpu' ? coresQuantity(busiest.cpu_usage) : kilobytesQuantity(busiest.memory_kb);
  return `${escapeInvisible(busiest.name)} ${value ?? 'N/A'} ${unit}`;
};

/**
 * The processes that use most now, or at the last report of an offline server. The bar is the share of the machine. A server
 * over its memory line begins with memory.
 */
export function TopProcesses({ server, latest }: TopProcessesProps) {
  const [chosen, setChosen] = useState<ProcessRank | null>(null);
  const rank = chosen ?? rankOf(server);
  const asked = useQuery(processesQuery(rank, server.id));
  const all = asked.data?.processes ?? [];
  const processes = all.slice(0, SHOWN);
  const past = isSilent(server);
  const sampled = momentMs(processes[0]?.timestamp);
  const then = sampled !== null && (
    <>
      at {clockTime(sampled)}, <Age at={sampled} />
    </>
  );
  const fold = foldText(processes[0], rank);
  const cpuPercent = latest?.metrics.cpu_usage.value ?? null;
  const isTop = (asked.data?.total ?? 0) > all.length;
  const unlisted = past || rank === 'memory' ? null : unlistedCpuText({ processes: all, cpuPercent, isTop });
  return (
    <FeedPanel
      title="Top processes"
      fold={past && sampled !== null ? `${fold} at ${clockTime(sampled)}` : fold}
      note={past ? then : 'now'}
      actions={
        <>
          <Toggle label="Rank processes by" value={rank} options={RANKS} onChange={setChosen} />
          <Link to={`${paths.processes}?server=${server.id}${rank === 'memory' ? '&rank=memory' : ''}`}>All</Link>
        </>
      }
      asked={asked}
      rows={3}
      empty={{ sentence: 'No process data available' }}
    >
      {[
        ...processes.map((process) => <TopRow key={process.pid} process={process} past={past} rank={rank} />),
        ...(unlisted === null ? [] : [<Remark key="unlisted">{unlisted}</Remark>]),
        ...(processes.length > 0 ? [<ListRemark key="remark" health={server.sources?.['processes']} />] : []),
      ]}
    </FeedPanel>
  );
}
