import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import type {
  AiHealth,
  AiSettings,
  AiSettingsRequest,
  AiTestAnswer,
  ChatAnswer,
  ConversationAnswer,
  ConversationEntry,
  ExplainSubject,
} from '@plimsoll/contract/wire/ai';
import { failureOf, request, stream } from './client.ts';
import { STALE } from './polling.ts';
import type { Ask } from './query.ts';

interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** Not tried again and not asked on focus: the banner must come at once when the assistant is off. */
export const aiHealthQuery = (): Ask<AiHealth> => ({
  queryKey: ['ai', 'health'],
  queryFn: ({ signal }) => request('/api/ai/health', { signal }),
  staleTime: STALE.aiHealth,
  gcTime: STALE.aiHealth,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnMount: true,
});

export interface Question {
  question: string;
  history: readonly ChatMessage[];
  conversationId: string;
  explain?: ExplainSubject | undefined;
}

/** Returns the body of a question: with the last messages, each of bounded length. */
export const requestOf = ({ question, history, conversationId, explain }: Question) => ({
  question,
  time_range_minutes: AI_LIMITS.defaultRangeMinutes,
  conversation_history: history
    .slice(-AI_LIMITS.historyMessages)
    .map(({ role, content }) => ({ role, content: content.slice(0, AI_LIMITS.historyCharacters) })),
  conversation_id: conversationId,
  ...(explain !== undefined && { explain }),
});

export interface AnswerListener {
  /** More of the answer. */
  onText: (text: string) => void;
  /** A tool began or ended. */
  onTool: (name: string, state: 'started' | 'done' | 'failed') => void;
  signal: AbortSignal;
}

const BAD_GATEWAY = 502;

/** Sends a question, reports each part of the answer as it arrives, and returns the whole answer with its sources. */
export async function askAssistant(question: Question, listener: AnswerListener): Promise<ChatAnswer> {
  const events = stream('/api/ai/chat', { method: 'POST', body: requestOf(question), signal: listener.signal });
  for await (const { name, data } of events) {
    if (name === 'text') listener.onText((data as { text: string }).text);
    if (name === 'tool') {
      const { name: tool, state } = data as { name: string; state: 'started' | 'done' | 'failed' };
      listener.onTool(tool, state);
    }
    if (name === 'answer') return data as ChatAnswer;
    if (name === 'failed') throw failureOf(BAD_GATEWAY, data);
  }
  throw failureOf(BAD_GATEWAY, { detail: 'The answer broke off' });
}

export const conversationsQuery = (): Ask<{ conversations: ConversationEntry[]; total: number }> => ({
  queryKey: ['ai', 'conversations'],
  queryFn: ({ signal }) => request('/api/ai/conversations', { signal }),
});
export const readConversation = (id: string): Promise<ConversationAnswer> => request(`/api/ai/conversations/${id}`);
export const renameConversation = (id: string, title: string): Promise<ConversationEntry> =>
  request(`/api/ai/conversations/${id}`, { method: 'PUT', body: { title } });
export const deleteConversation = (id: string): Promise<object> =>
  request(`/api/ai/conversations/${id}`, { method: 'DELETE' });
export const conversationExport = (id: string): string => `/api/ai/conversations/${id}/export`;

export const aiSettingsQuery = (): Ask<AiSettings> => ({
  queryKey: ['ai', 'settings'],
  queryFn: ({ signal }) => request('/api/ai/settings', { signal }),
});
export const saveAiSettings = (body: AiSettingsRequest): Promise<AiSettings> =>
  request('/api/ai/settings', { method: 'PUT', body });
export const removeAiSettings = (): Promise<object> => request('/api/ai/settings', { method: 'DELETE' });
export const testAiSettings = (): Promise<AiTestAnswer> => request('/api/ai/settings/test', { method: 'POST' });
