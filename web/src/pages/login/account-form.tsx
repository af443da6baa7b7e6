import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { PasswordInput } from '../../components/form/password-input.tsx';
import { Form, TallButton } from './login-parts.tsx';
import { plural } from '../../format/figures.ts';

/** Shortest password of an account; the API refuses a shorter one. */
const PASSWORD_CHARACTERS = 12;

interface NewAccount {
  email: string;
  password: string;
  name?: string;
}
interface AccountFormProps {
  /** The address that an invitation names; null: any. */
  email?: string | null;
  /** Creates the account and signs it in. */
  create: (account: NewAccount) => Promise<void>;
  onBegin: () => void;
  onFail: (error: unknown) => void;
  onDone: () => void;
}

/** Name, address and password of a new account. */
export function AccountForm({ email = null, create, onBegin, onFail, onDone }: AccountFormProps) {
  const [busy, setBusy] = useState(false);
  const [password, setPassword] = useState('');
  const tooShort = password !== '' && password.length < PASSWORD_CHARACTERS;
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => {
      const value = typed.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const name = text('name');
    setBusy(true);
    onBegin();
    try {
      await create({ email: text('email'), password, ...(name === '' ? {} : { name }) });
      onDone();
    } catch (error) {
      onFail(error);
    }
    setBusy(false);
  };
  return (
    <Form onSubmit={(event) => void submit(event)}>
      <LabelledInput label="Name (optional)" name="name" autoComplete="name" inputProps={{ maxLength: 120 }} />
      <LabelledInput
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email ?? ''}
        readOnly={email !== null}
        hint={email === null ? undefined : 'The invitation is for this address'}
        required
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        hint={
          tooShort
            ? `${plural(PASSWORD_CHARACTERS - password.length, 'more character')} needed`
            : 'At least 12 characters'
        }
        inputProps={{ minLength: PASSWORD_CHARACTERS }}
        required
      />
      <TallButton variant="contained" type="submit" disabled={busy}>
        {busy ? 'Creating account...' : 'Create account'}
      </TallButton>
    </Form>
  );
}
