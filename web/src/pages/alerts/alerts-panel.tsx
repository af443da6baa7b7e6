import { CheckCircleOutlined as CheckCircleIcon } from '../../components/icons/first-load.tsx';
import { NotificationsPausedOutlined as NotificationsPausedIcon } from '../../components/icons/pages.tsx';
import Button from '@mui/material/Button';
import { styled, useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import Checkbox from '@mui/material/Checkbox';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import type { Asking } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { numberText } from '../../format/figures.ts';
import { subjectName } from '../../format/incident-words.ts';
import { openIds, rowOf, type AlertsRow } from '../../format/incident-rows.ts';
import { whenIdle } from '../../state/when-idle.ts';
import { momentMs } from '../../time/age.ts';
import { sinceMoment } from '../../time/since-moment.ts';
import { fullMoment } from '../../time/zone.ts';
import { BulkBar } from './acting/bulk-bar.tsx';
import type { Acting } from './acting/use-acting.ts';
import type { AlertRows } from './alert-list.ts';
import { AlertsLine, prefetchDetails } from './list/alerts-line.tsx';
import { FoldLine } from './list/fold-line.tsx';

/** Rows that are drawn at first, and by each press of the button below them. */
const SHOWN = 100;

const Frame = styled(Paper)(({ theme }) => ({
  // Not hidden: that scrolls, and the bar for ticked alerts would stick to the frame and cover the first of them.
  overflow: 'clip',
  '& .more': { display: 'flex', justifyContent: 'center', padding: 8 },
  [theme.breakpoints.down('md')]: { '& .medium': { display: 'none' } },
  [theme.breakpoints.down('sm')]: { '& thead': { display: 'none' } },
}));

interface AlertsPanelProps {
  rows: AlertRows;
  /** Lists what is silenced and resolved, too. */
  all: boolean;
  asked: Asking;
  /** A filter hides alerts. */
  isFiltered: boolean;
  /** Lists what the reader acknowledged only. */
  isMine: boolean;
  /** Id of the open alert or group; '' none. */
  opened: string;
  onOpen: (id: string) => void;
  /** Null: a viewer reads only. */
  acting: Acting | null;
  /** Ids of the ticked rows. */
  ticked: readonly string[];
  onTick: (id: string, ticked: boolean) => void;
  /** Ticks these, and no others. */
  onTickAll: (ids: readonly string[]) => void;
}

type Listed = Omit<AlertsPanelProps, 'asked' | 'isFiltered' | 'isMine'>;

function Head({ rows, acting, ticked, onTickAll, wide }: Listed & { wide: boolean }) {
  const ids = rows.active.map(({ id }) => id);
  return (
    <TableHead>
      <TableRow>
        {acting !== null && (
          <TableCell sx={{ width: 40, p: '0 0 0 8px' }}>
            <Checkbox
              size="small"
              color="info"
              disabled={ids.length === 0}
              checked={ticked.length > 0 && ticked.length === ids.length}
              indeterminate={ticked.length > 0 && ticked.length < ids.length}
              onChange={(_, all) => onTickAll(all ? ids : [])}
              slotProps={{ input: { 'aria-label': 'Tick all open alerts' } }}
            />
          </TableCell>
        )}
        <TableCell>
          <VisuallyHidden>Level</VisuallyHidden>
        </TableCell>
        <TableCell>What is wrong</TableCell>
        <TableCell className="medium">Value and line</TableCell>
        {wide && <TableCell>Who is on it</TableCell>}
        <TableCell align="right">Age</TableCell>
        {acting !== null && (
          <TableCell>
            <VisuallyHidden>Actions</VisuallyHidden>
          </TableCell>
        )}
      </TableRow>
    </TableHead>
  );
}

interface FoldedProps {
  icon: ReactNode;
  title: string;
  rows: readonly AlertsRow[];
  note: ReactNode;
  /** Opens without a click: the page lists all, or an alert in it is open. */
  forced: boolean;
  columns: number;
  draw: (row: AlertsRow) => ReactNode;
}

function Folded({ icon, title, rows, note, forced, columns, draw }: FoldedProps) {
  const [isUnfolded, setUnfolded] = useState<boolean | null>(null);
  if (rows.length === 0) return null;
  const open = isUnfolded ?? forced;
  const fold = { icon, title, count: rows.length, note, open, columns };
  return (
    <>
      <FoldLine {...fold} onToggle={() => setUnfolded(!open)} />
      {open && rows.slice(0, SHOWN).map(draw)}
      {open && rows.length > SHOWN && (
        <TableRow>
          <TableCell colSpan={columns}>
            and {numberText(rows.length - SHOWN)} more. Choose a shorter range or a filter to see them.
          </TableCell>
        </TableRow>
      )}
    </>
  );
}

const Clock = ({ at }: { at: number }) => (
  <time dateTime={new Date(at).toISOString()} title={fullMoment(at)}>
    {sinceMoment(at)}
  </time>
);

/** "next ends 22:00". */
function NextEnd({ rows }: { rows: readonly AlertsRow[] }) {
  const ends = rows.flatMap(({ alerts }) => alerts.flatMap(({ silenced_until: until }) => momentMs(until) ?? []));
  return (
    ends.length > 0 && (
      <>
        next ends <Clock at={Math.min(...ends)} />
      </>
    )
  );
}

/** "latest: web-fra-03, resolved 20:31", with the day if that is not today. */
function LatestEnd({ rows: [latest] }: { rows: readonly AlertsRow[] }) {
  const end = momentMs(latest?.lead.resolved_at ?? null);
  if (latest === undefined || end === null) return null;
  return (
    <>
      latest: {subjectName(latest.lead)}, resolved <Clock at={end} />
    </>
  );
}

function AlertsTable(props: Listed & { most: number }) {
  const { rows, all, opened, onOpen, acting, ticked, onTick, most } = props;
  const wide = useMediaQuery(useTheme().breakpoints.up('lg'));
  const columns = (acting === null ? 4 : 6) + (wide ? 1 : 0);
  useEffect(() => whenIdle(prefetchDetails), []);
  const draw = (row: AlertsRow) => (
    <AlertsLine
      key={row.id}
      row={row}
      opened={opened !== '' && rowOf([row], opened) !== undefined ? opened : ''}
      onOpen={onOpen}
      acting={acting}
      ticked={ticked.includes(row.id)}
      onTick={onTick}
      columns={columns}
      wide={wide}
    />
  );
  const holds = (list: readonly AlertsRow[]) => opened !== '' && rowOf(list, opened) !== undefined;
  return (
    <Table aria-label="Alerts">
      <Head {...props} wide={wide} />
      <TableBody>
        {rows.active.slice(0, most).map(draw)}
        <Folded
          key={`silenced ${String(all)}`}
          icon={<NotificationsPausedIcon aria-hidden />}
          title="Silenced"
          rows={rows.silenced}
          note={<NextEnd rows={rows.silenced} />}
          forced={all || holds(rows.silenced)}
          columns={columns}
          draw={draw}
        />
        <Folded
          key={`resolved ${String(all)}`}
          icon={<CheckCircleIcon aria-hidden />}
          title="Resolved"
          rows={rows.resolved}
          note={<LatestEnd rows={rows.resolved} />}
          forced={all || holds(rows.resolved)}
          columns={columns}
          draw={draw}
        />
      </TableBody>
    </Table>
  );
}

/** Says why no row is active. */
function emptyWords(
  { silenced, resolved }: AlertRows,
  { isFiltered, isMine }: Pick<AlertsPanelProps, 'isFiltered' | 'isMine'>,
): { sentence: string; reason: string } {
  const isEmpty = silenced.length + resolved.length === 0;
  if (isMine && !isFiltered)
    return { sentence: 'None is yours', reason: 'An open alert that you acknowledge is listed here.' };
  if (isFiltered && isEmpty) return { sentence: 'No alert matches', reason: 'Clear a filter to see more.' };
  if (silenced.length > 0) return { sentence: 'No alert is active', reason: 'All that is open is silenced.' };
  return {
    sentence: isEmpty ? 'No alerts in this time range' : 'No alert is active',
    reason: 'No value stayed over its threshold long enough.',
  };
}

export function AlertsPanel({ asked, isFiltered, isMine, ...list }: AlertsPanelProps) {
  const { rows, acting, ticked, onTickAll, opened } = list;
  const [pages, setPages] = useState(1);
  const { active, silenced, resolved } = rows;
  const count = active.length + silenced.length + resolved.length;
  // The alert of a link is drawn wherever it stands.
  const at = opened === '' ? -1 : active.findIndex((row) => rowOf([row], opened) !== undefined);
  const most = Math.max(pages * SHOWN, at + 1);
  const chosen = active.filter(({ id }) => ticked.includes(id)).flatMap(openIds);
  return (
    <Frame>
      <Failure asked={asked} />
      {acting !== null && <BulkBar chosen={chosen} acting={acting} onClear={() => onTickAll([])} />}
      {asked.isPending && <RowsSkeleton rows={6} height={48} />}
      {!asked.isPending && asked.error === null && active.length === 0 && (
        <EmptyState size={count === 0 ? 'panel' : 'line'} {...emptyWords(rows, { isFiltered, isMine })} />
      )}
      {count > 0 && <AlertsTable {...list} most={most} />}
      {active.length > most && (
        <div className="more">
          <Button variant="text" onClick={() => setPages(Math.ceil(most / SHOWN) + 1)}>
            Show {numberText(Math.min(SHOWN, active.length - most))} more of {numberText(active.length)}
          </Button>
        </div>
      )}
    </Frame>
  );
}
