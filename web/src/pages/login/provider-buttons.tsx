import type { SignInMethodsAnswer } from '@plimsoll/contract/wire/auth';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { GitHubMark, GoogleMark } from '../../components/provider-mark.tsx';
import { ProviderButton, Why } from './login-parts.tsx';

export type Provider = 'github' | 'google' | 'oidc';
type Method = SignInMethodsAnswer['methods'][number];

interface ProviderButtonsProps {
  /** Undefined while the installation has not said what it offers. */
  methods: readonly Method[] | undefined;
  /** The one being connected to, if any. */
  connecting: Provider | null;
  disabled: boolean;
  onChoose: (provider: Provider) => void;
}

interface OneProps extends Omit<ProviderButtonsProps, 'methods'> {
  id: Provider;
  name: string;
  mark: ReactNode;
  method: Method | undefined;
}

function One({ id, name, mark, method, connecting, disabled, onChoose }: OneProps) {
  const whyId = useId();
  const reason =
    method !== undefined && !method.enabled ? (method.reason ?? `${name} sign-in is not configured`) : null;
  return (
    <>
      <ProviderButton
        variant="outlined"
        disabled={disabled || connecting !== null || reason !== null}
        aria-describedby={reason === null ? undefined : whyId}
        onClick={() => onChoose(id)}
      >
        {mark}
        {connecting === id ? 'Connecting...' : `Continue with ${name}`}
      </ProviderButton>
      {reason !== null && <Why id={whyId}>{reason}</Why>}
    </>
  );
}

/** GitHub and Google always stand first; one that is not configured says which setting it lacks. */
export function ProviderButtons({ methods, ...rest }: ProviderButtonsProps) {
  const of = (id: Provider) => methods?.find((method) => method.id === id);
  const oidc = of('oidc');
  return (
    <>
      <One id="github" name="GitHub" mark={<GitHubMark />} method={of('github')} {...rest} />
      <One id="google" name="Google" mark={<GoogleMark />} method={of('google')} {...rest} />
      {oidc?.enabled === true && <One id="oidc" name={oidc.name} mark={null} method={oidc} {...rest} />}
    </>
  );
}
