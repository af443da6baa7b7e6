import { ADVICE_DEFAULTS, type CpuLimitPolicy } from '@plimsoll/contract/rules/capacity-settings';

/** The settings of the advice that a plan was computed with. */
export interface AdviceRules {
  /** CPU request: this percentile of the busiest day. */
  cpuPercentile: number;
  /** Memory request and limit: the highest value and so many per cent. */
  memorySurplusPercent: number;
  days: number;
  cpuLimit: CpuLimitPolicy;
}

export const DEFAULT_ADVICE: AdviceRules = {
  cpuPercentile: ADVICE_DEFAULTS.cpu_percentile,
  memorySurplusPercent: ADVICE_DEFAULTS.memory_surplus_percent,
  days: ADVICE_DEFAULTS.days,
  cpuLimit: ADVICE_DEFAULTS.cpu_limit,
};

/** Prices of an hour of one core and of one GB of memory. */
export interface Price {
  currency: string;
  coreHour: number;
  gbHour: number;
}
