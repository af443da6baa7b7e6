import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { ChannelView } from '@plimsoll/contract/wire/notify';
import { useState } from 'react';
import { failureText } from '../../../api/client.ts';
import { deleteChannel, testChannel } from '../../../api/notify.ts';
import { useMutation, useQueryClient } from '../../../api/query.ts';
import { Age } from '../../../components/age.tsx';
import { Chip } from '../../../components/chips.tsx';
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { plural } from '../../../format/figures.ts';
import { momentMs } from '../../../time/age.ts';
import { clockSeconds } from '../../../time/zone.ts';
import { ButtonRow, Quiet } from '../../../components/form/form-parts.tsx';
import { ObjectOrigin } from '../object-origin.tsx';
import { settingText } from './channel-draft.ts';
import { CHANNEL_WORDS, shownSecret } from './channel-words.ts';
import { OUTCOME } from '../../../format/delivery-words.ts';
import { routingWords } from './routing-words.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gap: '4px 16px',
  padding: '12px 16px',
  '& .name': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8, fontWeight: 600 },
  '& .facts': { overflowWrap: 'anywhere', color: theme.vars.palette.text.secondary },
  '& .result': { gridColumn: '1 / -1' },
  '& .last[data-tone="over"]': { color: theme.vars.palette.load.overText },
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: 'minmax(0, 1fr)',
    '& .MuiButton-root': { minHeight: 44 },
  },
}));

/** "Chat id -1001 · Bot token ••••f4Qk". */
function settingWords({ type, settings, secrets }: ChannelView): string {
  return Object.entries(CHANNEL_WORDS[type].fields)
    .flatMap(([name, { label }]) => {
      const value = settingText(settings[name]);
      if (name in secrets) return [`${label} ${shownSecret(secrets[name] ?? '')}`];
      return value === '' ? [] : [`${label} ${value}`];
    })
    .map(escapeInvisible)
    .join(' · ');
}

/** Says where a channel is changed that this page does not change. */
function Origin({ channel: { managed_by: managedBy, object } }: { channel: ChannelView }) {
  if (object !== null && object !== undefined) return <ObjectOrigin object={object} />;
  if (managedBy === 'user') return null;
  return (
    <Quiet sx={{ display: 'block' }}>
      {managedBy === 'environment' ? (
        <>
          Set by <code>TELEGRAM_BOT_TOKEN</code> and <code>TELEGRAM_CHAT_ID</code> of the API. Change them there and
          restart the API.
        </>
      ) : (
        <>
          Set by <code>telegram.botToken</code> and <code>telegram.chatId</code> of the Helm release, for the alerts of
          its cluster. Change them with <code>helm upgrade</code>.
        </>
      )}
    </Quiet>
  );
}

function LastDelivery({ channel: { last_delivery: last, waiting } }: { channel: ChannelView }) {
  return (
    <Quiet>
      {last === null ? (
        'Nothing sent yet'
      ) : (
        <span className="last" data-tone={last.outcome === 'delivered' ? undefined : 'over'}>
          Last message {OUTCOME[last.outcome].words} <Age at={momentMs(last.at)} />
          {last.outcome !== 'delivered' && `: ${escapeInvisible(last.detail)}`}
        </span>
      )}
      {waiting > 0 && ` · ${plural(waiting, 'change')} of alerts waiting`}
    </Quiet>
  );
}

function TestResult({ test }: { test: ReturnType<typeof useTest> }) {
  if (test.error !== null) return <Notice tone="error">{failureText(test.error)}</Notice>;
  if (test.data === undefined) return null;
  const { outcome, detail } = test.data;
  const isDelivered = outcome === 'delivered';
  return (
    <Notice tone={isDelivered ? 'ok' : 'error'}>
      <strong>
        {isDelivered ? 'Test message delivered' : 'Test message not delivered'} {clockSeconds(test.submittedAt)}
      </strong>
      <p>{escapeInvisible(detail)}</p>
    </Notice>
  );
}

const useTest = (id: string) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => testChannel(id),
    // The test message is in the delivery log, and is the last message of the channel.
    onSettled: () => queries.invalidateQueries({ queryKey: ['notify'] }),
  });
};

interface ChannelRowProps {
  channel: ChannelView;
  /** False: a viewer reads only. */
  mayEdit: boolean;
  onEdit: () => void;
}

/** A channel: where it leads, what goes through it, what came of the last message, and a test in one click. */
export function ChannelRow({ channel, mayEdit, onEdit }: ChannelRowProps) {
  const [isAsked, setAsked] = useState(false);
  const queries = useQueryClient();
  const test = useTest(channel.id);
  const remove = useMutation({
    mutationFn: () => deleteChannel(channel.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['notify'] }),
  });
  const isManaged = channel.managed_by !== 'user';
  const name = escapeInvisible(channel.name);
  return (
    <Row aria-label={name}>
      <div>
        <div className="name">
          {name}
          {name !== CHANNEL_WORDS[channel.type].name && <Chip>{CHANNEL_WORDS[channel.type].name}</Chip>}
          {isManaged && <Chip>Read-only</Chip>}
        </div>
        <div className="facts">{settingWords(channel)}</div>
        <div className="facts">{routingWords(channel.routing).map(escapeInvisible).join(' · ')}</div>
        <Origin channel={channel} />
        <LastDelivery channel={channel} />
      </div>
      {mayEdit && (
        <ButtonRow sx={{ alignSelf: 'start' }}>
          <Button variant="outlined" disabled={test.isPending} onClick={() => test.mutate()}>
            {test.isPending ? 'Sending' : 'Test'}
          </Button>
          {!isManaged && (
            <>
              <Button variant="outlined" onClick={onEdit}>
                Edit
              </Button>
              <Button variant="text" disabled={remove.isPending} onClick={() => setAsked(true)}>
                Delete
              </Button>
            </>
          )}
        </ButtonRow>
      )}
      <div className="result">
        <TestResult test={test} />
        {remove.error !== null && <Notice tone="error">{failureText(remove.error)}</Notice>}
      </div>
      <ConfirmDialog
        open={isAsked}
        title={`Delete ${name}?`}
        confirm="Delete"
        danger
        onConfirm={() => {
          setAsked(false);
          remove.mutate();
        }}
        onClose={() => setAsked(false)}
      >
        <span>
          No alert goes through it any more.
          {channel.waiting > 0 && ` ${plural(channel.waiting, 'waiting change')} will not be sent.`} You cannot undo
          this.
        </span>
      </ConfirmDialog>
    </Row>
  );
}
