import { z } from 'zod';
import { AI_CHART_METRICS, AI_LIMITS as L, AI_PROVIDERS } from '../rules/ai-limits.ts';
import { typedName } from './typed-name.ts';

/** The calls under /api/ai. */
const message = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.string().max(L.historyCharacters),
});

/** The subject of an Explain button; the ids are those of the screens. */
export const explainSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('alert'), alert_id: z.string().min(1).max(64) }),
  z.strictObject({ kind: z.literal('incident'), incident_id: z.string().min(1).max(64) }),
  z.strictObject({
    kind: z.literal('pod'),
    namespace: z.string().min(1).max(253),
    pod: z.string().min(1).max(253),
    cluster_id: z.string().max(64).optional(),
  }),
  /** A stretch of a server's chart. Epoch seconds. */
  z.strictObject({ kind: z.literal('range'), server_id: z.uuid(), from: z.number().min(0), to: z.number().min(0) }),
]);

/** POST /api/ai/chat and /api/ai/simple-chat. With `Accept: text/event-stream` the answer is streamed. */
export const chatRequest = z.strictObject({
  question: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(L.questionCharacters, `must be at most ${String(L.questionCharacters)} characters`),
  server_id: z.uuid('must be a server id (a UUID)').toLowerCase().nullish(),
  time_range_minutes: z.int().min(1).max(L.maxRangeMinutes).default(L.defaultRangeMinutes),
  conversation_history: z.array(message).max(L.historyMessages).default([]),
  /** Stores question and answer in this conversation; a new id begins one. */
  conversation_id: z.uuid().optional(),
  explain: explainSubject.optional(),
});

/** A screen of the product that shows what the answer was read from. */
export const answerSource = z.object({ title: z.string(), href: z.string() });
/** A series that the screen draws from the API's own figures. Epoch seconds. */
export const answerChart = z.object({
  server_id: z.uuid().nullable(),
  title: z.string(),
  metric: z.enum(AI_CHART_METRICS),
  from: z.number(),
  to: z.number(),
});
export const chatAnswer = z.object({
  /** Markdown. A figure that no tool returned is followed by a mark. */
  answer: z.string(),
  /** The author of the words: a model, or the analyser that needs none. The figures are the API's in both cases. */
  mode: z.enum(['model', 'analyser']),
  sources: z.array(answerSource),
  charts: z.array(answerChart),
  /** Figures of the answer that were in no result, as written. */
  unmatched: z.array(z.string()),
  conversation_id: z.uuid().nullable(),
});
/** Events of the stream: `text`, `tool`, then one of `answer` and `failed`. */
export const chatEvents = {
  text: z.object({ text: z.string() }),
  tool: z.object({ name: z.string(), state: z.enum(['started', 'done', 'failed']) }),
  answer: chatAnswer,
  failed: z.object({ code: z.string(), detail: z.string(), remedy: z.string().nullable() }),
} as const;

/** GET /api/ai/health. */
export const aiHealthAnswer = z.object({
  api_key_valid: z.boolean(),
  /** `analyser`: no model is configured, answers are built from the figures alone. */
  mode: z.enum(['model', 'analyser']),
  /** Why the model cannot be used; null when it can, or when none is configured. */
  reason: z.string().nullable(),
  /** Host that questions and figures are sent to; null: nothing leaves this machine. */
  sent_to: z.string().nullable(),
  model: z.string().nullable(),
});

/** GET /api/ai/settings. The key is never returned. */
export const aiSettingsAnswer = z.object({
  /** `environment`: set by the operator, not to be changed here. */
  source: z.enum(['environment', 'stored', 'none']),
  provider: z.enum(AI_PROVIDERS),
  base_url: z.string().nullable(),
  model: z.string().nullable(),
  /** Last four characters of the key; null: no key. */
  key_end: z.string().nullable(),
});
/** PUT /api/ai/settings. `api_key` left out: the stored one stays; null: none. */
export const aiSettingsRequest = z.strictObject({
  provider: z.enum(AI_PROVIDERS),
  base_url: z.string().trim().min(1).max(2000),
  model: typedName(200),
  api_key: z.string().trim().min(1).max(2000).nullable().optional(),
});
/** POST /api/ai/settings/test: asks the model for one word. */
export const aiTestAnswer = z.object({
  ok: z.boolean(),
  detail: z.string(),
  remedy: z.string().nullable(),
  duration_ms: z.number().nonnegative(),
});

export const conversationEntry = z.object({
  id: z.uuid(),
  title: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  messages: z.int(),
});
export const conversationMessage = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  at: z.iso.datetime(),
  /** Empty for a question. */
  sources: z.array(answerSource),
  charts: z.array(answerChart),
});
export const conversationsAnswer = z.object({ conversations: z.array(conversationEntry), total: z.int() });
export const conversationAnswer = conversationEntry.extend({ messages: z.array(conversationMessage) });
export const renameConversationRequest = z.strictObject({ title: typedName(120) });

export type ExplainSubject = z.infer<typeof explainSubject>;
export type ChatRequest = z.output<typeof chatRequest>;
export type AnswerSource = z.infer<typeof answerSource>;
export type AnswerChart = z.infer<typeof answerChart>;
export type ChatAnswer = z.infer<typeof chatAnswer>;
export type AiHealth = z.infer<typeof aiHealthAnswer>;
export type AiSettings = z.infer<typeof aiSettingsAnswer>;
export type AiSettingsRequest = z.infer<typeof aiSettingsRequest>;
export type AiTestAnswer = z.infer<typeof aiTestAnswer>;
export type ConversationEntry = z.infer<typeof conversationEntry>;
export type ConversationAnswer = z.infer<typeof conversationAnswer>;
export type ConversationMessage = z.infer<typeof conversationMessage>;
