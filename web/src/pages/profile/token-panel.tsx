import Button from '@mui/material/Button';
import type { ApiTokenView } from '@plimsoll/contract/wire/accounts/account';
import { useState } from 'react';
import { apiTokensQuery, generateToken } from '../../api/account.ts';
import { useQuery } from '../../api/query.ts';
import { Age } from '../../components/age.tsx';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { momentMs } from '../../time/age.ts';
import { Secret } from '../../components/form/secret.tsx';
import { Buttons, Quiet, Stack, Text } from './profile-parts.tsx';
import { useAction } from './use-action.ts';

/** The name the API gives a token that is generated without one. */
const PERMANENT = 'permanent';

/** Until it is generated in this visit only its last four characters are known. A list that is not there proves nothing. */
function standIn(known: ApiTokenView | undefined, list: 'loading' | 'failed' | 'loaded'): string {
  if (known !== undefined) return `••••••••••••••••${known.last_four}`;
  return { loading: 'loading…', failed: 'not loaded', loaded: 'none yet' }[list];
}

interface SecretBoxProps {
  secret: string | null;
  shown: boolean;
  known: ApiTokenView | undefined;
  list: 'loading' | 'failed' | 'loaded';
}

function SecretBox({ secret, shown, known, list }: SecretBoxProps) {
  if (secret === null) return <Secret>{standIn(known, list)}</Secret>;
  // Hidden means that it is not in the page at all: blur alone could be switched off.
  return (
    <Secret>
      <span data-hidden={shown ? undefined : ''}>{shown ? secret : '•'.repeat(secret.length)}</span>
    </Secret>
  );
}

/** The permanent token: hidden until revealed, shown in full only in the visit that made it. */
export function TokenPanel() {
  const asked = useQuery(apiTokensQuery());
  const [secret, setSecret] = useState<string | null>(null);
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState(false);
  const action = useAction(generateToken, 'api-tokens');
  const known = asked.data?.tokens.find(({ name }) => name === PERMANENT);

  const generate = async () => {
    setAsking(false);
    const made = await action.start();
    if (made === null) return;
    setSecret(made.token);
    setShown(false);
  };
  return (
    <Panel title="Permanent token" note="for scripts and the command line">
      <Failure asked={asked} />
      <PanelBody>
        <Stack>
          <SecretBox
            secret={secret}
            shown={shown}
            known={known}
            list={asked.data !== undefined ? 'loaded' : asked.isPending ? 'loading' : 'failed'}
          />
          <Buttons>
            <Button variant="outlined" disabled={secret === null} onClick={() => setShown(!shown)} aria-pressed={shown}>
              {shown ? 'Hide' : 'Reveal'}
            </Button>
            <CopyButton
              text={secret ?? ''}
              label="Copy"
              copied="Token copied to clipboard!"
              disabled={secret === null}
            />
            <Button
              variant="contained"
              disabled={action.busy || asked.data === undefined}
              onClick={() => (known === undefined ? void generate() : setAsking(true))}
            >
              Generate
            </Button>
          </Buttons>
          {action.error !== null && <Notice tone="error">{action.error}</Notice>}
          {secret !== null && <Notice>Copy it now. It is not shown again after you leave.</Notice>}
          {known !== undefined && (
            <Quiet>
              Generated <Age at={momentMs(known.created_at)} />,{' '}
              {known.last_used_at === null ? (
                'never used'
              ) : (
                <Age at={momentMs(known.last_used_at)} prefix="last used " />
              )}
              .{known.expires_at === null && ' It does not expire.'}
            </Quiet>
          )}
          <Text>
            Changing a server owner with the command-line <code>change-owner</code> command needs the permanent token:
            run <code>sudo plimsoll change-owner</code> on the server with the token of its new owner.
          </Text>
        </Stack>
      </PanelBody>
      <ConfirmDialog
        open={asking}
        title="Replace the permanent token?"
        confirm="Replace"
        danger
        onConfirm={() => void generate()}
        onClose={() => setAsking(false)}
      >
        <span>Scripts that use the token ending in {known?.last_four} stop working at once.</span>
      </ConfirmDialog>
    </Panel>
  );
}
