import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { Process } from '@plimsoll/contract/wire/processes';
import type { ReactNode } from 'react';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { Figure } from '../../components/figure.tsx';
import { kilobytesQuantity } from '../../format/figures.ts';
import { cpuSentence } from '../../format/process-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { fullMoment } from '../../time/zone.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { ProcessStatus } from './process-status.tsx';

/** Columns of the table at its widest; on a small screen a cell that spans more than there are spans all. */
const ALL_COLUMNS = 12;

const Cell = styled(TableCell)(({ theme }) => ({
  height: 'auto',
  padding: '12px 16px 16px !important',
  maxWidth: 0,
  whiteSpace: 'normal',
  backgroundColor: theme.vars.palette.background.default,
  '& .command': { display: 'flex', alignItems: 'start', gap: 8 },
  '& pre': { margin: '6px 0', flex: 1, minWidth: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  '& dl': { display: 'flex', flexWrap: 'wrap', gap: '8px 28px', margin: '8px 0 0' },
  '& dt': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0 },
  '& p': { ...theme.typography.caption, margin: 0, color: theme.vars.palette.text.secondary },
}));

interface ProcessDetailsProps {
  id: string;
  process: Process;
  past: boolean;
  uptime: ReactNode;
}

interface Fact {
  name: string;
  value: ReactNode;
}

/** The whole command, which the agent has redacted, and every figure of a process, also those a phone has no column for. */
export function ProcessDetails({ id, process, past, uptime }: ProcessDetailsProps) {
  const command = process.command === '' ? process.name : process.command;
  const facts: readonly Fact[] = [
    { name: 'Server', value: <Link to={paths.server(process.server_id)}>{escapeInvisible(process.hostname)}</Link> },
    { name: 'PID', value: process.pid },
    { name: 'User', value: escapeInvisible(process.user) },
    { name: 'Status', value: <ProcessStatus letter={process.status} past={past} /> },
    { name: 'CPU', value: <Figure value={cpuSentence(process)} /> },
    { name: 'Memory', value: <Figure {...kilobytesQuantity(process.memory_kb)} /> },
    { name: 'Threads', value: <Figure value={process.threads === null ? null : String(process.threads)} /> },
    { name: 'Started', value: fullMoment(process.start_time * 1000) },
    { name: past ? 'Uptime then' : 'Uptime', value: uptime },
  ];
  return (
    <TableRow id={id}>
      <Cell colSpan={ALL_COLUMNS}>
        <p>Command, with its secrets removed</p>
        <div className="command">
          <pre>
            <code>{escapeInvisible(command)}</code>
          </pre>
          <CopyButton text={escapeInvisible(command)} name="Copy command" />
        </div>
        <dl>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Cell>
    </TableRow>
  );
}
