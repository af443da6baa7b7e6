import { request } from './client.ts';
import { STALE } from './polling.ts';
import type { Ask } from './query.ts';

export interface AiHealth {
  api_key_valid: boolean;
}

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** Limits of the assistant's context: minutes of figures, and messages of this conversation. */
const TIME_RANGE_MINUTES = 60;
const HISTORY_MESSAGES = 10;

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

/** The assistant's answer in markdown. */
export async function askAssistant(question: string, history: readonly ChatMessage[]): Promise<string> {
  const { answer } = await request<{ answer: string }>('/api/ai/chat', {
    method: 'POST',
    body: {
      question,
      time_range_minutes: TIME_RANGE_MINUTES,
      conversation_history: history.slice(-HISTORY_MESSAGES),
    },
  });
  return answer;
}
