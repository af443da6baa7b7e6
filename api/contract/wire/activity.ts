import { z } from 'zod';
import { EVENT_SEVERITIES, EVENT_TYPES } from '../rules/limits.ts';

/** GET /api/data/activity, newest first. */
export const activityEvent = z.object({
  id: z.string(),
  server_id: z.uuid(),
  hostname: z.string(),
  event_type: z.enum(EVENT_TYPES),
  service_name: z.string().nullable(),
  process_name: z.string().nullable(),
  message: z.string(),
  severity: z.enum(EVENT_SEVERITIES),
  timestamp: z.number(),
});
export const activityAnswer = z.object({
  events: z.array(activityEvent),
  total: z.int(),
  /** Starts and stops of processes that `process_runs=folded` leaves out of `events` and `total`. */
  folded: z.int(),
});
export type ActivityEvent = z.infer<typeof activityEvent>;
export type ActivityAnswer = z.infer<typeof activityAnswer>;
