import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { RequestFailed } from '../../api/client.ts';
import { signInLocally } from '../../api/sign-in.ts';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { PasswordInput } from '../../components/form/password-input.tsx';
import { Form, TallButton } from './login-parts.tsx';

interface LocalFormProps {
  disabled: boolean;
  /** Before the call, so that nothing of an earlier person is shown to this one. */
  onBegin: () => void;
  onFail: (error: unknown) => void;
}

/** Focuses an input that the person's action opened. */
const focus = (input: HTMLInputElement | null) => input?.focus();
const asksForTotp = (error: unknown) => error instanceof RequestFailed && (error.code ?? '').startsWith('totp_');
const fieldOf = (form: HTMLFormElement, name: string) => {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
};

/** E-mail and password; then the authenticator's code when the account has one. */
export function LocalForm({ disabled, onBegin, onFail }: LocalFormProps) {
  const [busy, setBusy] = useState(false);
  const [withTotp, setWithTotp] = useState(false);
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const totp = fieldOf(form, 'totp').replaceAll(/\s/g, '');
    setBusy(true);
    onBegin();
    try {
      await signInLocally({
        email: fieldOf(form, 'email').trim(),
        password: fieldOf(form, 'password'),
        ...(totp === '' ? {} : { totp }),
      });
    } catch (error) {
      if (asksForTotp(error)) setWithTotp(true);
      onFail(error);
    }
    setBusy(false);
  };
  return (
    <Form onSubmit={(event) => void submit(event)}>
      <LabelledInput label="Email" name="email" type="email" autoComplete="username" required />
      <PasswordInput label="Password" name="password" autoComplete="current-password" required />
      {withTotp && (
        <LabelledInput
          label="Authenticator code"
          name="totp"
          inputMode="numeric"
          autoComplete="one-time-code"
          inputProps={{ pattern: '[0-9 ]{6,7}', maxLength: 7 }}
          hint="Six digits"
          inputRef={focus}
          required
        />
      )}
      <TallButton variant="contained" type="submit" disabled={disabled || busy}>
        {busy ? 'Signing in...' : 'Sign in'}
      </TallButton>
    </Form>
  );
}
