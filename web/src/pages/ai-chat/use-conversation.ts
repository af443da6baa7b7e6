import type { ExplainSubject } from '@plimsoll/contract/wire/ai';
import { useRef, useState } from 'react';
import { askAssistant, readConversation } from '../../api/ai.ts';
import { RequestFailed } from '../../api/client.ts';
import { useQueryClient } from '../../api/query.ts';
import type { ShownMessage } from './message.tsx';
import { newId } from './new-id.ts';

/** Shown before the words of a failed answer; the font of the interface has this sign. */
const ERROR_MARK = '▲ Error: ';
const NO_WORDS = 'Failed to get AI response';
const STOPPED = '(Stopped.)';

function failureWords(error: unknown): string {
  if (!(error instanceof Error) || error.message === '') return `${ERROR_MARK}${NO_WORDS}`;
  const remedy = error instanceof RequestFailed ? error.remedy : null;
  return `${ERROR_MARK}${remedy === null ? error.message : `${error.message.replace(/\.$/, '')}. ${remedy}`}`;
}

/** Names the data that a tool reads, while somebody waits. */
const toolWords = (name: string): string => `Reading ${name.replaceAll('_', ' ')}`;

/** Messages of one conversation: asked here, or read from what is stored. */
export function useConversation() {
  const client = useQueryClient();
  const [id, setId] = useState(() => newId());
  const [messages, setMessages] = useState<readonly ShownMessage[]>([]);
  const [doing, setDoing] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  /** Replaces the newest message. */
  const amend = (change: (message: ShownMessage) => ShownMessage) =>
    setMessages((before) => before.map((message, index) => (index === before.length - 1 ? change(message) : message)));

  const ask = async (question: string, explain?: ExplainSubject) => {
    const history = messages.map(({ role, content }) => ({ role, content })).filter(({ content }) => content !== '');
    const control = new AbortController();
    running.current = control;
    setMessages([...messages, { role: 'user', content: question }, { role: 'assistant', content: '', arriving: true }]);
    setDoing('');
    try {
      const answer = await askAssistant(
        { question, history, conversationId: id, explain },
        {
          signal: control.signal,
          onText: (text) => amend((message) => ({ ...message, content: message.content + text })),
          onTool: (name, state) => setDoing(state === 'started' ? toolWords(name) : ''),
        },
      );
      const { answer: content, sources, charts, unmatched } = answer;
      amend(() => ({ role: 'assistant', content, sources, charts, unmatched }));
    } catch (error) {
      const words = control.signal.aborted ? STOPPED : failureWords(error);
      amend(({ content }) => ({ role: 'assistant', content: content === '' ? words : `${content}\n\n${words}` }));
    } finally {
      running.current = null;
      setDoing(null);
      void client.invalidateQueries({ queryKey: ['ai', 'conversations'] });
    }
  };
  const stop = () => running.current?.abort();
  const begin = () => {
    stop();
    setId(newId());
    setMessages([]);
  };
  const open = async (stored: string) => {
    stop();
    const found = await readConversation(stored);
    setId(stored);
    setMessages(found.messages);
  };
  return { id, messages, waiting: doing !== null, doing, ask, stop, begin, open };
}
