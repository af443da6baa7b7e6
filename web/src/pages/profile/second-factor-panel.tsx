import Button from '@mui/material/Button';
import type { TotpBeginAnswer } from '@plimsoll/contract/wire/accounts/account';
import { lazy, Suspense, useState } from 'react';
import type { SyntheticEvent } from 'react';
import { beginTotp, confirmTotp, removeTotp, totpQuery } from '../../api/account.ts';
import { useQuery } from '../../api/query.ts';
import { Chip } from '../../components/chips.tsx';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { Buttons, Stack, Text } from './profile-parts.tsx';
import { useAction } from './use-action.ts';
import { loadScript } from '../../state/load-script.ts';

const QrCode = lazy(() => loadScript(() => import('./qr-code.tsx')));
/** Room of the code while its chunk comes. */
const QR_PX = 168;

interface CodeFormProps {
  label: string;
  verb: string;
  run: (code: string) => Promise<unknown>;
  onDone: () => void;
  onCancel: () => void;
}

/** Six digits of the authenticator. */
function CodeForm({ label, verb, run, onDone, onCancel }: CodeFormProps) {
  const action = useAction(run, 'totp');
  const [code, setCode] = useState('');
  const digits = code.replaceAll(/\s/g, '');
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if ((await action.start(digits)) !== null) onDone();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <LabelledInput
          label={label}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.target.value)}
          problem={action.error}
        />
        <Buttons>
          <Button variant="contained" type="submit" disabled={action.busy || !/^\d{6}$/.test(digits)}>
            {verb}
          </Button>
          <Button variant="outlined" onClick={onCancel}>
            Cancel
          </Button>
        </Buttons>
      </Stack>
    </form>
  );
}

function SetUp({ begun, onDone }: { begun: TotpBeginAnswer; onDone: () => void }) {
  const spaced = begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
  return (
    <Stack>
      <Text>
        Scan this code with your authenticator app, enter the key by hand, or{' '}
        <a href={begun.otpauth_url}>open it in an app on this device</a>.
      </Text>
      <div style={{ minHeight: QR_PX }}>
        <Suspense>
          <QrCode text={begun.otpauth_url} />
        </Suspense>
      </div>
      <Buttons style={{ alignItems: 'center' }}>
        <code style={{ overflowWrap: 'anywhere' }}>{spaced}</code>
        <CopyButton text={begun.secret} name="Copy key" />
      </Buttons>
      <CodeForm label="Current code" verb="Switch on" run={confirmTotp} onDone={onDone} onCancel={onDone} />
    </Stack>
  );
}

/** A code of an authenticator beside the password of a local account. */
export function SecondFactorPanel() {
  const asked = useQuery(totpQuery());
  const begin = useAction(beginTotp, 'none');
  const [begun, setBegun] = useState<TotpBeginAnswer | null>(null);
  const [removing, setRemoving] = useState(false);
  const enabled = asked.data?.enabled;
  const done = () => {
    setBegun(null);
    setRemoving(false);
  };
  return (
    <Panel title="Two-step sign-in" actions={enabled === undefined ? undefined : <Chip>{enabled ? 'On' : 'Off'}</Chip>}>
      <Failure asked={asked} />
      <PanelBody>
        {begun !== null && <SetUp begun={begun} onDone={done} />}
        {removing && (
          <CodeForm label="Authenticator code" verb="Switch off" run={removeTotp} onDone={done} onCancel={done} />
        )}
        {begun === null && !removing && (
          <Stack>
            <Text>Sign-in with e-mail and password also requires a code from an authenticator app.</Text>
            {begin.error !== null && <Notice tone="error">{begin.error}</Notice>}
            <Buttons>
              {enabled === true ? (
                <Button variant="outlined" onClick={() => setRemoving(true)}>
                  Switch off
                </Button>
              ) : (
                <Button
                  variant="outlined"
                  disabled={enabled === undefined || begin.busy}
                  onClick={() => void begin.start().then(setBegun)}
                >
                  Switch on
                </Button>
              )}
            </Buttons>
          </Stack>
        )}
      </PanelBody>
    </Panel>
  );
}
