import { z } from 'zod';
import { ALERT_LEVELS } from '../rules/limits.ts';
import { amounts, moment } from './kubernetes-parts.ts';
import { podOwner } from './kubernetes-pods.ts';

/** GET /workloads/{namespace}/{kind}/{name}?cluster_id: one workload, or what owns pods and has no object of its own. */
export const workloadAnswer = z.object({
  cluster_id: z.string(),
  cluster_name: z.string().nullable(),
  namespace: z.string(),
  kind: z.string(),
  name: z.string(),
  /** Sums over its pods; null: it has none. */
  owner: podOwner.nullable(),
  /** Null, like `ready`: the collector does not report this kind. */
  desired: z.int().nullable(),
  ready: z.int().nullable(),
  created_at: moment.nullable(),
  /** A CronJob that is switched off, a Deployment that is paused; null: not known. */
  suspended: z.boolean().nullable(),
  last_run_at: moment.nullable(),
  /** Fewer pods are ready than wanted since then. */
  short_since: moment.nullable(),
  /** Each cluster that has the workload, this one included. Images, requests and limits are those of the newest pod. */
  clusters: z.array(
    z.object({
      cluster_id: z.string(),
      cluster_name: z.string().nullable(),
      reported_at: moment,
      desired: z.int().nullable(),
      ready: z.int().nullable(),
      images: z.array(z.object({ container: z.string(), image: z.string() })),
      /** The bounds of one pod; null: it has no pod, or the pod has none. */
      requests: amounts.nullable(),
      limits: amounts.nullable(),
    }),
  ),
  /** Changes of images that its stored pods show, newest first. A rollout that changes no image is not among them. */
  rollouts: z.array(
    z.object({
      at: moment,
      changes: z.array(z.object({ container: z.string(), from: z.string(), to: z.string() })),
    }),
  ),
  /** Open alerts of the workload, newest first, at most 50. */
  alerts: z.array(
    z.object({
      alert_id: z.uuid(),
      level: z.enum(ALERT_LEVELS),
      title: z.string(),
      message: z.string(),
      opened_at: moment,
      acknowledged: z.boolean(),
    }),
  ),
});
export type WorkloadAnswer = z.infer<typeof workloadAnswer>;
export type WorkloadInCluster = WorkloadAnswer['clusters'][number];
