import { z } from 'zod';

/** GET /api/plans. */
export const plan = z.object({
  name: z.string(),
  usd_per_month: z.number().nonnegative(),
  /** Most servers of an account, Kubernetes nodes among them; null: unlimited. */
  servers: z.int().positive().nullable(),
  history_days: z.int().positive(),
  /** Further features of the plan, as text. */
  more: z.array(z.string()),
});
export const plansAnswer = z.object({
  /** The smallest first. */
  plans: z.array(plan),
  /** True if this installation enforces plan limits. The operator decides; the default is false. */
  enforced: z.boolean(),
});

export type Plan = z.infer<typeof plan>;
export type PlansAnswer = z.infer<typeof plansAnswer>;
