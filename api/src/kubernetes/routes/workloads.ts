import { type WorkloadAnswer, workloadAnswer } from '@plimsoll/contract/wire/kubernetes';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso, isoOrNull } from '../../http/units.ts';
import { clusterId } from './query.ts';
import type { WorkloadInCluster } from '../pod-records.ts';
import { amounts, shapeOwner } from './shape.ts';

const part = z.string().min(1).max(253);

const shapeInCluster = ({ pod, ...one }: WorkloadInCluster): WorkloadAnswer['clusters'][number] => ({
  cluster_id: one.clusterId,
  cluster_name: one.clusterName,
  reported_at: iso(one.reportedAt),
  desired: one.desired,
  ready: one.ready,
  images: (pod?.containers ?? []).filter(({ init }) => !init).map(({ name, image }) => ({ container: name, image })),
  requests: pod && amounts(pod.requests),
  limits: pod && amounts(pod.limits),
});

/** One workload with its rollouts and alerts; its pods and events are lists of their own. */
export const workloadRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/workloads/:namespace/:kind/:name',
      actor: 'user',
      summary: 'One Deployment, StatefulSet, DaemonSet, Job or CronJob: sums over its pods, rollouts and open alerts',
      tag: 'Kubernetes',
      params: { namespace: part, kind: part, name: part },
      query: { cluster_id: clusterId },
      answer: workloadAnswer,
    },
    async ({ actor, params, query }) => {
      const filter = { owner: actor.owner, clusterId: query.cluster_id };
      const found = await deps.storage.kubernetes.views.getWorkload(filter, params, deps.clock.now());
      if (found === null) throw notFound('Workload');
      const { object, owner } = found;
      return {
        cluster_id: found.clusterId,
        cluster_name: found.clusterName,
        ...params,
        owner: owner && shapeOwner(owner),
        desired: object?.desired ?? null,
        ready: object?.ready ?? null,
        created_at: isoOrNull(object?.createdAt ?? null),
        suspended: object?.isSuspended ?? null,
        last_run_at: isoOrNull(object?.lastRunAt ?? null),
        short_since: isoOrNull(object?.shortSince ?? null),
        clusters: found.clusters.map(shapeInCluster),
        rollouts: found.rollouts.map(({ at, changes }) => ({ at: iso(at), changes })),
        alerts: found.alerts.map((alert) => ({
          alert_id: alert.id,
          level: alert.level,
          title: alert.title,
          message: alert.message,
          opened_at: iso(alert.openedAt),
          acknowledged: alert.isAcknowledged,
        })),
      };
    },
  ),
];
