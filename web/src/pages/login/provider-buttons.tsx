import type { SignInMethodsAnswer } from '@plimsoll/contract/wire/accounts/auth';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { GitHubMark, GoogleMark } from '../../components/provider-mark.tsx';
import { ProviderButton, Reasons, Why } from './login-parts.tsx';

export type Provider = 'github' | 'google' | 'oidc';
type Method = SignInMethodsAnswer['methods'][number];

interface ProviderButtonsProps {
  /** Undefined while the installation has not said what it offers. */
  methods: readonly Method[] | undefined;
  /** The one being connected to, if any. */
  connecting: Provider | null;
  disabled: boolean;
  /** True: leaves out what is not configured, which an invited person cannot change. */
  onlyOffered?: boolean;
  onChoose: (provider: Provider) => void;
}

const NAMES: Record<Provider, string> = { github: 'GitHub', google: 'Google', oidc: 'OIDC' };

interface OneProps extends Omit<ProviderButtonsProps, 'methods' | 'onlyOffered'> {
  id: Provider;
  name: string;
  mark: ReactNode;
  /** Id of the text that says why this way is off; undefined: it is on. */
  whyId: string | undefined;
}

function One({ id, name, mark, whyId, connecting, disabled, onChoose }: OneProps) {
  return (
    <ProviderButton
      variant="outlined"
      disabled={disabled || connecting !== null || whyId !== undefined}
      aria-describedby={whyId}
      onClick={() => onChoose(id)}
    >
      {mark}
      {connecting === id ? 'Connecting...' : `Continue with ${name}`}
    </ProviderButton>
  );
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' });

/**
 * GitHub and Google always stand first. The reasons of those that are not configured are folded: the way in that works
 * is more important than the settings of those that do not.
 */
export function ProviderButtons({ methods, onlyOffered = false, ...rest }: ProviderButtonsProps) {
  const whyId = useId();
  const of = (id: Provider) => methods?.find((method) => method.id === id);
  const oidc = of('oidc');
  const shows = (id: Provider) => !onlyOffered || of(id)?.enabled === true;
  const off = (['github', 'google'] as const).flatMap((id) => {
    const method = of(id);
    if (method === undefined || method.enabled) return [];
    return [{ id, reason: method.reason ?? `${NAMES[id]} sign-in is not configured` }];
  });
  const why = (id: Provider) => (off.some((each) => each.id === id) ? `${whyId}-${id}` : undefined);
  return (
    <>
      {shows('github') && <One id="github" name="GitHub" mark={<GitHubMark />} whyId={why('github')} {...rest} />}
      {shows('google') && <One id="google" name="Google" mark={<GoogleMark />} whyId={why('google')} {...rest} />}
      {oidc?.enabled === true && <One id="oidc" name={oidc.name} mark={null} whyId={undefined} {...rest} />}
      {off.length > 0 && (
        <Reasons>
          <summary>Why {listed.format(off.map(({ id }) => NAMES[id]))} cannot be chosen</summary>
          {off.map(({ id, reason }) => (
            <Why key={id} id={`${whyId}-${id}`}>
              {reason}
            </Why>
          ))}
        </Reasons>
      )}
    </>
  );
}
