import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { Process } from '@plimsoll/contract/wire/processes';
import { useId, useState, type ReactNode } from 'react';
import { Figure } from '../../components/figure.tsx';
import { Opener } from '../../components/processes/opener.tsx';
import { ProcessDetails } from '../../components/processes/process-details.tsx';
import { ProcessStatus } from '../../components/processes/process-status.tsx';
import { Uptime } from '../../components/processes/uptime.tsx';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { kilobytesQuantity } from '../../format/figures.ts';
import {
  coresQuantity,
  cpuSentence,
  cpuShare,
  HIGH_PERCENT,
  isHigh,
  shareQuantity,
} from '../../format/process-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { isOfMinute, listTime } from '../../format/fleet-snapshot-words.ts';
import { clockTime, fullMoment, shortDay } from '../../time/zone.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { HistoryOf } from '../../components/processes/history-of.tsx';
import { ExpandMore as ExpandMoreIcon } from '../../components/icons/material.tsx';

const Row = styled(TableRow)(({ theme }) => ({
  cursor: 'pointer',
  '& .quiet': { color: theme.vars.palette.load.text3 },
  '& .cut': { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& .name': { maxWidth: 110 },
  '& .server': { maxWidth: 96 },
  '& .user': { maxWidth: 90 },
  // The command takes what the other columns leave.
  '& .fill': { width: '100%', maxWidth: 0 },
  '& .other-time': { ...theme.typography.caption, display: 'block', color: theme.vars.palette.load.nearText },
  '& .command': { color: theme.vars.palette.text.secondary },
  '& .where': { display: 'none' },
  '& .reading': { display: 'grid', gridTemplateColumns: '68px 52px 36px', alignItems: 'center', gap: 8 },
  '& .reading > :first-of-type, & .reading > :last-of-type': { textAlign: 'right' },
  '& [data-high]': { color: theme.vars.palette.load.overText, fontWeight: 600 },
  '&[data-past]': { color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: {
    '& > th': { width: '100%', maxWidth: 0, paddingBlock: '6px !important' },
    '& .name': { maxWidth: '100%' },
    '& .where': { ...theme.typography.caption, display: 'block', color: theme.vars.palette.text.secondary },
    '& .where code': { fontSize: 11 },
    '& .reading': { gridTemplateColumns: 'auto', gap: 0 },
    '& .reading > :nth-of-type(2)': { display: 'none' },
  },
}));
const Opened = styled(TableCell)({ height: 'auto', padding: '0 !important', maxWidth: 0 });
/** Columns of the table at its widest; on a small screen a cell that spans more than there are spans all. */
const ALL_COLUMNS = 12;

/** "20:52" today, "14 Mar" before. */
const startText = (started: number, sampled: number) =>
  sampled - started < DAY_SECONDS ? clockTime(started * 1000) : shortDay(started * 1000);

const highMark = (percent: number | null, past: boolean) => (!past && isHigh(percent) ? '' : undefined);

interface NameProps {
  process: Process;
  /** Time of its list, if it is another one than the page shows. */
  otherTime: ReactNode;
  open: boolean;
  /** Id of the details below the row. */
  detailsId: string;
  onToggle: () => void;
}

/** The name opens the row; on a phone server, pid and command stand below it. */
function Name({ process, otherTime, open, detailsId, onToggle }: NameProps) {
  const name = escapeInvisible(process.name);
  return (
    <>
      <Opener
        disableRipple
        aria-expanded={open}
        aria-controls={open ? detailsId : undefined}
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
      >
        <span className="cut name" title={name}>
          {name}
        </span>
        <ExpandMoreIcon aria-hidden />
      </Opener>
      <span className="where">
        <span className="cut">
          {escapeInvisible(process.hostname)} · {process.pid}
        </span>
        {otherTime}
        <code className="cut">{escapeInvisible(process.command)}</code>
      </span>
    </>
  );
}

/** Cores, and their share of the server. */
function CpuReading({ process, past }: { process: Process; past: boolean }) {
  const share = cpuShare(process);
  return (
    <span className="reading" data-high={highMark(share, past)} title={cpuSentence(process) ?? undefined}>
      <span>
        <Figure {...coresQuantity(process.cpu_usage)} />
      </span>
      <CapacityBar name="CPU of the server" value={share} line={HIGH_PERCENT} near={0} stale={past || !isHigh(share)} />
      <span>{share !== null && <Figure {...shareQuantity(share)} />}</span>
    </span>
  );
}

interface ProcessRowProps {
  process: Process;
  /** The figures are those of the past: the last ones of an offline server, or those of a chosen moment. */
  past?: boolean;
  /** The minute of a ranking over many servers, epoch seconds: a list of another time names it. */
  minute?: number | null;
}

/** "03:05" beside a server whose list is not of the minute that is shown. */
function OtherTime({ at, minute }: { at: number; minute: number | null }) {
  if (minute === null || isOfMinute(at, minute)) return null;
  return (
    <span className="other-time" title={`The nearest list of this server is of ${fullMoment(at * 1000)}.`}>
      list of {listTime(at, minute)}
    </span>
  );
}

/** One process; a press opens its whole command and every figure below it. */
export function ProcessRow({ process, past = false, minute = null }: ProcessRowProps) {
  const { memory_usage: memory, start_time: started, server_id: serverId } = process;
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  const command = escapeInvisible(process.command);
  const hostname = escapeInvisible(process.hostname);
  const user = escapeInvisible(process.user);
  const otherTime = <OtherTime at={process.timestamp} minute={minute} />;
  const uptime = <Uptime since={started} until={past ? process.timestamp : null} />;
  return (
    <>
      <Row hover data-past={past ? '' : undefined} onClick={() => setOpen(!open)}>
        <TableCell align="right" className="small quiet">
          {process.pid}
        </TableCell>
        <TableCell component="th" scope="row">
          <Name
            process={process}
            otherTime={otherTime}
            open={open}
            detailsId={detailsId}
            onToggle={() => setOpen(!open)}
          />
        </TableCell>
        <TableCell className="wide fill">
          <code className="cut command" title={command}>
            {command}
          </code>
        </TableCell>
        <TableCell className="small">
          <Link
            to={paths.server(serverId)}
            className="cut server"
            title={hostname}
            onClick={(event) => event.stopPropagation()}
          >
            {hostname}
          </Link>
          {otherTime}
        </TableCell>
        <TableCell className="medium">
          <span className="cut user" title={user}>
            {user}
          </span>
        </TableCell>
        <TableCell className="medium">
          <ProcessStatus letter={process.status} past={past} />
        </TableCell>
        <TableCell>
          <CpuReading process={process} past={past} />
        </TableCell>
        <TableCell align="right">
          <span data-high={highMark(memory, past)}>
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
          {uptime}
        </TableCell>
      </Row>
      {open && (
        <TableRow id={detailsId}>
          <Opened colSpan={ALL_COLUMNS}>
            <ProcessDetails history={<HistoryOf process={process} />} process={process} past={past} uptime={uptime} />
          </Opened>
        </TableRow>
      )}
    </>
  );
}
