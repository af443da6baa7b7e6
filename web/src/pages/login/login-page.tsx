import { useEffect, useState } from 'react';
import { failureText, RequestFailed } from '../../api/client.ts';
import { useQuery, useQueryClient } from '../../api/query.ts';
import { authUrl, exchangeCode, signInMethodsQuery } from '../../api/sign-in.ts';
import { Notice } from '../../components/feedback/notice.tsx';
import { useStored } from '../../state/use-stored.ts';
import { scrubAddress, setupCode } from '../../state/url-codes.ts';
import { returnPath, safeReturnPath } from '../../state/return-path.ts';
import { sessionToken } from '../../state/session-token.ts';
import { paths } from '../../paths.ts';
import { Link, Navigate, useLocation } from '../../router.ts';
import { AccountForm } from './account-form.tsx';
import { FirstRunForm } from './first-run-form.tsx';
import { LocalForm } from './local-form.tsx';
import { Column, Divider, Fine, Host, Title } from './login-parts.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import type { Provider } from './provider-buttons.tsx';
import { Waterline } from './waterline.tsx';

/** The page that sent the person here, if it may be gone back to. */
function useReturnPath(): string {
  const { state } = useLocation();
  const from: unknown = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  return safeReturnPath(from) ?? paths.dashboard;
}

/**
 * Takes the first-run code out of the address as soon as it has been read. A link pasted into a tab that shows this page
 * already changes the fragment only: the page is not loaded again.
 */
function useSetupCode() {
  const [code, setCode] = useState(() => setupCode(window.location.hash));
  useEffect(() => {
    const take = () => {
      const found = setupCode(window.location.hash);
      if (found !== null) setCode(found);
      if (window.location.hash !== '') scrubAddress();
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return [code, setCode] as const;
}

export function Component() {
  const [token] = useStored(sessionToken);
  const [code, setCode] = useSetupCode();
  const [error, setError] = useState<string | null>(null);
  const to = useReturnPath();
  const queries = useQueryClient();
  useEffect(() => {
    document.title = 'Sign in · Plimsoll';
  }, []);

  if (token !== null && code === null) return <Navigate to={to} replace />;
  const begin = () => {
    setError(null);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'sign-in-methods' });
  };
  const fail = (failure: unknown) => {
    setError(failureText(failure));
    if (failure instanceof RequestFailed && failure.code === 'first_run_over') setCode(null);
  };
  return (
    <Waterline>
      <Title>{code === null ? 'Sign in to Plimsoll' : 'Create the first account'}</Title>
      <Host>{window.location.host}</Host>
      <Column>
        {error !== null && <Notice tone="error">Login error: {error}</Notice>}
        {code === null ? (
          <SignIn to={to} begin={begin} fail={fail} onCode={setCode} />
        ) : (
          <AccountForm
            create={(account) => exchangeCode({ code, account })}
            onBegin={begin}
            onFail={fail}
            onDone={() => setCode(null)}
          />
        )}
      </Column>
      <Fine>
        By continuing you agree to the <Link to={paths.terms}>Terms of Service</Link> and{' '}
        <Link to={paths.privacy}>Privacy Policy</Link>.
      </Fine>
    </Waterline>
  );
}

interface SignInProps {
  to: string;
  begin: () => void;
  fail: (error: unknown) => void;
  onCode: (code: string) => void;
}

function SignIn({ to, begin, fail, onCode }: SignInProps) {
  const methods = useQuery(signInMethodsQuery());
  const [connecting, setConnecting] = useState<Provider | null>(null);
  const choose = async (provider: Provider) => {
    setConnecting(provider);
    begin();
    try {
      const address = await authUrl(provider);
      returnPath.remember(to);
      window.location.assign(address);
    } catch (error) {
      setConnecting(null);
      fail(error);
    }
  };
  const local = methods.data?.methods.find(({ id }) => id === 'local');
  return (
    <>
      <ProviderButtons
        methods={methods.data?.methods}
        connecting={connecting}
        disabled={false}
        onChoose={(provider) => void choose(provider)}
      />
      {methods.data?.first_run === true && <FirstRunForm onCode={onCode} />}
      {/* Until the answer comes it is not known which form follows: a wrong one would vanish under the hand. */}
      {!methods.isPending && methods.data?.first_run !== true && local?.enabled !== false && (
        <>
          <Divider>or with a local account</Divider>
          <LocalForm disabled={connecting !== null} onBegin={begin} onFail={fail} />
        </>
      )}
      {methods.isError && <Notice tone="warning">Could not load the sign-in methods: {methods.error.message}.</Notice>}
    </>
  );
}
