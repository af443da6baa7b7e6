import { z } from 'zod';
import { moment } from './kubernetes-parts.ts';

/** Kernel events that the collector recognises, errors of the journal, and the last words of a container that ended. */
export const LINE_KINDS = [
  'oom_kill',
  'io_error',
  'hung_task',
  'remounted_read_only',
  'link_down',
  'link_up',
  'ecc_error',
  'conntrack_full',
  'segfault',
  'thermal_throttling',
  'time_source_changed',
  'journal_error',
  'last_words',
] as const;

/** One distinct line of a minute. Text of strangers, redacted and bounded: show it as text only. */
const logLine = z.object({
  at: moment,
  kind: z.enum(LINE_KINDS),
  text: z.string(),
  /** Occurrences in that minute; lines that differ in numbers only are one. */
  count: z.int().positive(),
  /** Unit of the journal, or process, disk or interface that a kernel event names. */
  subject: z.string().nullable(),
  server_id: z.uuid().nullable(),
  hostname: z.string().nullable(),
  cluster_id: z.string().nullable(),
  namespace: z.string().nullable(),
  pod: z.string().nullable(),
  container: z.string().nullable(),
});

/** GET /api/lines?server_id | cluster_id, namespace, pod & from & to (epoch seconds). Newest first. */
export const linesAnswer = z.object({
  lines: z.array(logLine),
  /** Why there are none, and the option that opens the source; null: the source is read. */
  unavailable: z.string().nullable(),
});

export type LogLine = z.infer<typeof logLine>;
export type LinesAnswer = z.infer<typeof linesAnswer>;
