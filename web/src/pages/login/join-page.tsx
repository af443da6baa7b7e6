import type { InvitationLookAnswer } from '@plimsoll/contract/wire/accounts/team';
import { useEffect, useState } from 'react';
import { failureText } from '../../api/client.ts';
import { useQuery } from '../../api/query.ts';
import { signInMethodsQuery } from '../../api/sign-in.ts';
import { invitationQuery, invitedAuthUrl, joinTeam, signUpInvited } from '../../api/team.ts';
import { profileQuery } from '../../api/user.ts';
import { Notice } from '../../components/feedback/notice.tsx';
import { PageSpinner } from '../../components/feedback/page-spinner.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { ROLE_NAME, ROLE_RIGHTS } from '../../format/role-words.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { invitationCode } from '../../state/invitation-code.ts';
import { returnPath } from '../../state/return-path.ts';
import { sessionToken } from '../../state/session-token.ts';
import { invitedCode, scrubAddress } from '../../state/url-codes.ts';
import { useStored } from '../../state/use-stored.ts';
import { AccountForm } from './account-form.tsx';
import { Column, Divider, Fine, Host, TallButton, Title } from './login-parts.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import type { Provider } from './provider-buttons.tsx';
import { Waterline } from './waterline.tsx';

const taken = (): string | null => {
  const found = invitedCode(window.location.hash);
  if (found !== null) invitationCode.remember(found);
  return found ?? invitationCode.get();
};

/**
 * Takes the code out of the address as soon as it has been read; a sign-in in between brings the page back without it. A
 * link pasted into a tab that shows this page changes the fragment only: the page is not loaded again.
 */
function useInvitedCode(): string | null {
  const [code, setCode] = useState(taken);
  useEffect(() => {
    document.title = 'Invitation · Plimsoll';
    const take = () => {
      setCode(taken());
      if (window.location.hash !== '') scrubAddress();
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return code;
}

/** Everything that was read for another organisation goes with the page. */
function openDashboard(): void {
  invitationCode.forget();
  window.location.assign(paths.dashboard);
}

export function Component() {
  const code = useInvitedCode();
  if (code === null)
    return (
      <Waterline>
        <Title>This link has no invitation</Title>
        <Column>
          <Notice tone="warning">Open the whole link that you were sent. It ends with “#code=” and the code.</Notice>
        </Column>
      </Waterline>
    );
  return <Invitation key={code} code={code} />;
}

function Invitation({ code }: { code: string }) {
  const asked = useQuery(invitationQuery(code));
  const [token] = useStored(sessionToken);
  if (asked.isPending) return <PageSpinner />;
  if (asked.data === undefined)
    return (
      <Waterline>
        <Title>This invitation does not work</Title>
        <Column>
          <Notice tone="error">{failureText(asked.error)}</Notice>
        </Column>
        <Fine>
          <Link to={paths.dashboard}>Open the dashboard</Link>
        </Fine>
      </Waterline>
    );
  const { role } = asked.data;
  return (
    <Waterline>
      <Title>Join {escapeInvisible(asked.data.organisation)}</Title>
      <Host>
        as {ROLE_NAME[role].toLowerCase()}: {ROLE_RIGHTS[role]}
      </Host>
      <Column>
        {token === null ? (
          <NewAccount code={code} invitation={asked.data} />
        ) : (
          <KnownAccount code={code} invitation={asked.data} />
        )}
      </Column>
    </Waterline>
  );
}

interface AnswerProps {
  code: string;
  invitation: InvitationLookAnswer;
}

function NewAccount({ code, invitation: { email } }: AnswerProps) {
  const methods = useQuery(signInMethodsQuery());
  const [error, setError] = useState<string | null>(null);
  const [connecting, setConnecting] = useState<Provider | null>(null);
  const offered = methods.data?.methods.filter(({ enabled }) => enabled) ?? [];
  const hasProvider = offered.some(({ id }) => id !== 'local');
  const choose = async (provider: Provider) => {
    setConnecting(provider);
    setError(null);
    try {
      const address = await invitedAuthUrl({ code, provider });
      // Whoever has an account already decides here, once signed in.
      returnPath.remember(paths.join);
      window.location.assign(address);
    } catch (failure) {
      setConnecting(null);
      setError(failureText(failure));
    }
  };
  return (
    <>
      {error !== null && <Notice tone="error">{error}</Notice>}
      {hasProvider && (
        <>
          <ProviderButtons
            methods={offered}
            onlyOffered
            connecting={connecting}
            disabled={false}
            onChoose={(provider) => void choose(provider)}
          />
          <Divider>or</Divider>
        </>
      )}
      <AccountForm
        email={email}
        create={(account) => signUpInvited({ code, ...account })}
        onBegin={() => setError(null)}
        onFail={(failure) => setError(failureText(failure))}
        onDone={openDashboard}
      />
      <Fine>
        You have an account?{' '}
        <Link to={paths.login} state={{ from: paths.join }}>
          Sign in first
        </Link>
      </Fine>
    </>
  );
}

function KnownAccount({ code, invitation: { organisation } }: AnswerProps) {
  const profile = useQuery(profileQuery());
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const join = async () => {
    setBusy(true);
    setError(null);
    try {
      await joinTeam(code);
      openDashboard();
    } catch (failure) {
      setError(failureText(failure));
      setBusy(false);
    }
  };
  const email = profile.data?.user.email;
  return (
    <>
      {error !== null && <Notice tone="error">{error}</Notice>}
      <Notice>
        {email === undefined ? 'You are signed in.' : `You are signed in as ${escapeInvisible(email)}.`} You see the
        servers of {escapeInvisible(organisation)} then. Your own stay where they are, and you see them again when you
        leave. Your other sessions end.
      </Notice>
      <TallButton variant="contained" disabled={busy} onClick={() => void join()}>
        {busy ? 'Joining...' : `Join ${escapeInvisible(organisation)}`}
      </TallButton>
    </>
  );
}
