import { z } from 'zod';
import { adviceSettings, clusterPrice } from './capacity-settings.ts';

/** Answers about the capacity of clusters, from the last plan of each. Cores, bytes and per cent; times ISO 8601. */

const workload = z.object({ namespace: z.string(), kind: z.string(), name: z.string() });
const figure = z.number().nullable();

export const CAPACITY_RESOURCES = ['cpu', 'memory', 'disk', 'pods'] as const;
export const capacityResource = z.object({
  resource: z.enum(CAPACITY_RESOURCES),
  /** Cores, bytes or pods. Null: not known for every node. */
  used: figure,
  /** Null: no pod requests it. */
  requested: figure,
  allocatable: figure,
  /** Load line in per cent of allocatable. */
  line_percent: z.number(),
});

export const capacityFit = workload.extend({
  pods: z.int(),
  cpu_cores: z.number(),
  memory_bytes: z.number(),
  /** At least so many more pods fit; null: not known, for `reason`. */
  more: z.int().nullable(),
  /** True: counting stopped there. */
  is_cut: z.boolean(),
  /** In words: "memory", "taints of the nodes". */
  first_limit: z.string().nullable(),
  reason: z.string().nullable(),
});

export const capacityLoss = z.object({
  node: z.string(),
  /** Pods that would stay pending; with a `reason` "at least" so many. Null: not known, for `reason`. */
  pending: z.int().nullable(),
  reason: z.string().nullable(),
  /** The workloads with most of them, at most five. */
  who: z.array(workload.extend({ pods: z.int(), why: z.string() })),
  moved: z.int(),
  /** Pods without a controller: nobody makes them anew. */
  ended: z.int(),
  /** Requests on the other nodes afterwards, in per cent of what they can give. */
  cpu_percent_after: figure,
  memory_percent_after: figure,
});

export const capacityTrend = z.object({
  resource: z.enum(['cpu', 'memory']),
  /** Day on which the requests reach what the nodes can give; null: no date, for `reason`. */
  date: z.string().nullable(),
  earliest: z.string().nullable(),
  latest: z.string().nullable(),
  /** Cores or bytes a day. */
  growth_per_day: figure,
  days: z.int(),
  reason: z.string().nullable(),
});

const sizedResource = z.object({
  /** The size of the newest pod; null: none is set. */
  request: figure,
  limit: figure,
  /** The busiest day for CPU, all days for memory. */
  p95: figure,
  max: figure,
  advice: figure,
  /** Null: no limit, or no advice. */
  limit_advice: figure,
  /** Share of the time by amount, for the histogram: upper end of each bucket and its share in per cent. */
  histogram: z.array(z.object({ up_to: z.number(), percent: z.number() })),
});
const usageOfDay = z.object({ p95: figure, max: figure });
export const SIZING_VERDICTS = ['too_large', 'too_small', 'fits', 'unknown'] as const;
export const capacitySizing = workload.extend({
  container: z.string(),
  pods: z.int(),
  days: z.int(),
  cpu_cores: sizedResource,
  memory_bytes: sizedResource,
  cpu_verdict: z.enum(SIZING_VERDICTS),
  memory_verdict: z.enum(SIZING_VERDICTS),
  /** Sentences: "2 OOM kills in 14 days", "frees 1.2 GB × 4 pods". */
  evidence: z.array(z.string()),
  oom_kills: z.int(),
  /** Amounts that the advice frees over all pods; negative: it takes more. */
  frees: z.object({ cpu_cores: figure, memory_bytes: figure }),
  /** HorizontalPodAutoscalers that the advised requests move: their target in cores or bytes of a pod. */
  autoscalers: z.array(
    z.object({
      name: z.string(),
      /** Null: its metrics could not be read. */
      resource: z.enum(['cpu', 'memory']).nullable(),
      utilization_percent: figure,
      now: figure,
      after: figure,
    }),
  ),
  /** Why there is no advice; null: there is one. */
  reason: z.string().nullable(),
  /** Usage of each day, the oldest first. Only where the call names one workload; else empty. */
  by_day: z.array(z.object({ day: z.string(), cpu_cores: usageOfDay, memory_bytes: usageOfDay })),
});

/** Cost of a cluster in a month of 730 hours. */
export const capacityCost = clusterPrice.extend({
  /** All nodes. Null: not every node reports its size. */
  month: figure,
  /** Cost of the part that no pod holds. */
  idle_month: figure,
  held_month: z.number(),
  /** Cost of the part that the advice on sizes frees. */
  saving_month: figure,
  /** Pods without a request whose use is not known either; they are in no sum. */
  unknown_pods: z.int(),
  /** A pod holds what it requests, or what it uses where that is more. */
  workloads: z.array(
    workload.extend({ pods: z.int(), cpu_cores: z.number(), memory_bytes: z.number(), month: z.number() }),
  ),
  workloads_total: z.int(),
});

export const capacityPool = z.object({
  pool: z.string(),
  /** The label of the nodes that names it. */
  label: z.string(),
  nodes: z.int(),
  resources: z.array(capacityResource),
  trends: z.array(capacityTrend),
  /** The node of the pool whose loss is the worst; pending null: not known. */
  worst: z.object({ node: z.string(), pending: z.int().nullable() }).nullable(),
});

const head = z.object({
  cluster_id: z.string(),
  cluster_name: z.string().nullable(),
  nodes: z.int(),
  /** Null: no plan was computed yet. */
  computed_at: z.string().nullable(),
  age_seconds: figure,
});
export const survival = head.extend({
  /** The node whose loss leaves most pods pending; null: none does, or nothing is known. */
  worst: z.object({ node: z.string(), pending: z.int() }).nullable(),
  /** Why nothing is known; null: it is. */
  reason: z.string().nullable(),
});
/** GET /api/kubernetes/capacity/summary: whether each cluster survives the loss of a node. */
export const survivalAnswer = z.object({ clusters: z.array(survival), total: z.int() });

export const capacityAnswer = z.object({
  clusters: z.array(survival),
  total: z.int(),
  /** The wanted cluster, else the one that is worst off; null: there is no cluster. */
  cluster: head
    .extend({
      /** Why nothing is known; null: it is. */
      reason: z.string().nullable(),
      /** Limits of the answer, each a sentence. */
      notes: z.array(z.string()),
      pods: z.int(),
      waiting: z.int(),
      resources: z.array(capacityResource),
      fits: z.array(capacityFit),
      fits_total: z.int(),
      loss: z.array(capacityLoss),
      loss_total: z.int(),
      trends: z.array(capacityTrend),
      sizing: z.object({
        too_large: z.int(),
        too_small: z.int(),
        /** Together, over all pods. */
        frees: z.object({ cpu_cores: figure, memory_bytes: figure }),
        /** Why there is no advice at all; null: there is. */
        reason: z.string().nullable(),
      }),
      /** Settings that the sizes were computed with. */
      advice: adviceSettings,
      /** Empty: the nodes have no label of a pool, or one pool has all nodes. */
      pools: z.array(capacityPool),
      /** The workload that adds nodes by itself; null: none is seen. */
      autoscaler: z.string().nullable(),
      /** Null: nobody entered a price. */
      cost: capacityCost.nullable(),
    })
    .nullable(),
});

export const capacityFitsAnswer = head.extend({
  reason: z.string().nullable(),
  fit: capacityFit.pick({ more: true, is_cut: true, first_limit: true, reason: true }),
});
export const capacityLossAnswer = head.extend({ reason: z.string().nullable(), loss: capacityLoss.nullable() });
export const sizingAnswer = z.object({
  sizing: z.array(capacitySizing),
  total: z.int(),
  /** The cluster of the list; null: there is no cluster. */
  cluster: head.extend({ reason: z.string().nullable(), advice: adviceSettings }).nullable(),
});
export const serverFitsAnswer = z.object({
  servers: z.array(
    z.object({
      server_id: z.string(),
      hostname: z.string(),
      cores: figure,
      cpu_percent: figure,
      cpu_percent_after: figure,
      memory_percent: figure,
      memory_percent_after: figure,
      /** Points to the nearest load line, before and after. */
      headroom: figure,
      headroom_after: figure,
      fits: z.boolean().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  total: z.int(),
});

export type CapacityAnswer = z.infer<typeof capacityAnswer>;
export type CapacityCluster = NonNullable<CapacityAnswer['cluster']>;
export type CapacityFit = z.infer<typeof capacityFit>;
export type CapacityLoss = z.infer<typeof capacityLoss>;
export type CapacityTrend = z.infer<typeof capacityTrend>;
export type CapacityCost = z.infer<typeof capacityCost>;
export type CapacityPool = z.infer<typeof capacityPool>;
export type CapacityResourceRow = z.infer<typeof capacityResource>;
export type UsageOfDay = CapacitySizing['by_day'][number];
export type CapacitySizing = z.infer<typeof capacitySizing>;
export type SizedResource = z.infer<typeof sizedResource>;
export type Survival = z.infer<typeof survival>;
export type SurvivalAnswer = z.infer<typeof survivalAnswer>;
export type CapacityFitsAnswer = z.infer<typeof capacityFitsAnswer>;
export type CapacityLossAnswer = z.infer<typeof capacityLossAnswer>;
export type SizingAnswer = z.infer<typeof sizingAnswer>;
export type ServerFitsAnswer = z.infer<typeof serverFitsAnswer>;
