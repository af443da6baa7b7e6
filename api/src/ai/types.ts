import type { AnswerChart, AnswerSource } from '@plimsoll/contract/wire/ai';
import type { z } from 'zod';

/** Times are epoch seconds, as on the wire: the assistant reads the same calls as the screens. */

/** Reads a call of the API as the asker would: with a body a POST call that only reads, else a GET call. */
export type ReadCall = <S extends z.ZodType>(
  path: string,
  schema: S,
  asked?: { params?: Record<string, string>; query?: Record<string, string | number | undefined>; body?: unknown },
) => Promise<z.output<S>>;

/** The surroundings of a tool: its reader, the moment, and the screen of the question. */
export interface ToolContext {
  read: ReadCall;
  /** Epoch seconds. */
  now: number;
  /** Server and range of the screen, for a question that names none. */
  serverId: string | null;
  rangeMinutes: number;
}

/** Rows for the model, and the screens that show the same. */
interface ToolResult {
  content: Record<string, unknown>;
  sources: readonly AnswerSource[];
  /** Series the answer may show. */
  charts?: readonly AnswerChart[];
}

export interface Tool<Input = never> {
  name: string;
  /** For the model: what it returns and in which units. */
  description: string;
  input: z.ZodType<Input>;
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** A model that can be asked. */
export interface AiSettings {
  provider: 'openai-compatible' | 'anthropic';
  baseUrl: string;
  model: string;
  apiKey: string | null;
  /** The operator's environment, or what an admin typed into the UI. */
  source: 'environment' | 'stored';
  /** The operator's address may be private; one typed into the UI may not. */
  allowPrivate: boolean;
}

/** A stretch of an answer, as it arrives. */
export type AnswerPart =
  | { kind: 'text'; text: string }
  | { kind: 'tool'; name: string; state: 'started' | 'done' | 'failed' };

/** An answer whose figures were checked against what the tools returned. */
export interface CheckedAnswer {
  answer: string;
  mode: 'model' | 'analyser';
  sources: readonly AnswerSource[];
  charts: readonly AnswerChart[];
  unmatched: readonly string[];
}

export interface StoredConversation {
  id: string;
  title: string;
  createdAt: number;
  updatedAt: number;
  messages: readonly StoredMessage[];
}
export interface StoredMessage extends ChatMessage {
  /** Epoch milliseconds. */
  at: number;
  sources: readonly AnswerSource[];
  charts: readonly AnswerChart[];
}

export interface StoredSettings {
  provider: AiSettings['provider'];
  baseUrl: string;
  model: string;
  sealedKey: Buffer | null;
  keyEnd: string | null;
}
