import type { Tool } from '../types.ts';

/** Types the input of a tool by its schema, and hides it from the list of tools. */
export const tool = <Input>(definition: Tool<Input>): Tool => definition as Tool;

/** Rows a tool returns at most, so that one call never fills a model's context. */
export const MOST_ROWS = 20;

export const iso = (epochSeconds: number): string => new Date(epochSeconds * 1000).toISOString();
