import { z } from 'zod';

/** Answer of GET /api/health. Times are ISO 8601. */
export const healthAnswer = z.object({
  /** `degraded`: the last run of a job failed, or a bucket of yours is set aside. */
  status: z.enum(['ok', 'degraded']),
  /** Since the API process that answers started; null: not yet. */
  jobs: z.array(
    z.object({
      name: z.string(),
      last_success_at: z.iso.datetime().nullable(),
      last_failure_at: z.iso.datetime().nullable(),
      /** Code of the last failure. Its text is in the API's log. */
      last_error: z.string().nullable(),
    }),
  ),
  /** The newest 100 rollup buckets of your account that could not be computed. */
  buckets_set_aside: z.array(
    z.object({
      level: z.string(),
      /** Server id or node name; null: the sum over all servers. */
      subject: z.string().nullable(),
      bucket_at: z.iso.datetime(),
      attempts: z.int().positive(),
      failed_at: z.iso.datetime(),
      retry_at: z.iso.datetime(),
      error: z.string(),
    }),
  ),
});
export type HealthAnswer = z.infer<typeof healthAnswer>;
