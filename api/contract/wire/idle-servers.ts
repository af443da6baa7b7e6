import { z } from 'zod';

const figure = z.number().nullable();

/** GET /api/servers/idle: servers that can be given back. */
export const idleServersAnswer = z.object({
  servers: z.array(
    z.object({
      server_id: z.string(),
      hostname: z.string(),
      cores: figure,
      memory_bytes: figure,
      /** Percentile of the means of five minutes, over the days. */
      cpu_percent_p95: figure,
      memory_percent_max: figure,
      /** Established connections over the days; the collector's own is one of them. */
      connections_mean: figure,
      connections_max: figure,
      /** True: somebody may need the server, for `reason`. */
      is_connected: z.boolean(),
      reason: z.string().nullable(),
    }),
  ),
  total: z.int(),
  /** Servers that were looked at; nodes of clusters are not. */
  judged: z.int(),
  /** Servers without an answer, with the reason. */
  unknown: z.array(z.object({ server_id: z.string(), hostname: z.string(), reason: z.string() })),
  unknown_total: z.int(),
  days: z.int(),
  /** The oldest figures of the list; null: nothing was computed yet. */
  computed_at: z.string().nullable(),
  age_seconds: figure,
});
export type IdleServersAnswer = z.infer<typeof idleServersAnswer>;
