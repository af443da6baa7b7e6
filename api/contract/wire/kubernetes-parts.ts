import { z } from 'zod';
import { POD_PHASES, USAGE_SOURCES } from '../rules/kubernetes-limits.ts';

/** Pieces the Kubernetes answers share. Null is unknown. */
export const number = z.number().nullable();
export const moment = z.iso.datetime();

/**
 * Source of a figure. If the value is null, `reason` has the cause ("forbidden: needs nodes/stats get"), shown as a
 * tooltip.
 */
export const origin = z.object({
  source: z.enum(USAGE_SOURCES).nullable(),
  age_seconds: number,
  reason: z.string().nullable(),
});
export const amounts = z.object({ cpu_cores: number, memory_mb: number });
export const band = z.object({ avg: number, min: number, max: number });
export const historyRange = { from: z.number(), to: z.number(), bucket_seconds: z.number().positive() };
export const phaseCounts = z.object(
  Object.fromEntries(POD_PHASES.map((phase) => [phase, z.int()])) as Record<(typeof POD_PHASES)[number], z.ZodInt>,
);

export const kubernetesEvent = z.object({
  id: z.string(),
  cluster_id: z.string(),
  type: z.string(),
  reason: z.string(),
  message: z.string(),
  namespace: z.string(),
  kind: z.string(),
  name: z.string(),
  component: z.string().nullable(),
  count: z.int(),
  first_at: moment,
  last_at: moment,
});

export type Origin = z.infer<typeof origin>;
export type KubernetesEvent = z.infer<typeof kubernetesEvent>;
