import { z } from 'zod';
import { ADVICE_BOUNDS, CPU_LIMIT_POLICIES, CURRENCY, PRICE_BOUNDS } from '../rules/capacity-settings.ts';

const { cpu_percentile: percentile, memory_surplus_percent: surplus, days } = ADVICE_BOUNDS;

/** Settings of the advice on sizes of an organisation. */
export const adviceSettings = z.strictObject({
  /** CPU request: this percentile of the busiest day. */
  cpu_percentile: z.number().min(percentile.min).max(percentile.max),
  /** Memory request and limit: the highest value and so many per cent. */
  memory_surplus_percent: z.number().min(surplus.min).max(surplus.max),
  /** Days of usage that the advice reads. */
  days: z.int().min(days.min).max(days.max),
  /** `none`: the YAML removes the limit. `as_today`: it keeps the limit, but never below the request. */
  cpu_limit: z.enum(CPU_LIMIT_POLICIES),
});

const amount = z.number().min(PRICE_BOUNDS.min).max(PRICE_BOUNDS.max);
export const clusterPrice = z.strictObject({
  currency: z
    .string()
    .max(8)
    .refine((text) => CURRENCY.test(text), 'must be three capital letters, such as EUR'),
  /** Price of one core, and of one GB (2^30 bytes) of memory, for an hour. */
  core_hour: amount,
  gb_hour: amount,
});

/** GET /api/kubernetes/capacity/settings. */
export const capacitySettingsAnswer = z.object({
  advice: adviceSettings,
  is_default: z.boolean(),
  prices: z.array(clusterPrice.extend({ cluster_id: z.string(), cluster_name: z.string().nullable() })),
});

export type AdviceSettings = z.infer<typeof adviceSettings>;
export type ClusterPrice = z.infer<typeof clusterPrice>;
export type CapacitySettingsAnswer = z.infer<typeof capacitySettingsAnswer>;
