import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useQueryClient } from '../../api/query.ts';
import { connection } from '../../state/connection.ts';
import type { Connection } from '../../state/connection.ts';
import { useConnectionState } from '../../state/use-connection.ts';
import { useStored } from '../../state/use-stored.ts';
import { sinceMoment } from '../../time/since-moment.ts';
import { ErrorOutlineOutlined as ErrorOutlineIcon } from '../../components/icons/first-load.tsx';

const Band = styled('section')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  padding: '8px 24px',
  borderBottom: `1px solid ${theme.vars.palette.load.overText}`,
  // The tint is translucent and the page scrolls below it.
  background: `linear-gradient(${theme.vars.palette.load.overTint}, ${theme.vars.palette.load.overTint}) ${theme.vars.palette.background.default}`,
  '& > svg': { flex: 'none', fontSize: 18, color: theme.vars.palette.load.overText },
  '& > div': { flex: 1, minWidth: 0, overflowWrap: 'anywhere' },
  '& strong': { fontWeight: 600, color: theme.vars.palette.load.overText },
  '& p': { margin: 0, color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: { padding: '8px 12px', gap: 8 },
}));

function causeOf({ fault, refusal }: Connection): string {
  if (fault === 'offline') return 'This browser has no network.';
  return refusal === null ? 'The API does not answer.' : `The API refuses to answer: ${refusal}.`;
}

/** The one band of the page while the connection is lost; goes away by itself. */
export function ConnectionBand() {
  const state = useConnectionState();
  const [current] = useStored(connection);
  const queries = useQueryClient();
  if (state !== 'lost') return null;
  const since = sinceMoment(current.answeredAt);
  return (
    <Band aria-label="Connection">
      <ErrorOutlineIcon aria-hidden />
      <div>
        <strong>No connection since {since}</strong>
        <p>
          {causeOf(current)} The figures below are from {since} or older. The page reconnects by itself.
        </p>
      </div>
      {current.fault !== 'offline' && (
        <Button variant="outlined" onClick={() => void queries.invalidateQueries()}>
          Retry
        </Button>
      )}
    </Band>
  );
}
