import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Process, ProcessSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import { useId, useState } from 'react';
import { ROWS } from '../../../api/polling.ts';
import { Figure } from '../../../components/figure.tsx';
import { Opener } from '../../../components/processes/opener.tsx';
import { ProcessDetails } from '../../../components/processes/process-details.tsx';
import { Uptime } from '../../../components/processes/uptime.tsx';
import { kilobytesQuantity } from '../../../format/figures.ts';
import { coresQuantity, cpuSentence, cpuShare, isHigh } from '../../../format/process-words.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { unlistedCpuText } from '../../../format/unlisted-cpu.ts';
import { HistoryOf } from '../../../components/processes/history-of.tsx';
import { ExpandMore as ExpandMoreIcon } from '../../../components/icons/material.tsx';

const Frame = styled('div')(({ theme }) => ({
  '& table': { tableLayout: 'fixed' },
  '& td, & th': { padding: '0 6px' },
  '& .name': { paddingLeft: 16 },
  '& tr > :last-child': { paddingRight: 16 },
  '& tbody th, & .user': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& tbody th': { fontWeight: 600 },
  '& .user': { color: theme.vars.palette.text.secondary },
  '& [data-high]': { color: theme.vars.palette.load.overText, fontWeight: 600 },
  '& button': { margin: '4px 8px' },
}));
const Note = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  padding: '0 16px 8px',
  color: theme.vars.palette.load.text3,
}));

const COLUMNS = 4;
/** Rows shown first; a button shows the rest. */
const FIRST = 8;
const high = (percent: number | null) => (isHigh(percent) ? '' : undefined);

/** One process of the list; its name opens the whole command, every figure and the history. */
function Row({ process }: { process: Process }) {
  const { pid, name, command, user, cpu_usage: cpu, memory_usage: memory } = process;
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  return (
    <>
      <TableRow>
        <TableCell
          component="th"
          scope="row"
          className="name"
          title={`${escapeInvisible(command) || escapeInvisible(name)}, pid ${pid}`}
        >
          <Opener
            disableRipple
            aria-expanded={open}
            aria-controls={open ? detailsId : undefined}
            onClick={() => setOpen(!open)}
          >
            <span>{escapeInvisible(name)}</span>
            <ExpandMoreIcon aria-hidden />
          </Opener>
        </TableCell>
        <TableCell className="user" title={escapeInvisible(user)}>
          {escapeInvisible(user)}
        </TableCell>
        <TableCell align="right" data-high={high(cpuShare(process))} title={cpuSentence(process) ?? undefined}>
          <Figure {...coresQuantity(cpu)} />
        </TableCell>
        <TableCell align="right" data-high={high(memory)}>
          <Figure {...kilobytesQuantity(process.memory_kb)} />
        </TableCell>
      </TableRow>
      {open && (
        <TableRow id={detailsId}>
          <TableCell colSpan={COLUMNS} sx={{ padding: '0 !important' }}>
            <ProcessDetails
              history={<HistoryOf process={process} />}
              process={process}
              past
              uptime={<Uptime since={process.start_time} until={process.timestamp} />}
            />
          </TableCell>
        </TableRow>
      )}
    </>
  );
}

/** The processes of one snapshot, the greediest first. */
export function ProcessesThen({ answer }: { answer: ProcessSnapshotAnswer }) {
  const { processes, list, server_cpu_usage: cpuPercent } = answer;
  const unlisted = unlistedCpuText({ processes, cpuPercent, isTop: list !== 'newest' });
  const [all, setAll] = useState(false);
  const kept = processes.slice(0, ROWS.processes);
  const shown = all ? kept : kept.slice(0, FIRST);
  return (
    <Frame>
      <Table size="small" aria-label="Processes of the snapshot">
        <colgroup>
          <col />
          <col style={{ width: '20%' }} />
          <col style={{ width: '24%' }} />
          <col style={{ width: '24%' }} />
        </colgroup>
        <TableHead>
          <TableRow>
            <TableCell className="name">Process</TableCell>
            <TableCell>User</TableCell>
            <TableCell align="right" aria-sort="descending">
              CPU
            </TableCell>
            <TableCell align="right">Memory</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {shown.map((process) => (
            <Row key={process.pid} process={process} />
          ))}
        </TableBody>
      </Table>
      {kept.length > FIRST && (
        <Button variant="text" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? `First ${FIRST}` : `All ${kept.length} processes`}
        </Button>
      )}
      {unlisted !== null && <Note>{unlisted}</Note>}
      <Note>CPU in cores. Red: more than 80 % of the machine.</Note>
    </Frame>
  );
}
