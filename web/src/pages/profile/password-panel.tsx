import Button from '@mui/material/Button';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { changePassword } from '../../api/account.ts';
import { Notice } from '../../components/feedback/notice.tsx';
import { PasswordInput } from '../../components/form/password-input.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { Buttons, Stack, Text } from './profile-parts.tsx';
import { useAction } from './use-action.ts';

/** Characters that the API requires. */
const LEAST = 12;

interface FormProps {
  onDone: () => void;
  onCancel: () => void;
}

function PasswordForm({ onDone, onCancel }: FormProps) {
  const action = useAction(changePassword, 'sessions');
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const lacks = LEAST - next.length;
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const body = { current_password: current === '' ? null : current, new_password: next };
    if ((await action.start(body)) !== null) onDone();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
          hint="Leave it empty if a link or a provider let you in less than 10 minutes ago."
          problem={action.error}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.target.value)}
          hint={lacks > 0 ? `At least ${LEAST} characters, ${lacks} more` : `At least ${LEAST} characters`}
        />
        <Buttons>
          <Button variant="contained" type="submit" disabled={action.busy || lacks > 0}>
            Change
          </Button>
          <Button variant="outlined" onClick={onCancel}>
            Cancel
          </Button>
        </Buttons>
      </Stack>
    </form>
  );
}

/** The password of the local sign-in, which an account of a provider may add. */
export function PasswordPanel() {
  const [state, setState] = useState<'rest' | 'asked' | 'changed'>('rest');
  return (
    <Panel title="Password">
      <PanelBody>
        {state === 'asked' ? (
          <PasswordForm onDone={() => setState('changed')} onCancel={() => setState('rest')} />
        ) : (
          <Stack>
            <Text>A change ends your other sessions. API tokens stay.</Text>
            {state === 'changed' && <Notice>Password changed. Your other sessions have ended.</Notice>}
            <Buttons>
              <Button variant="outlined" onClick={() => setState('asked')}>
                Change password
              </Button>
            </Buttons>
          </Stack>
        )}
      </PanelBody>
    </Panel>
  );
}
