import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Metrics of this process, served at /metrics. Labels hold route patterns and codes only, never input. */
export interface Metrics {
  registry: Registry;
  /** Returns the text of all. Those of the Node process are collected from the first call on. */
  expose: () => Promise<string>;
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
  reportsAccepted: Counter;
  reportsReplayed: Counter;
  reportsRejected: Counter<'code'>;
  externalSamples: Counter<'outcome'>;
  externalReports: Counter<'outcome'>;
  ingestSeconds: Histogram<'step'>;
  ingestInFlight: Gauge;
  ingestRefused: Counter<'why'>;
  textsWithheld: Counter;
  eventStreams: Gauge;
  alertChanges: Counter<'kind'>;
  alertFailures: Counter;
  jobSeconds: Histogram<'job' | 'outcome'>;
  jobLastSuccess: Gauge<'job'>;
  jobLastFailure: Gauge<'job'>;
  bucketsSetAside: Gauge<'level'>;
  backupNewest: Gauge;
  notifyOutboxMessages: Gauge;
  notifyOutboxOldestSeconds: Gauge;
  notifyDeliveries: Counter<'type' | 'outcome'>;
  heartbeats: Counter<'outcome'>;
  aiAnswers: Counter<'mode' | 'outcome'>;
  aiUnmatchedFigures: Counter;
}

const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Gauges whose names end as a counter's; promtool rejects them. The same figures by type stay. */
const MISNAMED = ['handles', 'requests', 'resources'].map((kind) => `nodejs_active_${kind}_total`);

/**
 * To measure how late the event loop is, Node wakes up a hundred times a second. That takes half the processor time of an
 * idle API, so it begins when somebody reads the result.
 */
function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}

/** Calls of browsers and scripts. */
const requestMetrics = (registers: Registry[]) => ({
  requestSeconds: new Histogram({
    name: 'plimsoll_http_request_seconds',
    help: 'Time from the request line to the answer, by route pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  }),
  eventStreams: new Gauge({ name: 'plimsoll_event_streams', help: 'Open /api/events streams.', registers }),
});

/** Reports of collectors. */
const ingestMetrics = (registers: Registry[]) => ({
  reportsAccepted: new Counter({
    name: 'plimsoll_reports_accepted_total',
    help: 'Report items stored for the first time.',
    registers,
  }),
  reportsReplayed: new Counter({
    name: 'plimsoll_reports_replayed_total',
    help: 'Report items that had been stored before.',
    registers,
  }),
  reportsRejected: new Counter({
    name: 'plimsoll_reports_rejected_total',
    help: 'Report items rejected permanently, by code.',
    labelNames: ['code'],
    registers,
  }),
  externalSamples: new Counter({
    name: 'plimsoll_external_samples_total',
    help: 'Samples that other agents sent, by outcome: taken, ignored (no figure of a server), refused (out of bounds), unreadable and left_out (too many figures of a server).',
    labelNames: ['outcome'],
    registers,
  }),
  externalReports: new Counter({
    name: 'plimsoll_external_reports_total',
    help: 'Reports made of the metrics of other agents, by outcome.',
    labelNames: ['outcome'],
    registers,
  }),
  ingestSeconds: new Histogram({
    name: 'plimsoll_ingest_seconds',
    help: 'Time of one reports request by step: parse (inflate to verdicts), write and alerts.',
    labelNames: ['step'],
    buckets: REQUEST_BUCKETS,
    registers,
  }),
  ingestInFlight: new Gauge({
    name: 'plimsoll_ingest_in_flight',
    help: 'Report requests in progress.',
    registers,
  }),
  ingestRefused: new Counter({
    name: 'plimsoll_ingest_refused_total',
    help: 'Report requests rejected before they were read, by reason.',
    labelNames: ['why'],
    registers,
  }),
  textsWithheld: new Counter({
    name: 'plimsoll_texts_withheld_total',
    help: 'Texts stored without their content, because redacting them exceeds the budget of a request.',
    registers,
  }),
});

/** Background jobs. */
const jobMetrics = (registers: Registry[]) => ({
  jobSeconds: new Histogram({
    name: 'plimsoll_job_seconds',
    help: 'Time of one run of a background job, by how it ended.',
    labelNames: ['job', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60],
    registers,
  }),
  jobLastSuccess: new Gauge({
    name: 'plimsoll_job_last_success_timestamp_seconds',
    help: 'Time of the last success of a background job.',
    labelNames: ['job'],
    registers,
  }),
  jobLastFailure: new Gauge({
    name: 'plimsoll_job_last_failure_timestamp_seconds',
    help: 'Time of the last failure of a background job.',
    labelNames: ['job'],
    registers,
  }),
  backupNewest: new Gauge({
    name: 'plimsoll_backup_newest_timestamp_seconds',
    help: 'Time of the newest backup in PLIMSOLL_BACKUP_DIR; 0: none is there, or no folder is set.',
    registers,
  }),
  bucketsSetAside: new Gauge({
    name: 'plimsoll_rollup_buckets_set_aside',
    help: 'Buckets that a rollup failed on and tries again later, over all accounts, by level.',
    labelNames: ['level'],
    registers,
  }),
});

/** Alerts and their delivery. */
const alertMetrics = (registers: Registry[]) => ({
  alertChanges: new Counter({
    name: 'plimsoll_alert_changes_total',
    help: 'Alerts opened, updated and resolved.',
    labelNames: ['kind'],
    registers,
  }),
  alertFailures: new Counter({
    name: 'plimsoll_alert_failures_total',
    help: 'Reports whose alerts could not be evaluated.',
    registers,
  }),
  notifyOutboxMessages: new Gauge({
    name: 'plimsoll_notify_outbox_messages',
    help: 'Changes of alerts that wait for delivery, over all accounts; each replica reports the same number.',
    registers,
  }),
  notifyOutboxOldestSeconds: new Gauge({
    name: 'plimsoll_notify_outbox_oldest_seconds',
    help: 'Age of the oldest change that waits for delivery.',
    registers,
  }),
  notifyDeliveries: new Counter({
    name: 'plimsoll_notify_deliveries_total',
    help: 'Attempts of this process to send a message, by type of channel and outcome.',
    labelNames: ['type', 'outcome'],
    registers,
  }),
  heartbeats: new Counter({
    name: 'plimsoll_heartbeats_total',
    help: 'Calls of the heartbeat URL by this process, by outcome.',
    labelNames: ['outcome'],
    registers,
  }),
});

/** Answers of the assistant. */
const aiMetrics = (registers: Registry[]) => ({
  aiAnswers: new Counter({
    name: 'plimsoll_ai_answers_total',
    help: 'Answers of the assistant, by who wrote them and how they ended.',
    labelNames: ['mode', 'outcome'],
    registers,
  }),
  aiUnmatchedFigures: new Counter({
    name: 'plimsoll_ai_unmatched_figures_total',
    help: 'Figures in answers that no tool returned; each is marked in the text.',
    registers,
  }),
});

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  let collectsProcess = false;
  return {
    registry,
    expose: () => {
      if (!collectsProcess) collectProcessMetrics(registry);
      collectsProcess = true;
      return registry.metrics();
    },
    ...requestMetrics(registers),
    ...ingestMetrics(registers),
    ...jobMetrics(registers),
    ...alertMetrics(registers),
    ...aiMetrics(registers),
  };
}
