import {
  podAnswer,
  podHistoryAnswer,
  podLogsAnswer,
  type PodLogsAnswer,
  type PodMetricsPoint,
} from '@plimsoll/contract/wire/kubernetes';
import { RESTART_WINDOW_HOURS } from '@plimsoll/contract/rules/kubernetes-limits';
import { SERIES_BUCKETS } from '@plimsoll/contract/rules/limits';
import { dates, hours, wholeNumber } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { fillBuckets } from '../../series/buckets.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { notFound } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { requestPodLogs } from '../acting/request-pod-logs.ts';
import { lastImageChange } from '../image-change.ts';
import type { PodRecord, VolumeRecord } from '../pod-records.ts';
import type { UsageBucket } from '../types.ts';
import { cores, megabytes, shapeRestart, shapeEvent, shapePod } from './shape.ts';
import { clusterId, searchText } from './query.ts';
import { bucketRange, todayOf } from '../../series/range.ts';
import { epochSeconds, iso, isoOrNull } from '../../http/units.ts';

const tag = 'Kubernetes';
const podParams = { namespace: z.string().min(1).max(253), pod: z.string().min(1).max(253) };
/** The drawer reaches back to the retention of single ends and events. */
const DRAWER_MS = 7 * 86_400_000;
const DRAWER_EVENTS = 50;

const requirePod = async (
  { storage, clock }: Deps,
  owner: Owner,
  cluster: string | undefined,
  at: { namespace: string; pod: string },
): Promise<PodRecord> => {
  const found = await storage.kubernetes.views.pod({ owner, clusterId: cluster }, at.namespace, at.pod, clock.now());
  if (found === null) throw notFound('Pod');
  return found;
};

/** The calls about one pod. */
export const onePodRoutes = (deps: Deps): Route[] => [onePod(deps), podHistory(deps), podLogs(deps)];

const onePod = (deps: Deps): Route => {
  const { storage, clock } = deps;
  const { views } = storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/pods/:namespace/:pod',
      actor: 'user',
      summary: 'One pod with its restarts, events and volumes',
      tag,
      params: podParams,
      query: { cluster_id: clusterId },
      answer: podAnswer,
    },
    async ({ actor, params, query }) => {
      const { owner } = actor;
      const pod = await requirePod(deps, owner, query.cluster_id, params);
      const now = clock.now();
      const from = now - DRAWER_MS;
      const about = { kind: 'Pod', namespace: pod.object.namespace, name: pod.object.name };
      const [ends, events, volumes, images] = await Promise.all([
        views.terminations(pod, owner, from),
        views.events({ owner, clusterId: pod.clusterId, ...about, from, limit: DRAWER_EVENTS, offset: 0 }),
        views.volumes(pod, owner),
        views.images(pod, owner),
      ]);
      const change = lastImageChange(pod.object, images);
      return {
        pod: shapePod(pod, now),
        restarts: ends.map(shapeRestart),
        events: events.events.map(shapeEvent),
        volumes: volumes.map(shapeVolume),
        image_change: change && { ...change, at: iso(change.at) },
      };
    },
  );
};

const podHistory = (deps: Deps): Route => {
  const { storage, clock } = deps;
  const { views } = storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/pods/:namespace/:pod/metrics/history',
      actor: 'user',
      summary: 'CPU and memory of one pod over time, with its restarts',
      tag,
      params: podParams,
      query: {
        hours,
        ...dates,
        cluster_id: clusterId,
        buckets: wholeNumber(10, SERIES_BUCKETS.max).default(SERIES_BUCKETS.default),
      },
      answer: podHistoryAnswer,
    },
    async ({ actor, params, query }) => {
      const pod = await requirePod(deps, actor.owner, query.cluster_id, params);
      const buckets = bucketRange(query, todayOf(deps));
      const [rows, ends] = await Promise.all([
        views.podSeries(pod, actor.owner, buckets),
        views.terminations(pod, actor.owner, Math.min(buckets.from, clock.now() - RESTART_WINDOW_HOURS * 3_600_000)),
      ]);
      const { limits, requests } = pod.object;
      return {
        metrics: fillBuckets(rows, buckets, emptyBucket).map(shapePoint),
        from: epochSeconds(buckets.from),
        to: epochSeconds(buckets.to),
        bucket_seconds: buckets.bucketSeconds,
        limits: { cpu_cores: cores(limits.cpu_cores), memory_mb: megabytes(limits.memory_bytes) },
        requests: { cpu_cores: cores(requests.cpu_cores), memory_mb: megabytes(requests.memory_bytes) },
        restarts: ends.filter(({ at }) => at >= buckets.from && at < buckets.to).map(shapeRestart),
      };
    },
  );
};

const RETRY_SECONDS = 2;
const podLogs = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/pods/:namespace/:pod/logs',
      actor: 'user',
      summary:
        'The last 200 lines of a container, where the chart allows it; pending until the collector has read them',
      audit: 'pod_logs_read',
      tag,
      params: podParams,
      query: { cluster_id: clusterId, container: searchText, previous: z.enum(['true', 'false']).default('false') },
      answer: podLogsAnswer,
    },
    async ({ actor, params, query }) => {
      const pod = await requirePod(deps, actor.owner, query.cluster_id, params);
      const previous = query.previous === 'true';
      const { container, tail } = await requestPodLogs(deps, actor, { pod, container: query.container, previous });
      const state: PodLogsAnswer['state'] =
        tail.answeredAt === null ? 'pending' : tail.failure === null ? 'ready' : 'failed';
      return {
        state,
        container,
        previous,
        lines: tail.lines,
        requested_at: iso(tail.requestedAt),
        fetched_at: isoOrNull(tail.fetchedAt),
        detail: tail.failure,
        retry_seconds: state === 'pending' ? RETRY_SECONDS : null,
      };
    },
  );

const shapeVolume = (volume: VolumeRecord) => ({
  claim: volume.claim,
  phase: volume.phase,
  storage_class: volume.storageClass,
  capacity_mb: megabytes(volume.capacityBytes),
  used_mb: megabytes(volume.usedBytes),
  reason: volume.usedBytes === null ? 'The kubelet does not report usage for this volume' : null,
});

const NO_BAND = { avg: null, min: null, max: null };
const emptyBucket = (at: number): UsageBucket => ({
  at,
  count: 0,
  isTold: false,
  cpuCores: NO_BAND,
  memoryBytes: NO_BAND,
});
const shapePoint = ({ at, count, isTold, cpuCores, memoryBytes }: UsageBucket): PodMetricsPoint => ({
  timestamp: epochSeconds(at),
  time: iso(at),
  cpu_usage_cores: cores(cpuCores.avg),
  memory_usage_mb: megabytes(memoryBytes.avg),
  bands: {
    cpu_cores: { avg: cores(cpuCores.avg), min: cores(cpuCores.min), max: cores(cpuCores.max) },
    memory_mb: { avg: megabytes(memoryBytes.avg), min: megabytes(memoryBytes.min), max: megabytes(memoryBytes.max) },
  },
  count,
  ...(isTold ? { source: 'prometheus' } : {}),
});
