import type { AnswerChart, AnswerSource } from '@plimsoll/contract/wire/ai';
import { CodedError } from '../errors.ts';
import type { Tool, ToolContext } from './types.ts';

/** One call of a tool, with what the answer may be built from. */
export interface ToolRun {
  name: string;
  input: unknown;
  failed: boolean;
  content: Record<string, unknown>;
  sources: readonly AnswerSource[];
  charts: readonly AnswerChart[];
}

/** Bytes of a result at most: 6 steps of it stay below the context of small models. */
const MOST_RESULT_BYTES = 24 * 1024;

/**
 * Runs a tool for the asker. What goes wrong is a result too, so that a model can mend its input; only a failure of the
 * storage is thrown.
 */
export async function runTool(tool: Tool, input: unknown, context: ToolContext): Promise<ToolRun> {
  const parsed = tool.input.safeParse(input);
  const failed = (problem: string): ToolRun => ({
    name: tool.name,
    input,
    failed: true,
    content: { error: problem },
    sources: [],
    charts: [],
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return failed(`${issue?.path.join('.') ?? 'input'}: ${issue?.message ?? 'is not valid'}`);
  }
  try {
    const { content, sources, charts = [] } = await tool.run(parsed.data, context);
    return { name: tool.name, input, failed: false, content: capped(content), sources, charts };
  } catch (error) {
    if (error instanceof CodedError && error.code === 'storage_unavailable') throw error;
    if (!(error instanceof Error)) throw error;
    const { remedy } = error instanceof CodedError ? error : { remedy: undefined };
    return failed(remedy === undefined ? error.message : `${error.message}. ${remedy}`);
  }
}

/** Halves the longest list until the result is small enough, and says so. */
function capped(content: Record<string, unknown>): Record<string, unknown> {
  let result = content;
  while (Buffer.byteLength(JSON.stringify(result)) > MOST_RESULT_BYTES) {
    const lists = Object.entries(result).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
    const longest = lists.toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a))[0];
    if (longest === undefined || longest[1].length < 2)
      return { error: 'The result is too large. Narrow the request.' };
    const [name, rows] = longest;
    result = { ...result, [name]: rows.slice(0, Math.floor(rows.length / 2)), shortened: true };
  }
  return result;
}
const sizeOf = (value: unknown): number => JSON.stringify(value).length;
