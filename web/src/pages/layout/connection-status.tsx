import { styled } from '@mui/material/styles';
import { Age } from '../../components/age.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { connection } from '../../state/connection.ts';
import { freshness } from '../../state/freshness.ts';
import { liveness } from '../../state/liveness.ts';
import { useConnectionState } from '../../state/use-connection.ts';
import { useAt } from '../../state/use-at.ts';
import { useStored } from '../../state/use-stored.ts';
import { sinceMoment } from '../../time/since-moment.ts';

const State = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  alignItems: 'center',
  gap: 6,
  marginRight: 8,
  whiteSpace: 'nowrap',
  color: theme.vars.palette.load.text3,
  '& > i': { flex: 'none', width: 6, height: 6, borderRadius: 3, backgroundColor: theme.vars.palette.load.stale },
  '& > b': { fontWeight: 400, color: theme.vars.palette.text.secondary },
  '&[data-state="live"] > i': { backgroundColor: theme.vars.palette.load.okText },
  // The shapes differ, too: a dot, a diamond, a square.
  '&[data-state="late"] > i': {
    backgroundColor: theme.vars.palette.load.nearText,
    borderRadius: 0,
    transform: 'rotate(45deg)',
  },
  '&[data-state="late"] > b': { fontWeight: 500, color: theme.vars.palette.load.nearText },
  '&[data-state="lost"] > i': {
    backgroundColor: theme.vars.palette.load.overText,
    borderRadius: 0,
    width: 8,
    height: 8,
  },
  '&[data-state="lost"] > b': { fontWeight: 600, color: theme.vars.palette.load.overText },
  // A phone has room for one of the two figures: the age of the data while live, else the connection.
  [theme.breakpoints.down('sm')]: {
    '& .verb, & .moment': { display: 'none' },
    '&[data-state="live"] > b, &[data-state="paused"] > b': { display: 'none' },
    '&[data-state="late"] > .age, &[data-state="lost"] > .age': { display: 'none' },
  },
}));

type Shown = 'live' | 'past' | 'paused' | 'silent' | 'late' | 'lost';

const SPOKEN: Record<Shown, string> = {
  live: 'Connection: live',
  past: 'This page shows the past; updates are paused',
  paused: 'Updates are paused',
  silent: 'The source of these figures does not report',
  late: 'Connection: late. The API has not answered for 30 seconds.',
  lost: 'No connection to the API',
};

/** The connection, and as a second figure the age of the page's data. */
export function ConnectionStatus() {
  const state = useConnectionState();
  const [live] = useStored(liveness);
  const [{ answeredAt }] = useStored(connection);
  const [{ verb, at, silent }] = useStored(freshness);
  const [past] = useAt();
  // A lost connection is worse than a silent server, and that is worse than a pause somebody chose. Figures of the past
  // do not age.
  const shown: Shown = state !== 'live' ? state : past !== null ? 'past' : silent ? 'silent' : live ? 'live' : 'paused';
  return (
    <State data-state={shown}>
      <i />
      {shown === 'live' && <b>Live</b>}
      {shown === 'paused' && <b>Paused</b>}
      {past !== null && shown === 'past' && (
        <b>
          {/* A phone has the words in the band below. */}
          <span className="verb">As of </span>
          {sinceMoment(past * 1000)}
        </b>
      )}
      {shown === 'late' && (
        <b>
          Late <Age at={answeredAt} suffix="" />
        </b>
      )}
      {shown === 'lost' && (
        <b>
          No connection<span className="moment"> since {sinceMoment(answeredAt)}</span>
        </b>
      )}
      {shown === 'silent' ? (
        <Age at={at} prefix="Last report " never="No report yet" />
      ) : (
        at !== null &&
        shown !== 'past' && (
          <span className="age">
            <span className="verb">· {verb} </span>
            <Age at={at} />
          </span>
        )
      )}
      <VisuallyHidden role="status">{SPOKEN[shown]}</VisuallyHidden>
    </State>
  );
}
