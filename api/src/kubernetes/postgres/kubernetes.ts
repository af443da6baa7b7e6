import type { Clock } from '../../clock.ts';
import type { DescribedObjects, Kubernetes } from '../store.ts';
import type { Database } from '../../database/database.ts';
import { createClusterAdministration } from './cluster-administration.ts';
import { listClusterLoads } from './cluster-loads.ts';
import { clusterStates, listClusters } from './clusters.ts';
import { listDegraded } from './degraded.ts';
import { listTerminations, listEvents, listImages, listVolumes } from './events.ts';
import { listKubelets, sumNodes } from './node-totals.ts';
import { clusterAt } from './moment.ts';
import { listNodes, rankNodes, recentNodes } from './nodes.ts';
import { listNodeAgentSets } from './node-agent-sets.ts';
import { createPodLogStore } from './pod-logs.ts';
import { listOwners } from './owners.ts';
import { KeptPodGroups } from './pod-groups.ts';
import { KeptPodSums } from './pod-sums.ts';
import { findPod, listPods } from './pods.ts';
import { nodeFacts } from './scope.ts';
import { createClusterReportStore } from './reports.ts';
import { nodeSeries, podSeries } from './series.ts';
import { summarisePods } from './summary.ts';
import { createClusterTokenStore } from './tokens.ts';
import { findWorkload } from './workload.ts';
import { createClusterUpkeep } from './rollup.ts';

export const createKubernetesStore = (database: Database, clock: Clock, described: DescribedObjects): Kubernetes => {
  const podSums = new KeptPodSums(database.pool);
  const podGroups = new KeptPodGroups(database.pool);
  return {
    tokens: createClusterTokenStore(database),
    reports: createClusterReportStore(database, described),
    logs: createPodLogStore(database),
    upkeep: createClusterUpkeep(database),
    administration: createClusterAdministration(database),
    views: {
      clusters: (owner, within) => listClusters(database, owner, within),
      clusterAt: (filter, at, limit) => clusterAt(database, filter, at, limit),
      nodeFacts: (owner) => nodeFacts(database, owner),
      clusterLoads: (filter, now) => listClusterLoads({ pool: database.pool, podSums }, filter, now),
      clusterStates: (filter) => clusterStates(database, filter),
      nodes: (filter, now) => listNodes(database, filter, now),
      rankedNodes: (filter, countPods) => rankNodes(database, filter, countPods),
      recentNodes: (filter, now) => recentNodes(database, filter, now),
      nodeTotals: (filter, now) => sumNodes(database, filter, now),
      kubelets: (filter, limit) => listKubelets(database, filter, limit),
      nodeAgentSets: (filter) => listNodeAgentSets(database, filter),
      pods: (filter, now) => listPods(database, podGroups, filter, now),
      pod: (filter, namespace, name, now) => findPod(database, filter, { namespace, name }, now),
      podsSummary: (filter, now) => summarisePods(database, podGroups, filter, now),
      listDegraded: (filter, now) => listDegraded(database, filter, now),
      owners: (filter, now) => listOwners(database, podGroups, filter, now),
      getWorkload: (filter, wanted, now) => findWorkload({ database, podGroups }, filter, wanted, now),
      events: (filter) => listEvents(database, filter),
      terminations: (pod, owner, from) => listTerminations(database, pod, owner, from),
      volumes: (pod, owner) => listVolumes(database, pod, owner),
      images: (pod, owner) => listImages(database, pod, owner),
      podSeries: (pod, owner, range) => podSeries(database, pod, owner, range, clock.now()),
      nodeSeries: (node, owner, range) => nodeSeries(database, node, owner, range, clock.now()),
    },
  };
};
