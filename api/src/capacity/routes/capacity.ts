import {
  capacityAnswer,
  capacityFitsAnswer,
  capacityLossAnswer,
  sizingAnswer,
  survivalAnswer,
} from '@plimsoll/contract/wire/capacity';
import { page, scope } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { clustersInScope } from '../../kubernetes/scope.ts';
import type { ClusterFilter } from '../../kubernetes/types.ts';
import { DEFAULT_ADVICE } from '../advice.ts';
import { byNeed, countInRooms, staleReason } from '../answers.ts';
import type { StoredPlan } from '../stored-plan.ts';
import { usageByDay } from '../usage-by-day.ts';
import { amount, MOST } from './amount.ts';
import { shapeCluster, shapeHead, shapeLoss, shapeSizing, shapeSurvival, sizingReason } from './shape.ts';
import { shapeAdvice } from './shape-money.ts';

const tag = 'Capacity';
/** uid of kube-system. */
const clusterId = z.string().min(1).max(128);
const name = z.string().min(1).max(253);
/** Rows of the page; a longer list is for no reader. */
const MOST_ROWS = { fits: 200, loss: 200 } as const;

export const capacityRoutes = (deps: Deps): Route[] => [
  summary(deps),
  losses(deps),
  fits(deps),
  capacity(deps),
  sizing(deps),
];

const summary = ({ storage, clock }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/capacity/summary',
      actor: 'user',
      summary: 'Says of each cluster whether it survives the loss of any node',
      tag,
      query: { scope: scope.optional() },
      answer: survivalAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const within = await clustersInScope(storage, actor.owner, query.scope, now);
      const found = await storage.capacityPlans.listFindings({ owner: actor.owner, within });
      const clusters = found.map((one) => shapeSurvival(one, now)).toSorted(byNeed);
      return { clusters, total: clusters.length };
    },
  );

const capacity = ({ storage, clock }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/capacity',
      actor: 'user',
      summary:
        'The capacity of a cluster: room for more pods, the loss of each node, the date when it is full, wrong sizes',
      tag,
      query: {
        cluster_id: clusterId.optional(),
        scope: scope.optional(),
      },
      answer: capacityAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const { owner } = actor;
      const within = await clustersInScope(storage, owner, query.scope, now);
      const found = await storage.capacityPlans.listFindings({ owner, within });
      const clusters = found.map((one) => shapeSurvival(one, now)).toSorted(byNeed);
      const wanted = query.cluster_id ?? clusters[0]?.cluster_id;
      const plan = wanted === undefined ? null : await planOf(storage, { owner, clusterId: wanted });
      const price = plan && (await storage.capacitySettings.getPrice(owner, plan.clusterId));
      return {
        clusters,
        total: clusters.length,
        cluster: plan && shapeCluster(plan, now, { ...MOST_ROWS, price }),
      };
    },
  );

const fits = ({ storage, clock }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/capacity/fits',
      actor: 'user',
      summary: 'The number of further pods of a workload, or of a given size, that fit into a cluster',
      tag,
      query: {
        cluster_id: clusterId,
        namespace: name.optional(),
        kind: name.optional(),
        name: name.optional(),
        cpu_cores: amount('Cores that a pod requests, if no workload is named', MOST.cores).optional(),
        memory_bytes: amount('Bytes of memory that a pod requests, if no workload is named', MOST.bytes).optional(),
      },
      answer: capacityFitsAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const stored = await planOf(storage, { owner: actor.owner, clusterId: query.cluster_id });
      const reason = staleReason(stored, now) ?? stored.plan?.unknown ?? null;
      const answer = { ...shapeHead(stored, stored.plan?.nodes ?? 0, now), reason };
      const nothing = { more: null, is_cut: false, first_limit: null, reason };
      const { namespace, kind, name: wanted, cpu_cores: cpuCores, memory_bytes: memoryBytes } = query;
      if (namespace !== undefined && kind !== undefined && wanted !== undefined) {
        if (reason !== null || stored.plan === null) return { ...answer, fit: nothing };
        const row = stored.plan.fits.find(
          (one) => one.namespace === namespace && one.kind === kind && one.name === wanted,
        );
        if (row === undefined) throw notFound('Workload');
        const { more, isCut, firstLimit } = row;
        return { ...answer, fit: { more, is_cut: isCut, first_limit: firstLimit, reason: row.reason } };
      }
      if (cpuCores === undefined || memoryBytes === undefined)
        throw new CodedError(
          'invalid_parameter',
          'cpu_cores: is required with memory_bytes, where no workload is named',
          {
            field: 'cpu_cores',
            remedy: 'Give namespace, kind and name of a workload, or cpu_cores and memory_bytes.',
          },
        );
      if (reason !== null || stored.plan === null) return { ...answer, fit: nothing };
      const { more, firstLimit } = countInRooms(stored.plan.rooms, { cpuCores, memoryBytes });
      return { ...answer, fit: { more, is_cut: false, first_limit: firstLimit, reason: null } };
    },
  );

const losses = ({ storage, clock }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/capacity/loss',
      actor: 'user',
      summary: 'Which pods stay pending if a node of a cluster is lost',
      tag,
      query: { cluster_id: clusterId, node: name },
      answer: capacityLossAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const stored = await planOf(storage, { owner: actor.owner, clusterId: query.cluster_id });
      const reason = staleReason(stored, now) ?? stored.plan?.unknown ?? null;
      const row = reason === null ? stored.plan?.loss.find(({ node }) => node === query.node) : undefined;
      return {
        ...shapeHead(stored, stored.plan?.nodes ?? 0, now),
        reason: reason ?? (row === undefined ? 'The node is not in the last plan.' : null),
        loss: row === undefined ? null : shapeLoss(row),
      };
    },
  );

const sizing = ({ storage, clock }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/sizing',
      actor: 'user',
      summary: 'Requests and limits of the containers of a cluster beside their usage, with advice',
      tag,
      query: {
        cluster_id: clusterId,
        namespace: name.optional(),
        kind: name.optional(),
        name: name.optional(),
        ...page(),
      },
      answer: sizingAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const stored = await planOf(storage, { owner: actor.owner, clusterId: query.cluster_id });
      const stale = staleReason(stored, now);
      const rows = (stale === null ? (stored.plan?.sizing ?? []) : []).filter(
        (row) =>
          (query.namespace === undefined || row.namespace === query.namespace) &&
          (query.kind === undefined || row.kind === query.kind) &&
          (query.name === undefined || row.name === query.name),
      );
      const { namespace, kind, name: wanted } = query;
      const days =
        namespace === undefined || kind === undefined || wanted === undefined || rows.length === 0
          ? null
          : usageByDay(
              await storage.capacityPlans.readUsage(
                { owner: actor.owner, clusterId: query.cluster_id, namespace, kind, name: wanted },
                clock.now(),
                stored.plan?.advice.days ?? DEFAULT_ADVICE.days,
              ),
            );
      return {
        sizing: rows
          .slice(query.offset, query.offset + query.limit)
          .map((row) => shapeSizing(row, days?.get(row.container))),
        total: rows.length,
        cluster: {
          ...shapeHead(stored, stored.plan?.nodes ?? 0, now),
          reason: stale ?? sizingReason(stored.plan),
          advice: shapeAdvice(stored.plan?.advice),
        },
      };
    },
  );

async function planOf(storage: Deps['storage'], filter: ClusterFilter): Promise<StoredPlan> {
  const [plan] = await storage.capacityPlans.list(filter);
  if (plan === undefined) throw notFound('Cluster');
  return plan;
}
