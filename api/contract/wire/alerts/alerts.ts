import { z } from 'zod';
import { ALERT_LEVELS, ALERT_STATUSES } from '../../rules/limits.ts';

/** GET /api/data/notifications. metric_name is open beyond cpu_usage, memory_usage, disk_usage (offline, io_wait …). */
export const alert = z.object({
  alert_id: z.uuid(),
  /** null: the alert is about a cluster, or an object in it. */
  server_id: z.uuid().nullable(),
  level: z.enum(ALERT_LEVELS),
  title: z.string(),
  message: z.string(),
  status: z.enum(ALERT_STATUSES),
  timestamp: z.number(),
  resolved_at: z.iso.datetime().nullable(),
  metric_name: z.string(),
  current_value: z.number().nullable(),
  threshold_value: z.number().nullable(),
  acknowledged_at: z.iso.datetime().nullable(),
  /** Name of the user; null: not acknowledged, or the account is gone. */
  acknowledged_by: z.string().nullable(),
  acknowledged_note: z.string().nullable(),
  /** A silence holds back the messages until then; null: none does. Always null for a resolved alert. */
  silenced_until: z.iso.datetime().nullable(),
  /** The silence that ends last of those that match now. */
  silence_id: z.uuid().nullable(),
  /** Id of a user's rule, or `default-…`. */
  rule_id: z.string(),
  /** null: the alert is too young to have one. */
  incident: z
    .object({
      incident_id: z.uuid(),
      /** Another alert of the incident explains this one, so it is not sent by itself. */
      folded: z.boolean(),
      /** Alerts that this one explains: open ones while it is open, else all. */
      below: z.int(),
      /** First sentence of GET /api/alerts/{id}/cause; null: no cause is known, or not yet. */
      likely_cause: z.string().nullable().optional(),
    })
    .nullable(),
  /** Only alerts of a cluster have it. */
  kubernetes: z
    .object({
      cluster_id: z.string(),
      cluster_name: z.string().nullable(),
      namespace: z.string().nullable(),
      /** "Deployment", "CronJob", "Pod" …; null: the alert is about a node, a volume or the cluster. */
      workload_kind: z.string().nullable(),
      /** Name of the workload, the volume or the node. */
      name: z.string().nullable(),
      /** Nodes that the affected pods run on, or the node itself. */
      nodes: z.array(z.string()),
    })
    .nullable()
    .optional(),
  tags: z.looseObject({ hostname: z.string() }),
});
export const alertsAnswer = z.object({ alerts: z.array(alert), total: z.int() });
export type Alert = z.infer<typeof alert>;
export type AlertsAnswer = z.infer<typeof alertsAnswer>;
