import Checkbox from '@mui/material/Checkbox';
import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { Alert } from '@plimsoll/contract/wire/alerts';
import { lazy, memo, Suspense } from 'react';
import { Age } from '../../components/age.tsx';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { LEVEL_NAME } from '../../components/chips.tsx';
import { Figure } from '../../components/figure.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { LevelIcon, ResolvedIcon } from '../../components/status-icons.tsx';
import { ageText, momentMs } from '../../time/age.ts';
import { alertFigure, alertHeadline, belowWords, isPastLine, unbroken } from '../../format/alert-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { clockTime, dayAndTime } from '../../time/zone.ts';
import { ActButtons } from './acting/act-buttons.tsx';
import type { Acting } from './acting/use-acting.ts';

const loadDetails = () => import('./alert-details.tsx');
const AlertDetails = lazy(loadDetails);

/** Fetches the script of an opened row, so that the first row opens at once. If that fails, opening fetches it again. */
export const prefetchDetails = (): void => void loadDetails().catch(() => undefined);

const Row = styled(TableRow)(({ theme }) => ({
  cursor: 'pointer',
  '&:hover, &[data-open]': { backgroundColor: theme.vars.palette.action.selected },
  '&[data-muted] td': { color: theme.vars.palette.load.text3 },
  '& .level': { display: 'inline-flex', alignItems: 'center', gap: 8 },
  '& .message': {
    ...theme.typography.body2,
    display: 'block',
    textAlign: 'left',
    fontWeight: 600,
    maxWidth: 420,
    // The figure stands at the end of a message: a second line shows it where one line would cut it.
    whiteSpace: 'normal',
    overflowWrap: 'anywhere',
    paddingBlock: 4,
    '&:has(+ .cause)': { paddingBottom: 0 },
  },
  '&[data-muted] .message': { fontWeight: 500 },
  '& .below': { fontWeight: 400, color: theme.vars.palette.text.secondary },
  '& .cause': {
    ...theme.typography.caption,
    display: 'block',
    paddingBottom: 6,
    whiteSpace: 'normal',
    overflowWrap: 'anywhere',
  },
  '& .reading': { display: 'inline-grid', gridTemplateColumns: '52px 56px auto', alignItems: 'center', gap: 8 },
  '& .reading > b': { fontWeight: 600, textAlign: 'right' },
  '&[data-over] .reading > b': { color: theme.vars.palette.load.overText },
  '& .quiet': { color: theme.vars.palette.load.text3 },
  '& .tick': { width: 40, padding: '0 0 0 8px' },
  // The words break beside the button: above it they would make the row higher.
  '& .state': { display: 'flex', alignItems: 'center', justifyContent: 'flex-end', gap: 12 },
  '& .acts': { display: 'inline-flex', gap: 6 },
  '& .acts .MuiButton-root': { padding: '3px 10px' },
  // Else a table with wide actions breaks a short message in two lines.
  [theme.breakpoints.up('lg')]: { '& .message': { minWidth: 240 } },
  [theme.breakpoints.down('lg')]: { '& .acts': { paddingBlock: 4 } },

  '& .small': { ...theme.typography.caption, display: 'block', whiteSpace: 'normal' },
  [theme.breakpoints.up('sm')]: { '& .small': { display: 'none' } },
  [theme.breakpoints.down('sm')]: {
    '& .message': { maxWidth: 'none', whiteSpace: 'normal' },
    '& td': { paddingBlock: 8 },
    '& .acts .MuiButton-root': { minHeight: 40 },
    '& .level > span': { position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' },
  },
}));

/** Returns the alert's duration: "22 min". */
function lastedText({ timestamp, resolved_at: resolved }: Alert): string {
  const end = momentMs(resolved);
  return end === null ? 'resolved' : `resolved after ${ageText(end / 1000 - timestamp)}`;
}

const DAY_MS = 86_400_000;
/** "08:00" within a day, else with the day. */
const untilText = (at: number) => (at - Date.now() < DAY_MS ? clockTime(at) : dayAndTime(at));

function stateText(alert: Alert): string {
  if (alert.status === 'resolved') return lastedText(alert);
  if (alert.status === 'unknown') return 'unknown, the server is silent';
  const silenced = momentMs(alert.silenced_until);
  const by = alert.acknowledged_by === null ? '' : ` by ${escapeInvisible(alert.acknowledged_by)}`;
  return [
    ...(alert.acknowledged_at === null ? [] : [`ack${by}`]),
    ...(silenced === null ? [] : [`snoozed until ${untilText(silenced)}`]),
  ].join(', ');
}

/** Returns the columns that a phone has no room for; the value is in the message. */
const phoneText = (alert: Alert): string =>
  [escapeInvisible(alert.tags.hostname), stateText(alert)].filter((text) => text !== '').join(' · ');

function Reading({ alert }: { alert: Alert }) {
  const { value, threshold, unit, percent } = alertFigure(alert);
  if (value === null) return <Figure value={null} />;
  return (
    <span className="reading">
      <b>
        <Figure value={value} unit={unit} />
      </b>
      {percent ? (
        <CapacityBar
          name={escapeInvisible(alert.metric_name)}
          value={alert.current_value}
          line={alert.threshold_value}
          stale={alert.status !== 'active'}
        />
      ) : (
        <span />
      )}
      <span className="quiet">{threshold ?? 'N/A'}</span>
    </span>
  );
}

interface AlertLineProps {
  alert: Alert;
  open: boolean;
  /** Id of the row to open; '' closes it. */
  onOpen: (id: string) => void;
  /** Null: a viewer reads only. */
  acting: Acting | null;
  ticked: boolean;
  onTick: (id: string, ticked: boolean) => void;
  columns: number;
  /** The last column, with the state and the buttons, has room; else the buttons are below the message. */
  wide: boolean;
}

function LevelCell({ alert }: { alert: Alert }) {
  return (
    <TableCell>
      <span className="level">
        {alert.status === 'resolved' ? <ResolvedIcon /> : <LevelIcon level={alert.level} />}
        <span>{LEVEL_NAME[alert.level]}</span>
      </span>
    </TableCell>
  );
}

/** "web-01 is down · 14 alerts below it", and under it what the alert itself says. */
function MessageCell({
  alert,
  open,
  onToggle,
  acting,
}: Pick<AlertLineProps, 'alert' | 'open' | 'acting'> & { onToggle: () => void }) {
  const below = belowWords(alert);
  const message = escapeInvisible(alert.message);
  return (
    <TableCell>
      <ButtonBase
        className="message"
        title={message}
        aria-expanded={open}
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
      >
        {unbroken(alertHeadline(alert))}
        {below !== null && <span className="below"> · {below}</span>}
      </ButtonBase>
      {alertHeadline(alert) !== message && <span className="cause quiet">{unbroken(message)}</span>}
      <span className="small quiet">{phoneText(alert)}</span>
      {acting !== null && (
        <span className="acts" onClick={(event) => event.stopPropagation()} role="presentation">
          <ActButtons alert={alert} acting={acting} />
        </span>
      )}
    </TableCell>
  );
}

function WhereCell({ alert: { server_id: id, tags } }: { alert: Alert }) {
  const name = escapeInvisible(tags.hostname);
  return (
    <TableCell className="medium">
      {id === null ? (
        name
      ) : (
        <Link to={paths.server(id)} onClick={(event) => event.stopPropagation()}>
          {name}
        </Link>
      )}
    </TableCell>
  );
}

function StateCell({ alert, acting }: Pick<AlertLineProps, 'alert' | 'acting'>) {
  return (
    <TableCell align="right" className="quiet" sx={{ whiteSpace: 'normal' }}>
      <span className="state">
        <span>{stateText(alert)}</span>
        {acting !== null && (
          // A menu of the buttons is drawn elsewhere, but its clicks bubble through here.
          <span className="acts" onClick={(event) => event.stopPropagation()} role="presentation">
            <ActButtons alert={alert} acting={acting} />
          </span>
        )}
      </span>
    </TableCell>
  );
}

const DetailsSkeleton = ({ columns }: { columns: number }) => (
  <TableRow>
    <TableCell colSpan={columns}>
      <RowsSkeleton rows={4} height={32} />
    </TableCell>
  </TableRow>
);

/** One alert, or the cause of an incident with those below it; opens in place. */
function Line({ alert, open, onOpen, acting, ticked, onTick, columns, wide }: AlertLineProps) {
  const muted = alert.status !== 'active';
  const onToggle = () => onOpen(open ? '' : alert.alert_id);
  const over = isPastLine(alert);
  return (
    <>
      <Row
        data-muted={muted ? '' : undefined}
        data-open={open ? '' : undefined}
        data-over={!muted && over ? '' : undefined}
        onClick={onToggle}
      >
        {acting !== null && (
          <TableCell className="tick" onClick={(event) => event.stopPropagation()}>
            {alert.status !== 'resolved' && (
              <Checkbox
                size="small"
                color="info"
                checked={ticked}
                onChange={(_, next) => onTick(alert.alert_id, next)}
                slotProps={{ input: { 'aria-label': `Tick ${escapeInvisible(alert.message)}` } }}
              />
            )}
          </TableCell>
        )}
        <LevelCell alert={alert} />
        <MessageCell alert={alert} open={open} onToggle={onToggle} acting={wide ? null : acting} />
        <WhereCell alert={alert} />
        <TableCell className="wide">
          <code>{escapeInvisible(alert.metric_name)}</code>
        </TableCell>
        <TableCell className="medium">
          <Reading alert={alert} />
        </TableCell>
        <TableCell align="right">
          <Age at={momentMs(alert.timestamp)} form="short" />
        </TableCell>
        {wide && <StateCell alert={alert} acting={acting} />}
      </Row>
      {open && (
        <Suspense fallback={<DetailsSkeleton columns={columns} />}>
          <AlertDetails alert={alert} acting={acting} columns={columns} />
        </Suspense>
      )}
    </>
  );
}

/** Drawn again only when its own alert changes: opening one of a hundred rows must not draw the others. */
export const AlertLine = memo(Line);
