import type { z } from 'zod';
import type { ToolContext } from '../../ai/types.ts';
import { CodedError } from '../../errors.ts';

/** Bounds and helpers of the readers of evidence. */

/** Changes count this long before the first alert. */
export const BEFORE_SECONDS = 60 * 60;

/** Returns null if the reader may not see the thing, or if there is none. */
export async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof CodedError && error.code !== 'storage_unavailable') return null;
    throw error;
  }
}

/** Returns a list of an answer; empty where the reader may not see it. */
export async function readList<A, K extends keyof A>(
  { read }: Pick<ToolContext, 'read'>,
  path: string,
  answer: z.ZodType<A>,
  key: K,
  query: Record<string, string | number>,
): Promise<A[K] | []> {
  return (await orNull(read(path, answer, { query })))?.[key] ?? [];
}

/** Bounds of what is read about one moment. */
export const MOST = {
  alerts: 200,
  clusters: 3,
  namespaces: 8,
  podsOfNamespace: 500,
  pendingPods: 200,
  nodes: 300,
  events: 500,
  changes: 400,
  /** Pods whose restarts and volumes are read one by one. */
  podDetails: 16,
  /** Pods whose usage is read. */
  podSeries: 16,
  /** Nodes whose busiest pods are read. */
  busyNodes: 2,
  servers: 6,
  lines: 400,
} as const;
