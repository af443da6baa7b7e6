import { z } from 'zod';

export const CHANGE_TOPICS = ['servers', 'metrics', 'alerts', 'activity', 'kubernetes'] as const;
/**
 * GET /api/events: server-sent events named `changed`, at most one a second per stream, each saying what to fetch again.
 * A `ping` every 15 s proves the stream alive and keeps proxies from closing it; `ended` means: signed out, do not reconnect.
 */
export const changeEvent = z.object({
  topics: z.array(z.enum(CHANGE_TOPICS)),
  /** null: more than 50 servers, or none in particular. */
  server_ids: z.array(z.string()).nullable(),
});
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];
export type ChangeEvent = z.infer<typeof changeEvent>;
