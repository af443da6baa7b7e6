import type { ChatAnswer, ChatRequest } from '@plimsoll/contract/wire/ai';
import type { Deps } from '../deps.ts';
import { analyse } from './analyser/analyse.ts';
import { keepAnswer, requireRoom } from './keep-answer.ts';
import { currentSettings, type SettingsDeps } from './settings.ts';
import { distinct } from './screen-links.ts';
import { withoutImages } from './without-images.ts';
import type { Asker } from './store.ts';
import type { AnswerPart, CheckedAnswer, ReadCall, ToolContext } from './types.ts';

export interface AskDeps extends Pick<Deps, 'storage' | 'clock' | 'metrics'> {
  settings: SettingsDeps;
}

export interface Asked {
  asker: Asker;
  request: ChatRequest;
  read: ReadCall;
  signal: AbortSignal;
  onPart: (part: AnswerPart) => void;
}

/** Answers a question by the configured model, or by the analyser when there is none, and stores it where asked to. */
export async function ask(deps: AskDeps, asked: Asked): Promise<ChatAnswer> {
  const { conversation_id: id, question } = asked.request;
  if (id !== undefined) await requireRoom(deps.storage.ai.conversations, asked.asker, id);
  const settings = await currentSettings(deps.settings, asked.asker.owner);
  const mode = settings === null ? 'analyser' : 'model';
  try {
    const given = await answerBy(deps, asked, settings);
    const answer = { ...given, answer: withoutImages(given.answer) };
    deps.metrics.aiAnswers.inc({ mode, outcome: 'answered' });
    deps.metrics.aiUnmatchedFigures.inc(answer.unmatched.length);
    if (id !== undefined) await keepAnswer(deps, asked.asker, id, { question, answer });
    return {
      ...answer,
      sources: [...answer.sources],
      charts: [...answer.charts],
      unmatched: [...answer.unmatched],
      conversation_id: id ?? null,
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
  const { question, explain, conversation_history: thread } = request;
  if (settings === null) return analyse({ question, explain, thread, context, onPart });
  // An investigation starts from what the analyser found; the model may look further.
  const prepared =
    explain === undefined ? null : await analyse({ question, explain, thread, context, onPart: () => undefined });
  // Read when it is needed: most installations ask no model, and its libraries take 7 MB.
  const { askModel } = await import('./ask-model.ts');
  const answer = await askModel({
    settings,
    options: { allowedRanges: deps.settings.allowedRanges },
    question,
    prepared: prepared?.answer ?? null,
    history: thread,
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
