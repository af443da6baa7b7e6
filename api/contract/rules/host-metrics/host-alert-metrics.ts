import type { Report } from '../../wire/report.ts';
import { CALM, type HostMetric, matchers, PER_HOST, type Reading, twoLines, warningAt } from '../alert-metric.ts';
import { HOST_SCALES, type HostMetricName } from '../alert-metric-scales.ts';
import { HARDWARE_ALERT_METRICS } from './hardware-alert-metrics.ts';
import { CONTAINER_RESTARTS, CONTAINER_UNHEALTHY, OOM_KILL, PROCESS_NOT_RUNNING } from './container-metrics.ts';
import { forecastReading } from './disk-forecast.ts';
import { FILESYSTEM_ALERT_METRICS } from './filesystem-alert-metrics.ts';
import { LOAD_LINES, OFFLINE_AFTER_INTERVALS, OTHER_LINES, REPORT_INTERVAL_SECONDS } from '../limits.ts';
import { percentOf } from '../percent-of.ts';

/** Metrics of a host. One entry here and one in alert-metric-scales.ts add one; docs/alert-rules.md gives the source of each default. */

/** Swap holds pages that nobody reads on every healthy machine. It says something only while memory is short. */
export const SWAP_COUNTS_FROM_MEMORY_PERCENT = 80;

const ofServer = (value: number | null | undefined): Reading[] => [{ subject: '', value: value ?? null }];
const hasEnded = ({ state, sub_state: subState }: NonNullable<Report['units']>[number]): boolean =>
  // launchd keeps the last exit status of a job for ever: only systemd has a state of failure.
  state === 'failed' && subState !== null;

export const HOST_ALERT_METRICS = {
  cpu_usage: {
    ...PER_HOST,
    ...CALM,
    ...HOST_SCALES.cpu_usage,
    ruleId: 'default-cpu',
    ruleName: 'CPU',
    lines: twoLines(LOAD_LINES.cpu.warning, LOAD_LINES.cpu.critical),
    read: ({ cpu }) => ofServer(cpu?.percent),
    expression: (selectors) =>
      `100 * (1 - avg without (cpu, mode) (rate(node_cpu_seconds_total${matchers('mode="idle"', ...selectors)}[2m])))`,
  },
  memory_usage: {
    ...PER_HOST,
    ...CALM,
    ...HOST_SCALES.memory_usage,
    ruleId: 'default-memory',
    ruleName: 'Memory',
    lines: twoLines(LOAD_LINES.memory.warning, LOAD_LINES.memory.critical),
    read: ({ memory }) => ofServer(memory && percentOf(memory.used_bytes, memory.total_bytes)),
    expression: (selectors) => {
      const labels = matchers(...selectors);
      return `100 * (1 - node_memory_MemAvailable_bytes${labels} / node_memory_MemTotal_bytes${labels})`;
    },
  },
  memory_forecast: {
    ...PER_HOST,
    ...HOST_SCALES.memory_forecast,
    ruleId: 'default-memory-forecast',
    ruleName: 'Time until the memory reaches its line',
    title: 'Memory is filling up',
    lines: warningAt(3),
    forSeconds: 1800,
    keepFiringForSeconds: 3600,
    hysteresisPoints: 1,
    // Caches that grow to their limit are full on purpose.
    isOffByDefault: true,
    missingHistory: 'The stored history holds how full the memory was, not its forecast at each moment of the past.',
    read: ({ memory }, { memoryForecast }) =>
      memory === undefined
        ? null
        : [
            forecastReading(
              '',
              memoryForecast({ usedBytes: memory.used_bytes, capacityBytes: memory.total_bytes }),
              'Memory',
            ),
          ],
    // Prometheus has no load line of a server, so the default line is used.
    expression: (selectors) => {
      const labels = matchers(...selectors);
      const spare = `node_memory_MemAvailable_bytes${labels} - ${String((100 - LOAD_LINES.memory.warning) / 100)} * node_memory_MemTotal_bytes${labels}`;
      return `clamp_min(${spare}, 0) / (-86400 * (deriv(node_memory_MemAvailable_bytes${labels}[1d]) < 0))`;
    },
  },
  swap_usage: {
    ...PER_HOST,
    ...CALM,
    ...HOST_SCALES.swap_usage,
    ruleId: 'default-swap',
    ruleName: `Swap, while memory is at or above ${String(SWAP_COUNTS_FROM_MEMORY_PERCENT)} %,`,
    lines: twoLines(80, 95),
    read: ({ memory }) => {
      if (memory === undefined) return ofServer(null);
      const value = percentOf(memory.swap_used_bytes, memory.swap_total_bytes);
      const used = percentOf(memory.used_bytes, memory.total_bytes) ?? 0;
      return [{ subject: '', value, ...(used < SWAP_COUNTS_FROM_MEMORY_PERCENT && { isHarmless: true }) }];
    },
    expression: (selectors) => {
      const labels = matchers(...selectors);
      const short = `node_memory_MemAvailable_bytes${labels} / node_memory_MemTotal_bytes${labels} <= ${String((100 - SWAP_COUNTS_FROM_MEMORY_PERCENT) / 100)}`;
      return `100 * (1 - node_memory_SwapFree_bytes${labels} / (node_memory_SwapTotal_bytes${labels} > 0)) and (${short})`;
    },
  },
  ...FILESYSTEM_ALERT_METRICS,
  io_wait: {
    ...PER_HOST,
    ...HOST_SCALES.io_wait,
    ruleId: 'default-io-wait',
    ruleName: 'IO wait',
    lines: warningAt(LOAD_LINES.ioWait.warning),
    // A backup or an index that is built stays above the line for many minutes.
    forSeconds: 3600,
    keepFiringForSeconds: 300,
    hysteresisPoints: 3,
    read: ({ cpu }) => ofServer(cpu?.io_wait_percent),
    expression: (selectors) =>
      `100 * avg without (cpu, mode) (rate(node_cpu_seconds_total${matchers('mode="iowait"', ...selectors)}[2m]))`,
  },
  load_per_core: {
    ...PER_HOST,
    ...HOST_SCALES.load_per_core,
    ruleId: 'default-load',
    ruleName: 'Load (1 min)',
    lines: warningAt(2),
    forSeconds: 900,
    keepFiringForSeconds: 300,
    hysteresisPoints: 0.5,
    read: ({ load, system, agent }) => {
      const source = agent?.sources['load'];
      // A source that is well and has nothing says why: in a container the load is that of the host.
      if (load === undefined && source?.ok === true)
        return [
          { subject: '', value: null, isUnmeasured: true, ...(source.error !== null && { detail: source.error }) },
        ];
      const isKnown = load !== undefined && system !== undefined && system.cpu_cores > 0;
      return ofServer(isKnown ? load.one / system.cpu_cores : null);
    },
    expression: (selectors) =>
      `node_load1${matchers(...selectors)} / count without (cpu, mode) (node_cpu_seconds_total${matchers('mode="idle"', ...selectors)})`,
  },
  network_errors: {
    ...PER_HOST,
    ...HOST_SCALES.network_errors,
    ruleId: 'default-network-errors',
    ruleName: 'Network errors',
    lines: warningAt(OTHER_LINES.networkErrorsPerSecond),
    forSeconds: 900,
    keepFiringForSeconds: 300,
    hysteresisPoints: 5,
    isClearWhenAbsent: true,
    missingHistory: 'No history of network errors is stored.',
    read: ({ interfaces }) =>
      interfaces?.map(({ name, receive_errors_per_second: received, transmit_errors_per_second: sent }) => ({
        subject: name,
        value: received === null && sent === null ? null : (received ?? 0) + (sent ?? 0),
      })) ?? null,
    expression: (selectors) => {
      const labels = matchers(...selectors);
      return `rate(node_network_receive_errs_total${labels}[2m]) + rate(node_network_transmit_errs_total${labels}[2m])`;
    },
  },
  temperature: {
    ...PER_HOST,
    ...HOST_SCALES.temperature,
    ruleId: 'default-temperature',
    ruleName: "Temperature, of the sensor's critical limit,",
    lines: twoLines(OTHER_LINES.temperaturePercent, 100),
    forSeconds: 600,
    keepFiringForSeconds: 300,
    hysteresisPoints: 5,
    missingHistory: 'No history of temperatures is stored.',
    // One line in °C fits no two sensors: the limit of a processor is 100, of an SSD 85. The driver reports the limit.
    read: ({ temperatures }) =>
      temperatures?.flatMap(({ chip, label, celsius, critical_celsius: limit }) =>
        limit === null || limit <= 0
          ? []
          : [
              {
                subject: `${chip} ${label}`,
                value: Math.max(0, (celsius / limit) * 100),
                detail: `${chip} ${label} is at ${celsius.toFixed(0)} °C, its critical limit is ${limit.toFixed(0)} °C`,
              },
            ],
      ) ?? null,
    expression: (selectors) => {
      const labels = matchers(...selectors);
      return `100 * node_hwmon_temp_celsius${labels} / (node_hwmon_temp_crit_celsius${labels} > 0)`;
    },
  },
  systemd_unit_failed: {
    ...PER_HOST,
    ...HOST_SCALES.systemd_unit_failed,
    ruleId: 'default-unit-failed',
    ruleName: 'Systemd unit failed',
    title: 'Systemd unit failed',
    lines: warningAt(null),
    forSeconds: 300,
    keepFiringForSeconds: 0,
    hysteresisPoints: 0,
    isClearWhenAbsent: true,
    missingHistory: 'No history of systemd units is stored.',
    read: ({ units }) =>
      units
        ?.filter(hasEnded)
        .map(({ name }) => ({ subject: name, value: 1, detail: `systemd reports ${name} as failed` })) ?? null,
    expression: (selectors) => `node_systemd_unit_state${matchers('state="failed"', ...selectors)}`,
  },
  ...HARDWARE_ALERT_METRICS,
  container_restarts: CONTAINER_RESTARTS,
  container_unhealthy: CONTAINER_UNHEALTHY,
  process_not_running: PROCESS_NOT_RUNNING,
  oom_kill: OOM_KILL,
  collector_late: {
    ...PER_HOST,
    ...HOST_SCALES.collector_late,
    ruleId: 'default-collector-late',
    ruleName: 'Oldest unsent report',
    title: 'Collector is late',
    lines: warningAt(900),
    forSeconds: 600,
    keepFiringForSeconds: 300,
    hysteresisPoints: 300,
    missingHistory: 'No history of unsent reports is stored.',
    read: ({ agent }) => {
      if (agent === undefined) return ofServer(null);
      const value = agent.spool_oldest_age_seconds ?? 0;
      const detail = `The oldest unsent report of the collector is ${String(Math.round(value / 60))} minutes old`;
      return [{ subject: '', value, detail }];
    },
    // Prometheus pulls, so nothing queues: the nearest is the time since the last sample.
    expression: (selectors) => `time() - timestamp(up${matchers(...selectors)})`,
  },
  offline: {
    ...PER_HOST,
    ...HOST_SCALES.offline,
    ruleId: 'default-offline',
    ruleName: 'No report',
    title: 'Server is offline',
    lines: [{ level: 'critical', threshold: null }],
    forSeconds: OFFLINE_AFTER_INTERVALS * REPORT_INTERVAL_SECONDS,
    keepFiringForSeconds: 0,
    hysteresisPoints: 0,
    // The job mark-silent evaluates it.
    read: () => [],
    expression: (selectors) => `up${matchers(...selectors)}`,
    firesAt: '== 0',
  },
  reports_refused: {
    ...PER_HOST,
    ...HOST_SCALES.reports_refused,
    ruleId: 'default-reports-refused',
    ruleName: 'Reports refused',
    title: 'Reports are refused',
    lines: [{ level: 'critical', threshold: null }],
    forSeconds: OFFLINE_AFTER_INTERVALS * REPORT_INTERVAL_SECONDS,
    keepFiringForSeconds: 0,
    hysteresisPoints: 0,
    missingHistory: 'No history of refused reports is stored.',
    // The job mark-refused evaluates it.
    read: () => [],
    // Prometheus pulls: a target whose text it cannot parse has no samples.
    expression: (selectors) => `scrape_samples_scraped${matchers(...selectors)}`,
    firesAt: '== 0',
  },
} as const satisfies Record<HostMetricName, HostMetric>;
