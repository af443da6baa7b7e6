import { z } from 'zod';
import { EVENT_SEVERITIES } from '../rules/limits.ts';
import { TIMELINE_KINDS } from '../rules/timeline.ts';

/**
 * GET /api/data/activity/timeline: alerts, Kubernetes warnings and events of hosts in one list, newest first. Equal entries
 * of a burst are one. Times in epoch seconds.
 */
export const timelineEntry = z.object({
  id: z.string(),
  kind: z.enum(TIMELINE_KINDS),
  /** When it happened; of several, the last one. */
  timestamp: z.number(),
  /** The first of several; else `timestamp`. */
  first_at: z.number(),
  /** Equal entries that this one stands for. */
  count: z.int().positive(),
  severity: z.enum(EVENT_SEVERITIES),
  /** Event type of the host, reason of the Kubernetes event, or metric of the alert. */
  type: z.string(),
  message: z.string(),
  /** At most three of the servers it happened on, and how many there are. */
  servers: z.array(z.object({ server_id: z.uuid(), hostname: z.string() })),
  servers_total: z.int(),
  /** The Kubernetes object, of several the newest; null: it is about hosts. */
  object: z.object({ cluster_id: z.string(), namespace: z.string(), kind: z.string(), name: z.string() }).nullable(),
  /** Number of objects of the cluster it happened to; 0: it is about hosts. */
  objects_total: z.int(),
  /** The newest alert; null: no alert. */
  alert_id: z.uuid().nullable(),
  /** When that alert ended; null: it is open, or there is none. */
  ended_at: z.number().nullable(),
});
export const timelineAnswer = z.object({
  entries: z.array(timelineEntry),
  /** Entries after folding. */
  total: z.int(),
  /** Counts by kind, before folding, of all that matches the other filters. */
  kinds: z.array(z.object({ kind: z.enum(TIMELINE_KINDS), count: z.int() })),
  /** There was more than one answer reads: it is complete from here on. Null: it has everything of the range. */
  complete_since: z.number().nullable(),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;
export type TimelineAnswer = z.infer<typeof timelineAnswer>;
