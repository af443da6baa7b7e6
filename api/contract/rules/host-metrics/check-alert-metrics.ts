import { matchers, type CheckMetric } from '../alert-metric.ts';
import { CHECK_SCALES, type CheckMetricName } from '../alert-metric-scales.ts';

/** Metrics of checks. The retries of a check and the votes of its places stand before them, so they have no hold time. */
const perCheck = { scope: 'check', isClearWhenAbsent: false, hysteresisPoints: 0, keepFiringForSeconds: 0 } as const;

export const CHECK_ALERT_METRICS = {
  check_failed: {
    ...perCheck,
    ...CHECK_SCALES.check_failed,
    ruleId: 'default-check-failed',
    ruleName: 'Check failed',
    title: 'Check failed',
    lines: [{ level: 'critical', threshold: null }],
    forSeconds: 0,
    missingHistory: 'The outages of a check are on its page.',
    expression: (selectors) => `probe_success${matchers(...selectors)}`,
    firesAt: '== 0',
  },
  check_slow: {
    ...perCheck,
    ...CHECK_SCALES.check_slow,
    ruleId: 'default-check-slow',
    ruleName: 'Response time of a check, p95 of 15 min,',
    title: 'Check is slow',
    lines: [{ level: 'warning', threshold: 2000 }],
    forSeconds: 300,
    hysteresisPoints: 200,
    // Each target has its own measure of slow.
    isOffByDefault: true,
    missingHistory: 'The response times of a check are on its page.',
    expression: (selectors) => `quantile_over_time(0.95, probe_duration_seconds${matchers(...selectors)}[15m]) * 1000`,
  },
  certificate_days: {
    ...perCheck,
    ...CHECK_SCALES.certificate_days,
    ruleId: 'default-certificate-days',
    ruleName: 'Certificate ends in',
    title: 'Certificate ends soon',
    // Let's Encrypt renews 30 days ahead, so 21 means that renewals fail.
    lines: [
      { level: 'warning', threshold: 21 },
      { level: 'critical', threshold: 7 },
    ],
    forSeconds: 0,
    missingHistory: 'No history of certificates is stored.',
    expression: (selectors) => `(probe_ssl_earliest_cert_expiry${matchers(...selectors)} - time()) / 86400`,
  },
  heartbeat_missed: {
    ...perCheck,
    ...CHECK_SCALES.heartbeat_missed,
    ruleId: 'default-heartbeat-missed',
    ruleName: 'Heartbeat missed',
    title: 'Heartbeat missed',
    lines: [{ level: 'critical', threshold: null }],
    forSeconds: 0,
    missingHistory: 'The outages of a heartbeat are on its page.',
    // The convention of jobs that push the time of their last success.
    expression: (selectors) => `time() - job_last_success_unixtime${matchers(...selectors)}`,
    firesAt: '> 86400',
  },
} as const satisfies Record<CheckMetricName, CheckMetric>;
