import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { pastedSetupCode } from '../../state/url-codes.ts';
import { Form, TallButton } from './login-parts.tsx';

/** Accepts the first-run link or its code from a person who cannot open the link: another machine, a pasted line. */
export function FirstRunForm({ onCode }: { onCode: (code: string) => void }) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = pastedSetupCode(typed);
    if (code === null)
      setProblem('This is not the printed line, its link or its code. Copy the line that begins with “Sign in:”.');
    else onCode(code);
  };
  return (
    <>
      <Notice>
        <strong>No account exists yet.</strong>
        <p>
          Open the link that was printed when Plimsoll started, or paste it here. The line begins with “Sign in:”. It
          creates the first account.
        </p>
      </Notice>
      <Form onSubmit={submit}>
        <LabelledInput
          label="Printed link or its code"
          name="setup"
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(null);
          }}
          problem={problem}
          inputProps={{ spellCheck: false, autoCapitalize: 'none' }}
          required
        />
        <TallButton variant="contained" type="submit">
          Continue
        </TallButton>
      </Form>
    </>
  );
}
