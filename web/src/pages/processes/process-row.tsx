import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { Process } from '@plimsoll/contract/wire/processes';
import { useSyncExternalStore } from 'react';
import { Figure } from '../../components/figure.tsx';
import { ProcessStatus } from './process-status.tsx';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { uptimeText } from '../../time/age.ts';
import { onTick } from '../../time/clock.ts';
import { kilobytesQuantity } from '../../format/figures.ts';
import { HIGH_PERCENT } from '../../format/process-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { clockTime, fullMoment, shortDay } from '../../time/zone.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

const Row = styled(TableRow)(({ theme }) => ({
  '& .quiet': { color: theme.vars.palette.load.text3 },
  '& .cut': { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& .name': { fontWeight: 600, maxWidth: 130 },
  '& .command': { maxWidth: 200, color: theme.vars.palette.text.secondary },
  '& .reading': { display: 'grid', gridTemplateColumns: '54px 56px', alignItems: 'center', gap: 8 },
  '& .reading > :first-of-type': { textAlign: 'right' },
  '& [data-high]': { color: theme.vars.palette.load.overText, fontWeight: 600 },
}));

const DAY_SECONDS = 86_400;

/** "20:52" today, "14 Mar" before. */
const startText = (started: number, sampled: number) =>
  sampled - started < DAY_SECONDS ? clockTime(started * 1000) : shortDay(started * 1000);

const high = (value: number | null) => (value !== null && value > HIGH_PERCENT ? '' : undefined);

function Uptime({ since }: { since: number }) {
  const words = useSyncExternalStore(onTick, () => uptimeText(Date.now() / 1000 - since) ?? 'Unknown');
  return <>{words}</>;
}

export function ProcessRow({ process }: { process: Process }) {
  const { cpu_usage: cpu, memory_usage: memory, start_time: started, server_id: serverId } = process;
  return (
    <Row>
      <TableCell align="right" className="small quiet">
        {process.pid}
      </TableCell>
      <TableCell component="th" scope="row">
        <span className="cut name" title={escapeInvisible(process.name)}>
          {escapeInvisible(process.name)}
        </span>
      </TableCell>
      <TableCell className="wide">
        <code className="cut command" title={escapeInvisible(process.command)}>
          {escapeInvisible(process.command)}
        </code>
      </TableCell>
      <TableCell className="small">
        <Link to={paths.server(serverId)}>{escapeInvisible(process.hostname)}</Link>
      </TableCell>
      <TableCell className="medium">{escapeInvisible(process.user)}</TableCell>
      <TableCell className="medium">
        <ProcessStatus letter={process.status} />
      </TableCell>
      <TableCell>
        <span className="reading">
          <span data-high={high(cpu)}>
            <Figure value={cpu?.toFixed(1) ?? null} unit="%" />
          </span>
          <CapacityBar
            name="CPU"
            value={cpu}
            line={HIGH_PERCENT}
            near={0}
            stale={cpu !== null && cpu <= HIGH_PERCENT}
          />
        </span>
      </TableCell>
      <TableCell align="right">
        <span data-high={high(memory)}>
          <Figure value={memory?.toFixed(1) ?? null} unit="%" />
        </span>
      </TableCell>
      <TableCell align="right" className="small">
        <Figure {...kilobytesQuantity(process.memory_kb)} />
      </TableCell>
      <TableCell align="right" className="wide">
        <Figure value={process.threads === null ? null : String(process.threads)} />
      </TableCell>
      <TableCell align="right" className="medium">
        <span title={fullMoment(started * 1000)}>{startText(started, process.timestamp)}</span>
      </TableCell>
      <TableCell align="right" className="wide quiet">
        <Uptime since={started} />
      </TableCell>
    </Row>
  );
}
