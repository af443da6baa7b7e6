import CircularProgress from '@mui/material/CircularProgress';
import { styled } from '@mui/material/styles';
import Button from '@mui/material/Button';
import type { AiHealth } from '@plimsoll/contract/wire/ai';
import { useEffect, useRef, useState } from 'react';
import { aiHealthQuery } from '../../api/ai.ts';
import { useQuery } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../components/page.tsx';
import { ErrorState } from '../../components/feedback/states.tsx';
import { useLocation, useNavigate } from '../../router.ts';
import { useIsAdmin } from '../../api/user.ts';
import { explanationOf } from '../../components/explain-button.tsx';
import { ChatInput } from './chat-input.tsx';
import { Conversations } from './conversations.tsx';
import { Message } from './message.tsx';
import { ModelSettings } from './model-settings.tsx';
import { useConversation } from './use-conversation.ts';
import { Welcome } from './welcome.tsx';

const TOP_BAR_PX = 57;

const Frame = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  height: `calc(100dvh - ${TOP_BAR_PX}px)`,
  margin: '0 -24px -48px',
  '@media (max-width: 599.95px)': { margin: '0 -12px -32px' },
});
const Log = styled('div')({ flex: 1, minHeight: 0, overflowY: 'auto', padding: '24px 24px 8px' });
const Column = styled('div')({ maxWidth: 820, margin: '0 auto', display: 'grid', gap: 20 });
const Waiting = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  color: theme.vars.palette.text.secondary,
}));

const Bar = styled('header')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 8px',
  padding: '6px 24px',
  color: theme.vars.palette.text.secondary,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > p': { flex: '1 1 240px', margin: 0 },
  '@media (max-width: 599.95px)': { padding: '6px 12px', '& > p': { flexBasis: '100%' } },
}));

/** Names the data that leave this machine when a question is asked, and where that is changed. */
function whatLeaves(health: AiHealth | undefined, isAdmin: boolean): string {
  if (health === undefined) return '';
  if (health.sent_to === null)
    return `No model is configured: answers come from the figures alone, and nothing leaves this machine. ${isAdmin ? 'Choose Model to set one.' : 'An admin can set one.'}`;
  const { model, sent_to: host } = health;
  return `Questions and the figures needed to answer them are sent to ${host} (${model ?? 'unknown model'}).`;
}

/** Says why the assistant cannot be asked. The API's reason also says who changes what, and where. */
const whyUnavailable = (health: AiHealth | undefined, error: { message: string } | null): string =>
  health?.reason ?? error?.message ?? 'The API gave no reason.';

/** Asks the question of an Explain button once, when the page is opened by it. */
function useExplanation(ask: ReturnType<typeof useConversation>['ask'], ready: boolean) {
  const location = useLocation();
  const navigate = useNavigate();
  const [asked] = useState(() => explanationOf(location.state));
  const isAsked = useRef(false);
  useEffect(() => {
    if (asked === null || !ready || isAsked.current) return;
    isAsked.current = true;
    // Only a click of this interface sets the state; once sent, going back does not send it again.
    void navigate(location.pathname + location.search, { replace: true, state: null });
    void ask(asked.question, asked.subject);
  });
}

/** Chat with the assistant: full height beside the sidebar. */
export function Component() {
  const health = useQuery(aiHealthQuery());
  const unavailable = health.error !== null || health.data?.api_key_valid === false;
  const { messages, waiting, doing, ask, stop, begin, open } = useConversation();
  const [draft, setDraft] = useState('');
  const [dialog, setDialog] = useState<'conversations' | 'model' | null>(null);
  const isAdmin = useIsAdmin();
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (messages.length > 0) end.current?.scrollIntoView({ block: 'end' });
  }, [messages]);
  useExplanation(ask, health.data !== undefined);

  const send = () => {
    const question = draft.trim();
    if (question === '' || waiting || unavailable) return;
    setDraft('');
    void ask(question);
  };
  return (
    <Page title="AI Chat" canonical={paths.aiChat} header={false}>
      <Frame>
        {unavailable && (
          <ErrorState
            message="AI service is unavailable. Check API key settings."
            detail={whyUnavailable(health.data, health.error)}
          />
        )}
        <Bar>
          <p>{whatLeaves(health.data, isAdmin)}</p>
          <Button onClick={begin} disabled={messages.length === 0}>
            New
          </Button>
          <Button onClick={() => setDialog('conversations')}>Conversations</Button>
          {isAdmin && <Button onClick={() => setDialog('model')}>Model</Button>}
        </Bar>
        <Log role="log" aria-label="Conversation" tabIndex={0}>
          <Column>
            {messages.length === 0 && <Welcome onPick={setDraft} />}
            {messages.map((message, index) =>
              message.content === '' ? null : <Message key={index} message={message} />,
            )}
            {waiting && (
              <Waiting role="status">
                <CircularProgress size={16} color="info" aria-hidden />{' '}
                {doing === '' ? 'AI Assistant is thinking' : doing}
              </Waiting>
            )}
            <div ref={end} />
          </Column>
        </Log>
        <ChatInput
          value={draft}
          onChange={setDraft}
          onSend={send}
          onStop={stop}
          disabled={unavailable}
          waiting={waiting}
        />
      </Frame>
      {dialog === 'conversations' && (
        <Conversations
          onOpen={(id) => {
            setDialog(null);
            void open(id);
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'model' && <ModelSettings onClose={() => setDialog(null)} />}
    </Page>
  );
}
