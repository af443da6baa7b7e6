import { isSignedOutStatus } from '../../api/client.ts';
import { useQuery } from '../../api/query.ts';
import { profileQuery } from '../../api/user.ts';
import { PageSpinner } from '../../components/feedback/page-spinner.tsx';
import { ErrorState, failureDetail } from '../../components/feedback/states.tsx';
import { useStored } from '../../state/use-stored.ts';
import { viewOf, ViewProvider } from '../../state/view.ts';
import { sessionToken } from '../../state/session-token.ts';
import { paths } from '../../paths.ts';
import { Navigate, useLocation } from '../../router.ts';
import { Layout } from './layout.tsx';

/** Lets only a signed-in person through. A failing API is not a sign-out: it gets a message and a retry. */
export function Component() {
  const [token] = useStored(sessionToken);
  const profile = useQuery({ ...profileQuery(), enabled: token !== null });
  const { pathname, search } = useLocation();

  if (token === null) return <Navigate to={paths.login} replace state={{ from: `${pathname}${search}` }} />;
  // The frame is of now; it gives its page the moment.
  const view = { ...viewOf(new URLSearchParams(search)), at: null };
  if (profile.data)
    return (
      <ViewProvider value={view}>
        <Layout />
      </ViewProvider>
    );
  if (profile.isPending) return <PageSpinner />;
  if (isSignedOutStatus(profile.error.status)) return <SignedOut />;
  return (
    <Layout>
      <ErrorState
        message="Failed to load profile"
        detail={failureDetail(profile.error)}
        at={profile.errorUpdatedAt}
        onRetry={() => void profile.refetch()}
      />
    </Layout>
  );
}

function SignedOut() {
  const [, setToken] = useStored(sessionToken);
  if (sessionToken.get() !== null) queueMicrotask(() => setToken(null));
  return <Navigate to={paths.login} replace />;
}
