/** Limits of the assistant, known to both sides of the wire. */
export const AI_LIMITS = {
  questionCharacters: 2000,
  /** Messages of the conversation that travel with a question, and characters of each. */
  historyMessages: 10,
  historyCharacters: 4000,
  /** Rounds of tool calls a model may take for one answer. */
  toolSteps: 6,
  /** Bytes of an answer; a longer one is cut. */
  answerBytes: 16_384,
  questionsPerMinute: 20,
  defaultRangeMinutes: 60,
  /** 30 days. */
  maxRangeMinutes: 43_200,
  /** Days after its last message a stored conversation is removed. */
  conversationDays: 30,
  conversationMessages: 200,
  conversations: 200,
} as const;

export const AI_PROVIDERS = ['openai-compatible', 'anthropic'] as const;
export type AiProviderName = (typeof AI_PROVIDERS)[number];

/** Figures that a chart in an answer can show over time. */
export const AI_CHART_METRICS = ['cpu', 'memory', 'disk'] as const;
/** Kinds of subjects that an Explain button can stand on. */
export const EXPLAIN_KINDS = ['alert', 'incident', 'pod', 'range'] as const;
