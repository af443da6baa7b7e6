import CircularProgress from '@mui/material/CircularProgress';
import { styled } from '@mui/material/styles';
import { useEffect, useRef, useState } from 'react';
import { aiHealthQuery, askAssistant } from '../../api/ai.ts';
import type { ChatMessage } from '../../api/ai.ts';
import { useQuery } from '../../api/query.ts';
import { Page } from '../../components/page.tsx';
import { ErrorState } from '../../components/feedback/states.tsx';
import { ChatInput } from './chat-input.tsx';
import { Message } from './message.tsx';
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

/** Shown before the words of a failed answer. */
const ERROR_MARK = '❌ Error: ';
const NO_WORDS = 'Failed to get AI response';

const failureText = (error: unknown) =>
  `${ERROR_MARK}${error instanceof Error && error.message !== '' ? error.message : NO_WORDS}`;

/** Messages live as long as this view; the newest is kept in sight. */
function useConversation() {
  const [messages, setMessages] = useState<readonly ChatMessage[]>([]);
  const [waiting, setWaiting] = useState(false);
  const add = (message: ChatMessage) => setMessages((before) => [...before, message]);
  const ask = async (question: string) => {
    const history = messages;
    add({ role: 'user', content: question });
    setWaiting(true);
    const content = await askAssistant(question, history).catch(failureText);
    add({ role: 'assistant', content });
    setWaiting(false);
  };
  return { messages, waiting, ask };
}

/** Chat with the assistant: full height beside the sidebar. */
export function Component() {
  const health = useQuery(aiHealthQuery());
  const unavailable = health.error !== null || health.data?.api_key_valid === false;
  const { messages, waiting, ask } = useConversation();
  const [draft, setDraft] = useState('');
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (messages.length > 0) end.current?.scrollIntoView({ block: 'end' });
  }, [messages]);

  const send = () => {
    const question = draft.trim();
    if (question === '' || waiting || unavailable) return;
    setDraft('');
    void ask(question);
  };
  return (
    <Page title="AI Chat" header={false}>
      <Frame>
        {unavailable && <ErrorState message="AI service is unavailable. Check API key settings." />}
        <Log role="log" aria-label="Conversation" tabIndex={0}>
          <Column>
            {messages.length === 0 && <Welcome onPick={setDraft} />}
            {messages.map((message, index) => (
              <Message key={index} message={message} />
            ))}
            {waiting && (
              <Waiting role="status">
                <CircularProgress size={16} color="info" aria-hidden /> AI Assistant is thinking
              </Waiting>
            )}
            <div ref={end} />
          </Column>
        </Log>
        <ChatInput value={draft} onChange={setDraft} onSend={send} disabled={unavailable} waiting={waiting} />
      </Frame>
    </Page>
  );
}
