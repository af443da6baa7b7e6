import CircularProgress from '@mui/material/CircularProgress';
import { styled } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import { useQueryClient } from '../../api/query.ts';
import { UI } from '../../api/polling.ts';
import { Mark } from '../../components/logo.tsx';
import { callbackError, callbackJoined, callbackToken, scrubAddress } from '../../state/url-codes.ts';
import { invitationCode } from '../../state/invitation-code.ts';
import { returnPath } from '../../state/return-path.ts';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';
import { completeSignIn } from './complete-sign-in.ts';

const Frame = styled('main')(({ theme }) => ({
  minHeight: '100vh',
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 12,
  padding: 16,
  boxSizing: 'border-box',
  textAlign: 'center',
  color: theme.vars.palette.text.secondary,
  '& h1': { ...theme.typography.h1, margin: 0, color: theme.vars.palette.text.primary },
  '& p': { margin: 0 },
  '& p[role="alert"]': { color: theme.vars.palette.load.overText, overflowWrap: 'anywhere' },
}));

/** Read once, before the address is scrubbed. */
const readArrival = () => ({
  token: callbackToken(window.location.hash, window.location.search),
  error: callbackError(window.location.hash, window.location.search),
  joined: callbackJoined(window.location.hash),
});

/** Returns where the person goes. An invitation that the sign-in has used up is not asked about again. */
function nextPath(joined: boolean): string {
  const to = returnPath.take() ?? paths.dashboard;
  if (!joined) return to;
  invitationCode.forget();
  return paths.dashboard;
}

export function Component() {
  const [arrival] = useState(readArrival);
  const [failure, setFailure] = useState<string | null>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();

  useEffect(() => {
    document.title = 'Signing in · Plimsoll';
    scrubAddress();
    queries.clear();
    completeSignIn(arrival).then(
      () => void navigate(nextPath(arrival.joined), { replace: true }),
      (error: unknown) => setFailure(error instanceof Error ? error.message : 'Unknown error'),
    );
  }, [arrival, queries, navigate]);

  useEffect(() => {
    if (failure === null) return;
    const timer = setTimeout(() => void navigate(paths.login, { replace: true }), UI.callbackRedirect);
    return () => clearTimeout(timer);
  }, [failure, navigate]);

  return (
    <Frame>
      <Mark size={54} />
      {failure === null ? (
        <>
          <h1>Completing authentication...</h1>
          <CircularProgress color="info" size={24} aria-label="Completing authentication" />
        </>
      ) : (
        <>
          <h1>Authentication Failed</h1>
          <p role="alert">{failure}</p>
          <p>Redirecting to login...</p>
        </>
      )}
    </Frame>
  );
}
