/** Bounds and defaults of the settings of the advice on sizes, and of prices. No zod here: the browser imports this file. */

export const CPU_LIMIT_POLICIES = ['none', 'as_today'] as const;
export type CpuLimitPolicy = (typeof CPU_LIMIT_POLICIES)[number];

export const ADVICE_BOUNDS = {
  cpu_percentile: { min: 50, max: 100 },
  memory_surplus_percent: { min: 0, max: 200 },
  /** Usage of containers is kept for 60 days. */
  days: { min: 3, max: 60 },
} as const;

export const ADVICE_DEFAULTS = {
  cpu_percentile: 95,
  memory_surplus_percent: 15,
  days: 14,
  cpu_limit: 'none',
} as const satisfies Record<keyof typeof ADVICE_BOUNDS, number> & { cpu_limit: CpuLimitPolicy };

/** A price of an hour. The most is far above any machine, so that a slip of the decimal point is seen. */
export const PRICE_BOUNDS = { min: 0, max: 1000 } as const;
/** ISO 4217. */
export const CURRENCY = /^[A-Z]{3}$/;
/** Hours of a month, as cloud providers count them. */
export const HOURS_A_MONTH = 730;
