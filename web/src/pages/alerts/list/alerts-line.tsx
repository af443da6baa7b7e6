import Checkbox from '@mui/material/Checkbox';
import ButtonBase from '@mui/material/ButtonBase';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { lazy, memo, Suspense } from 'react';
import type { ReactNode } from 'react';
import { Age } from '../../../components/age.tsx';
import { LEVEL_NAME } from '../../../components/chips.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { RowCause, RowNotes, SubjectLink } from '../../../components/incidents/place-links.tsx';
import { LevelIcon, ResolvedIcon } from '../../../components/status-icons.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { isPastLine, unbroken } from '../../../format/alert-words.ts';
import { groupTitle, incidentText } from '../../../format/incident-words.ts';
import { openIds, openSince, type AlertsRow, type GroupRow } from '../../../format/incident-rows.ts';
import { momentMs } from '../../../time/age.ts';
import { loadScript } from '../../../state/load-script.ts';
import { ActMenu } from '../acting/act-menu.tsx';
import type { Acting } from '../acting/use-acting.ts';
import { aboutRow } from './about-row.ts';
import { GroupReading, Reading } from './reading.tsx';
import { AcknowledgeButton, GroupActs } from './row-acts.tsx';
import { Row } from './row-style.ts';
import { stateParts } from './state-words.ts';

const loadDetails = () => loadScript(() => import('../alert-details.tsx'));
const RowDetails = lazy(loadDetails);

/** Fetches the script of an opened row, so that the first row opens at once. If that fails, opening fetches it again. */
export const prefetchDetails = (): void => void loadDetails().catch(() => undefined);

interface AlertsLineProps {
  row: AlertsRow;
  /** Id of the open alert or group in this row; '' closed. */
  opened: string;
  /** Id of the row to open; '' closes it. */
  onOpen: (id: string) => void;
  /** Null: a viewer reads only. */
  acting: Acting | null;
  ticked: boolean;
  onTick: (id: string, ticked: boolean) => void;
  columns: number;
  /** There is room for the state and the buttons; else one button opens what can be done. */
  wide: boolean;
}

/** Clicks in it do not open the row. A menu of its buttons is drawn elsewhere, but its clicks bubble through here. */
const Still = ({ className, children }: { className: string; children: ReactNode }) => (
  <TableCell className={className} onClick={(event) => event.stopPropagation()}>
    {children}
  </TableCell>
);

function Tick({ row, ticked, onTick }: Pick<AlertsLineProps, 'row' | 'ticked' | 'onTick'>) {
  if (openIds(row).length === 0) return null;
  return (
    <Checkbox
      size="small"
      color="info"
      checked={ticked}
      onChange={(_, next) => onTick(row.id, next)}
      slotProps={{ input: { 'aria-label': `Tick ${aboutRow(row)}` } }}
    />
  );
}

interface WhatProps {
  row: AlertsRow;
  open: boolean;
  onToggle: () => void;
  /** The person who works on it, where no column has it. */
  notes: readonly string[];
}

/** "shop/checkout · 3 of 8 pods in CrashLoopBackOff": the name leads to its page, the rest opens the row. */
function What({ row, open, onToggle, notes }: WhatProps) {
  const isGroup = row.kind === 'group';
  const text = unbroken(isGroup ? groupTitle(row) : incidentText(row));
  return (
    <TableCell className="what">
      <div className="title">
        {!isGroup && (
          <>
            <SubjectLink alert={row.lead} />
            <span className="dot" aria-hidden>
              ·
            </span>
          </>
        )}
        {/* A button would be a box of its own: on a phone the words go on in the line of the name. */}
        <ButtonBase
          component="span"
          className="message"
          title={text}
          aria-label={unbroken(aboutRow(row))}
          aria-expanded={open}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          {text}
        </ButtonBase>
      </div>
      <RowNotes row={row} after={notes} />
      {!open && <RowCause row={row} />}
    </TableCell>
  );
}

/** "nobody yet" below each row would say nothing. */
const isWorthSaying = (text: string): boolean => text !== 'nobody yet';

const Buttons = ({ row, acting }: { row: GroupRow; acting: Acting }) => (
  <span className="acts" onClick={(event) => event.stopPropagation()} role="presentation">
    <GroupActs row={row} acting={acting} />
  </span>
);

const DetailsSkeleton = ({ columns }: { columns: number }) => (
  <TableRow>
    <TableCell colSpan={columns}>
      <RowsSkeleton rows={4} height={32} />
    </TableCell>
  </TableRow>
);

/** An incident or a group of them; opens in place. */
function Line({ row, opened, onOpen, acting, ticked, onTick, columns, wide }: AlertsLineProps) {
  const { lead } = row;
  const open = opened !== '';
  const muted = lead.status !== 'active';
  const onToggle = () => onOpen(open ? '' : row.id);
  const state = stateParts(row);
  const hasButtons = wide && acting !== null && row.kind === 'group';
  const isStateShown = wide && !hasButtons;
  return (
    <>
      <Row
        data-alert={row.id}
        data-muted={muted ? '' : undefined}
        data-open={open ? '' : undefined}
        data-over={!muted && isPastLine(lead) ? '' : undefined}
        onClick={onToggle}
      >
        {acting !== null && (
          <Still className="tick">
            <Tick row={row} ticked={ticked} onTick={onTick} />
          </Still>
        )}
        <TableCell className="level">
          <span>{lead.status === 'resolved' ? <ResolvedIcon /> : <LevelIcon level={lead.level} />}</span>
          <VisuallyHidden>{LEVEL_NAME[lead.level]}</VisuallyHidden>
        </TableCell>
        <What row={row} open={open} onToggle={onToggle} notes={isStateShown ? [] : state.filter(isWorthSaying)} />
        <TableCell className="medium">
          {row.kind === 'group' ? <GroupReading row={row} /> : <Reading alert={lead} />}
        </TableCell>
        {wide && (
          <TableCell className="state">
            {hasButtons ? <Buttons row={row} acting={acting} /> : state.join(', ')}
          </TableCell>
        )}
        <TableCell align="right">
          <Age at={momentMs(openSince(row))} form="short" />
        </TableCell>
        {acting !== null && (
          <Still className="menu">
            {wide && row.kind === 'incident' && <AcknowledgeButton row={row} acting={acting} />}
            <ActMenu row={row} acting={acting} />
          </Still>
        )}
      </Row>
      {open && (
        <Suspense fallback={<DetailsSkeleton columns={columns} />}>
          <RowDetails row={row} opened={opened} acting={acting} columns={columns} />
        </Suspense>
      )}
    </>
  );
}

/** Returns true if both rows draw the same: each answer makes new rows of the alerts that it did not change. */
function isSameRow(a: AlertsRow, b: AlertsRow): boolean {
  return a.id === b.id && a.alerts.length === b.alerts.length && a.alerts.every((alert, at) => alert === b.alerts[at]);
}

/** Drawn again only when its own alerts change: opening one of a hundred rows must not draw the others. */
export const AlertsLine = memo(Line, (before, after) => {
  const { row: rowBefore, ...rest } = before;
  const { row: rowAfter, ...other } = after;
  const names = Object.keys(rest) as (keyof typeof rest)[];
  return isSameRow(rowBefore, rowAfter) && names.every((name) => rest[name] === other[name]);
});
