/** Bounds and defaults of alert rules. No zod here: the browser imports this file. */

/** Metrics that a rule can watch: a threshold in per cent, and `offline`, which has none. */
export const ALERT_RULE_METRICS = ['cpu_usage', 'memory_usage', 'disk_usage', 'offline'] as const;
export type AlertRuleMetric = (typeof ALERT_RULE_METRICS)[number];

/** From the least to the most specific. The most specific rule of a server wins. */
export const ALERT_RULE_TARGETS = ['all', 'tag', 'server', 'mount'] as const;
export type AlertRuleTarget = (typeof ALERT_RULE_TARGETS)[number];

export const ALERT_RULE_LIMITS = {
  perAccount: 500,
  lines: 4,
  threshold: { min: 1, max: 100 },
  seconds: 86_400,
  hysteresisPoints: 50,
} as const;

/** Timings of the default rules. Offline starts after three missed reports of a minute each. */
export const ALERT_RULE_DEFAULTS = {
  threshold: { forSeconds: 300, keepFiringForSeconds: 300, hysteresisPoints: 5 },
  offline: { forSeconds: 180, keepFiringForSeconds: 0, hysteresisPoints: 0 },
} as const;

/** Days of history a rehearsal reads. */
export const REHEARSAL_DAYS = { default: 7, max: 30 } as const;
