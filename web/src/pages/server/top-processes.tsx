import { styled } from '@mui/material/styles';
import { useId, useState } from 'react';
import type { Process } from '@plimsoll/contract/wire/processes';
import type { SourceHealth } from '@plimsoll/contract/wire/report';
import type { Server, ServerDetail } from '@plimsoll/contract/wire/servers';
import { processesQuery } from '../../api/processes.ts';
import { useQuery } from '../../api/query.ts';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { Figure } from '../../components/figure.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { Opener } from '../../components/processes/opener.tsx';
import { ProcessDetails } from '../../components/processes/process-details.tsx';
import { Uptime } from '../../components/processes/uptime.tsx';
import { cssVars } from '../../components/css-vars.ts';
import { Age } from '../../components/age.tsx';
import { coresQuantity, cpuSentence, cpuShare, isHigh } from '../../format/process-words.ts';
import { isSilent } from '../../format/server-facts.ts';
import { momentMs } from '../../time/age.ts';
import { clockTime } from '../../time/zone.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { HistoryOf } from './history-of.tsx';

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
}

export function TopRow({ process, past }: TopRowProps) {
  const { pid, name, cpu_usage: cpu, start_time: since, timestamp } = process;
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  const share = cpuShare(process);
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
        <Figure {...coresQuantity(cpu)} />
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

type Shown = Pick<Server, 'id' | 'status'> & Partial<Pick<ServerDetail, 'sources'>>;

/** The busiest processes now, or at the last report of an offline server. The bar is the share of the machine. */
export function TopProcesses({ server }: { server: Shown }) {
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
      {[
        ...processes.map((process) => <TopRow key={process.pid} process={process} past={past} />),
        ...(processes.length > 0 ? [<ListRemark key="remark" health={server.sources?.['processes']} />] : []),
      ]}
    </FeedPanel>
  );
}
