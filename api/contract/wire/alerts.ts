import { z } from 'zod';
import { ALERT_LEVELS, ALERT_STATUSES } from '../rules/limits.ts';

/** GET /api/data/notifications. metric_name is open beyond cpu_usage, memory_usage, disk_usage (offline, io_wait …). */
export const alert = z.object({
  alert_id: z.uuid(),
  server_id: z.uuid(),
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
  tags: z.looseObject({ hostname: z.string() }),
});
export const alertsAnswer = z.object({ alerts: z.array(alert), total: z.int() });
export type Alert = z.infer<typeof alert>;
export type AlertsAnswer = z.infer<typeof alertsAnswer>;
