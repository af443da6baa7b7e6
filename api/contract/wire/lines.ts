import { z } from 'zod';
import { LINE_KINDS } from '../rules/lines.ts';
import { moment } from './kubernetes-parts.ts';

/** Holds a distinct line of a minute. Strangers write its text, so it is redacted, bounded and shown as text only. */
const logLine = z.object({
  at: moment,
  kind: z.enum(LINE_KINDS),
  text: z.string(),
  /** Number of times in that minute; lines that differ in numbers only are one. */
  count: z.int().positive(),
  /** Unit of the journal, or process, disk or interface that a kernel event names. */
  subject: z.string().nullable(),
  server_id: z.uuid().nullable(),
  hostname: z.string().nullable(),
  cluster_id: z.string().nullable(),
  namespace: z.string().nullable(),
  pod: z.string().nullable(),
  container: z.string().nullable(),
  /** Restarts of the container before the run that wrote the line; 0 is its first run. Null: a host wrote it. */
  run: z.int().nonnegative().nullable(),
  /** End of that run. Null: a host wrote the line. */
  ended_at: moment.nullable(),
});

/** GET /api/lines?server_id | cluster_id, namespace, pod & from & to (epoch seconds). Newest first. */
export const linesAnswer = z.object({
  lines: z.array(logLine),
  /** Why there are none, and the option that opens the source; null: the source is read. */
  unavailable: z.string().nullable(),
});

export type LogLine = z.infer<typeof logLine>;
export type LinesAnswer = z.infer<typeof linesAnswer>;
