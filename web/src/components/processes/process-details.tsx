import { styled } from '@mui/material/styles';
import type { Process } from '@plimsoll/contract/wire/processes';
import type { ReactNode } from 'react';
import { CopyButton } from '../form/copy-button.tsx';
import { Figure } from '../figure.tsx';
import { kilobytesQuantity } from '../../format/figures.ts';
import { commandOf, cpuSentence } from '../../format/process-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { fullMoment } from '../../time/zone.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { ProcessStatus } from './process-status.tsx';

const Frame = styled('div')(({ theme }) => ({
  padding: '12px 16px 16px',
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
  process: Process;
  /** The figures are those of a moment of the past. */
  past: boolean;
  uptime: ReactNode;
  history: ReactNode;
}

interface Fact {
  name: string;
  value: ReactNode;
}

/**
 * The whole command, which the agent has redacted, every figure of a process, also those a phone has no column for, and its
 * history.
 */
export function ProcessDetails({ process, past, uptime, history }: ProcessDetailsProps) {
  const command = commandOf(process);
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
    <Frame>
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
      {history}
    </Frame>
  );
}
