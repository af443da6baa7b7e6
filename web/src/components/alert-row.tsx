import { styled } from '@mui/material/styles';
import { momentMs } from '../time/age.ts';
import { alertFigure, isState, unbroken } from '../format/alert-words.ts';
import { groupTitle, incidentText, isAcknowledged, lineText } from '../format/incident-words.ts';
import { openSince, type AlertsRow } from '../format/incident-rows.ts';
import { Age } from './age.tsx';
import { Figure } from './figure.tsx';
import { LEVEL_NAME } from './chips.tsx';
import { RowNotes, SubjectLink } from './incidents/place-links.tsx';
import { LevelIcon, ResolvedIcon } from './status-icons.tsx';
import { paths } from '../paths.ts';
import { Link } from '../router.ts';
import { TARGET_PX, TOUCH } from './screen.ts';
import { VisuallyHidden } from './visually-hidden.tsx';
import { Check as CheckIcon } from './icons/material.tsx';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  gap: '0 10px',
  alignItems: 'start',
  padding: '9px 16px',
  '& > svg': { marginTop: 2 },
  // The figure stands at the end of a message: a second line shows it where one line would cut it.
  '& .message': { fontWeight: 600, overflowWrap: 'anywhere' },
  '& .message > a': { color: 'inherit' },
  '& .where': {
    ...theme.typography.caption,
    color: theme.vars.palette.text.secondary,
    display: 'flex',
    gap: 8,
    '& > a, & > .seen': { flex: 'none' },
    [TOUCH]: { alignItems: 'center', flexWrap: 'wrap', '& > a': { lineHeight: `${TARGET_PX}px` } },
    '& svg': { fontSize: 14, verticalAlign: '-3px' },
  },
  '& .age, & .figure': { ...theme.typography.caption, textAlign: 'right', color: theme.vars.palette.load.text3 },
  '& .age': { lineHeight: '20px' },
  '& .figure b': { color: theme.vars.palette.text.primary, fontWeight: 600 },
}));

/** An incident or a group in a feed: the name, what is wrong with it, how long, the value against its line. */
export function AlertRow({ row }: { row: AlertsRow }) {
  const { lead } = row;
  const figure = alertFigure(lead);
  return (
    <Row>
      {lead.status === 'resolved' ? <ResolvedIcon /> : <LevelIcon level={lead.level} />}
      <div style={{ minWidth: 0 }}>
        <div className="message">
          <VisuallyHidden>{LEVEL_NAME[lead.level]}: </VisuallyHidden>
          {row.kind === 'group' ? (
            <Link to={paths.alert(row.id)}>{groupTitle(row)}</Link>
          ) : (
            <>
              <SubjectLink alert={lead} /> · {unbroken(incidentText(row))}
            </>
          )}
        </div>
        <div className="where">
          <RowNotes row={row} />
          {row.kind === 'incident' && lead.server_id !== null && (
            <Link to={paths.serverAt(lead.server_id, lead.timestamp)}>Processes at that time</Link>
          )}
          {isAcknowledged(row) && (
            <span className="seen">
              <CheckIcon aria-hidden /> acknowledged
            </span>
          )}
        </div>
      </div>
      <div>
        <div className="age">
          <Age at={momentMs(openSince(row))} form="short" />
        </div>
        {/* "Offline" and other states are not figures: they have no value that could be missing. */}
        {!isState(lead) && (
          <div className="figure">
            <b>
              <Figure value={figure.value} unit={figure.unit} />
            </b>
            {figure.value !== null && figure.threshold !== null && ` / ${lineText(lead) ?? ''}`}
          </div>
        )}
      </div>
    </Row>
  );
}
