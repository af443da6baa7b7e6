import { z } from 'zod';
import { ALERT_DELIVERY_STATES, ALERT_HISTORY_KINDS } from '../../rules/alert-acting.ts';
import { ALERT_LEVELS, EVENT_SEVERITIES } from '../../rules/limits.ts';
import { CHANNEL_TYPES } from '../../rules/notify.ts';
import { process } from '../processes.ts';
import { alert } from './alerts.ts';

const moment = z.iso.datetime();

/** The rule as it stands now. */
const rule = z.object({
  rule_id: z.string(),
  is_default: z.boolean(),
  /** False: the rule was deleted. */
  exists: z.boolean(),
  /** "CPU at or above 80 % for 5 min; resolves below 75 %". */
  text: z.string(),
});

/** What the chart of the moment queries: GET /api/data/metrics/timeseries?server_id&start_date={from}&end_date={to}. */
const chart = z.object({
  server_id: z.uuid(),
  /** metric_name of the alert. */
  metric: z.string(),
  /** Mount point and the like; empty: the server itself. */
  subject: z.string(),
  /** Epoch seconds. */
  from: z.number(),
  to: z.number(),
  /** The line that the alert crossed; null: the metric has none. */
  line: z.number().nullable(),
  /** Every line of the rule, ascending. */
  lines: z.array(z.object({ level: z.enum(ALERT_LEVELS), threshold: z.number() })),
  /** Epoch seconds of the marks on the chart. */
  opened_at: z.number(),
  resolved_at: z.number().nullable(),
});

/** `sampled_at`: time of the list; `age_seconds`: its age when the alert opened. `total`: before rows were cut. */
const frozen = { sampled_at: moment, age_seconds: z.number(), total: z.int() };

/** The lists of the server, or of the node of a pod, as they stood when the alert opened. A null list was never reported. */
export const blackBox = z.object({
  taken_at: moment,
  processes: z
    .object({
      ...frozen,
      entries: z.array(
        process.pick({
          pid: true,
          name: true,
          command: true,
          user: true,
          status: true,
          cpu_usage: true,
          memory_usage: true,
          memory_kb: true,
        }),
      ),
    })
    .nullable(),
  connections: z
    .object({
      ...frozen,
      /** Sockets by state; null: not reported. */
      summary: z
        .object({
          total: z.int().nullable(),
          established: z.int().nullable(),
          listen: z.int().nullable(),
          time_wait: z.int().nullable(),
          close_wait: z.int().nullable(),
        })
        .nullable(),
      entries: z.array(
        z.object({
          remote_ip: z.string(),
          remote_port: z.int(),
          local_port: z.int(),
          protocol: z.string(),
          state: z.string(),
          pid: z.int(),
        }),
      ),
    })
    .nullable(),
  /** The last 20 before the alert opened, newest first. */
  events: z.array(
    z.object({
      timestamp: z.number(),
      event_type: z.string(),
      service_name: z.string().nullable(),
      process_name: z.string().nullable(),
      message: z.string(),
      severity: z.enum(EVENT_SEVERITIES),
    }),
  ),
  /** Pods on the node, worst first; null: the server is no Kubernetes node. */
  pods: z
    .object({
      ...frozen,
      entries: z.array(
        z.object({
          namespace: z.string(),
          pod_name: z.string(),
          phase: z.string(),
          reason: z.string().nullable(),
          restart_count: z.int(),
          cpu_usage_cores: z.number().nullable(),
          memory_usage_mb: z.number().nullable(),
          /** Set in an alert of a cluster; null: the pod has no node yet. */
          node_name: z.string().nullable().optional(),
        }),
      ),
    })
    .nullable(),
  /** Set for an alert about a cluster or an object in it. */
  cluster: z
    .object({
      /** The last 20 warnings of Kubernetes about it before the alert opened, newest first. */
      events: z.array(
        z.object({
          timestamp: z.number(),
          reason: z.string(),
          message: z.string(),
          kind: z.string(),
          namespace: z.string(),
          name: z.string(),
          count: z.int(),
        }),
      ),
      /** The node, or the nodes of the pods. Usage is null where nothing measures it. */
      nodes: z.array(
        z.object({
          name: z.string(),
          ready: z.boolean().nullable(),
          measured_at: moment.nullable(),
          cpu_usage_cores: z.number().nullable(),
          cpu_capacity_cores: z.number().nullable(),
          memory_usage_mb: z.number().nullable(),
          memory_capacity_mb: z.number().nullable(),
        }),
      ),
      /** The last end of each container, newest first. */
      terminations: z.array(
        z.object({
          at: moment.nullable(),
          namespace: z.string(),
          pod_name: z.string(),
          container: z.string(),
          reason: z.string().nullable(),
          exit_code: z.int().nullable(),
          /** Last lines of its termination log, redacted. */
          message: z.string().nullable(),
        }),
      ),
    })
    .nullable()
    .optional(),
});

const delivery = z.object({
  channel_id: z.uuid(),
  channel_name: z.string(),
  type: z.enum(CHANNEL_TYPES),
  state: z.enum(ALERT_DELIVERY_STATES),
  /** Time of the newest attempt; with `waiting`: when it is due. */
  at: moment,
  /** Verdict of the provider in words; null: delivered, or not tried yet. */
  error: z.string().nullable(),
  attempts: z.int(),
});

const historyEntry = z.object({
  at: moment,
  kind: z.enum(ALERT_HISTORY_KINDS),
  /** Name of the user; null: Plimsoll itself, or the account is gone. */
  by: z.string().nullable(),
  /** Note of an acknowledgement, comment of a silence, verdict of a failed message. */
  note: z.string().nullable(),
  /** Set for opened and escalated. */
  level: z.enum(ALERT_LEVELS).nullable(),
  /** End of a silence; set for silenced. */
  until: moment.nullable(),
  /** Set for messages. */
  channel_name: z.string().nullable(),
});

/** GET /api/alerts/{id}. */
export const alertDetailAnswer = z.object({
  alert,
  rule,
  chart: chart.nullable(),
  /** null: `black_box_note` says why. */
  black_box: blackBox.nullable(),
  black_box_note: z.string().nullable(),
  /** One per channel that has, or had, a message about this alert. */
  deliveries: z.array(delivery),
  /** Oldest first. */
  history: z.array(historyEntry),
});

export type AlertDetailAnswer = z.infer<typeof alertDetailAnswer>;
export type BlackBoxOnWire = z.infer<typeof blackBox>;
