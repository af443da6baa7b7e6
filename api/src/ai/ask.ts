import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import type { ChatAnswer, ChatRequest } from '@plimsoll/contract/wire/ai';
import { CodedError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { analyse } from './analyser/analyse.ts';
import { currentSettings, type SettingsDeps } from './settings.ts';
import { distinct } from './screen-links.ts';
import type { Asker, Conversations } from './store.ts';
import type { AnswerPart, CheckedAnswer, ReadCall, ToolContext } from './types.ts';

export interface AskDeps {
  settings: SettingsDeps;
  conversations: Conversations;
  clock: Clock;
  metrics: Pick<Metrics, 'aiAnswers' | 'aiUnmatchedFigures'>;
}

export interface Asked {
  asker: Asker;
  request: ChatRequest;
  read: ReadCall;
  signal: AbortSignal;
  onPart: (part: AnswerPart) => void;
}

const TITLE_CHARACTERS = 80;

/** Answers a question by the configured model, or by the analyser when there is none, and stores it where asked to. */
export async function ask(deps: AskDeps, asked: Asked): Promise<ChatAnswer> {
  const settings = await currentSettings(deps.settings, asked.asker.owner);
  const mode = settings === null ? 'analyser' : 'model';
  try {
    const answer = await answerBy(deps, asked, settings);
    deps.metrics.aiAnswers.inc({ mode, outcome: 'answered' });
    deps.metrics.aiUnmatchedFigures.inc(answer.unmatched.length);
    const conversationId = await keep(deps, asked, answer);
    return {
      ...answer,
      sources: [...answer.sources],
      charts: [...answer.charts],
      unmatched: [...answer.unmatched],
      conversation_id: conversationId,
    };
  } catch (error) {
    deps.metrics.aiAnswers.inc({ mode, outcome: asked.signal.aborted ? 'stopped' : 'failed' });
    throw error;
  }
}

async function answerBy(
  deps: AskDeps,
  { request, read, signal, onPart }: Asked,
  settings: Awaited<ReturnType<typeof currentSettings>>,
): Promise<CheckedAnswer> {
  const context: ToolContext = {
    read,
    now: deps.clock.now() / 1000,
    serverId: request.server_id ?? null,
    rangeMinutes: request.time_range_minutes,
  };
  const { question, explain } = request;
  if (settings === null) return analyse({ question, explain, context, onPart });
  // An investigation starts from what the analyser found; the model may look further.
  const prepared =
    explain === undefined ? null : await analyse({ question, explain, context, onPart: () => undefined });
  // Read when it is needed: most installations ask no model, and its libraries take 7 MB.
  const { askModel } = await import('./ask-model.ts');
  const answer = await askModel({
    settings,
    options: { allowedRanges: deps.settings.allowedRanges },
    question,
    prepared: prepared?.answer ?? null,
    history: request.conversation_history,
    context,
    signal,
    onPart,
  });
  if (prepared === null) return answer;
  return {
    ...answer,
    sources: distinct([...prepared.sources, ...answer.sources]),
    charts: [...prepared.charts, ...answer.charts],
  };
}

async function keep({ conversations, clock }: AskDeps, asked: Asked, answer: CheckedAnswer): Promise<string | null> {
  const { conversation_id: id, question } = asked.request;
  if (id === undefined) return null;
  const at = clock.now();
  const stored = await conversations.get(asked.asker, id);
  if ((stored?.messages.length ?? 0) >= AI_LIMITS.conversationMessages)
    throw new CodedError('invalid_parameter', 'conversation_id: this conversation is full', {
      field: 'conversation_id',
      remedy: 'Begin a new conversation.',
    });
  const title = question.replaceAll(/\s+/g, ' ').slice(0, TITLE_CHARACTERS);
  const isOwn = await conversations.append(asked.asker, id, title, [
    { role: 'user', content: question, at, sources: [], charts: [] },
    { role: 'assistant', content: answer.answer, at, sources: answer.sources, charts: answer.charts },
  ]);
  if (!isOwn) throw new CodedError('not_found', 'Conversation not found');
  return id;
}
