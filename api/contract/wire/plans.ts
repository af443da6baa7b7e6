import { z } from 'zod';

/** GET /api/plans. */
export const plan = z.object({
  name: z.string(),
  usd_per_month: z.number().nonnegative(),
  /** Most servers of an account, Kubernetes nodes among them; null: unlimited. */
  servers: z.int().positive().nullable(),
  history_days: z.int().positive(),
  /** What else it offers, in words. */
  more: z.array(z.string()),
});
export const plansAnswer = z.object({
  /** The smallest first. */
  plans: z.array(plan),
  /** Whether this installation holds its accounts to the limits of a plan; its operator decides, off by default. */
  enforced: z.boolean(),
});

export type Plan = z.infer<typeof plan>;
export type PlansAnswer = z.infer<typeof plansAnswer>;
