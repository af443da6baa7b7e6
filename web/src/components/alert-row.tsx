import CheckIcon from '@mui/icons-material/Check';
import { styled } from '@mui/material/styles';
import type { Alert } from '@plimsoll/contract/wire/alerts';
import { momentMs } from '../time/age.ts';
import { alertFigure, alertHeadline, belowWords, unbroken } from '../format/alert-words.ts';
import { escapeInvisible } from '../format/escape-invisible.ts';
import { MiddleTruncate } from './middle-truncate.tsx';
import { Age } from './age.tsx';
import { Figure } from './figure.tsx';
import { LEVEL_NAME } from './chips.tsx';
import { LevelIcon, ResolvedIcon } from './status-icons.tsx';
import { paths } from '../paths.ts';
import { Link } from '../router.ts';
import { TARGET_PX, TOUCH } from './screen.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  gap: '0 10px',
  alignItems: 'start',
  padding: '9px 16px',
  '& > svg': { marginTop: 2 },
  // The figure stands at the end of a message: a second line shows it where one line would cut it.
  '& .message': { fontWeight: 600, overflowWrap: 'anywhere' },
  '& .where': {
    ...theme.typography.caption,
    color: theme.vars.palette.text.secondary,
    display: 'flex',
    gap: 8,
    '& > a, & > .below': { flex: 'none' },
    [TOUCH]: { alignItems: 'center', flexWrap: 'wrap', '& > a': { lineHeight: `${TARGET_PX}px` } },
    '& svg': { fontSize: 14, verticalAlign: '-3px' },
  },
  '& .age, & .figure': { ...theme.typography.caption, textAlign: 'right', color: theme.vars.palette.load.text3 },
  '& .age': { lineHeight: '20px' },
  '& .figure b': { color: theme.vars.palette.text.primary, fontWeight: 600 },
}));

/** An alert in a feed: what, where, how long, the value against its threshold. */
export function AlertRow({ alert }: { alert: Alert }) {
  const figure = alertFigure(alert);
  return (
    <Row>
      {alert.status === 'resolved' ? <ResolvedIcon /> : <LevelIcon level={alert.level} />}
      <div style={{ minWidth: 0 }}>
        <div className="message" title={escapeInvisible(alert.message)}>
          <VisuallyHidden>{LEVEL_NAME[alert.level]}: </VisuallyHidden>
          {unbroken(alertHeadline(alert))}
        </div>
        <div className="where">
          <MiddleTruncate text={escapeInvisible(alert.tags.hostname)} />
          {belowWords(alert) !== null && <span className="below">{belowWords(alert)}</span>}
          {alert.server_id !== null && (
            <Link to={paths.serverAt(alert.server_id, alert.timestamp)}>Processes at that time</Link>
          )}
          {alert.acknowledged_at !== null && (
            <span>
              <CheckIcon aria-hidden /> acknowledged
            </span>
          )}
        </div>
      </div>
      <div>
        <div className="age">
          <Age at={momentMs(alert.timestamp)} form="short" />
        </div>
        {/* "Offline" and other states are not figures: they have no value that could be missing. */}
        {(figure.value !== null || figure.threshold !== null) && (
          <div className="figure">
            <b>
              <Figure value={figure.value} unit={figure.unit} />
            </b>
            {figure.value !== null && figure.threshold !== null && ` / ${figure.threshold}`}
          </div>
        )}
      </div>
    </Row>
  );
}
