import { permissionsAnswer, type Permission } from '@plimsoll/contract/wire/kubernetes';
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import { scope } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import { costOf, NODE_AGENTS } from '../cluster-state.ts';
import { withCustomResourcesOff } from '../custom-resource-readers.ts';
import { readersWithRefusals, withLeftOut } from '../incomplete-readers.ts';
import { missingAgents } from '../missing-agents.ts';
import type { KubeletRecord, NodeAgentSet } from '../node-records.ts';
import { remedyOf } from '../remedies.ts';
import { nameAddresses, refusedRival } from '../rival.ts';
import { clustersInScope } from '../scope.ts';
import type { ClusterState } from '../types.ts';
import { clusterId } from './query.ts';

/** Nodes whose kubelet cannot be read, named one by one. */
export const MOST_NODES_NAMED = 100;

export const permissions = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/permissions',
      actor: 'user',
      summary: 'Lists the sources of the collectors: needed permissions, state, and the figures missing on failure',
      tag: 'Kubernetes',
      query: { cluster_id: clusterId, scope: scope.optional() },
      answer: permissionsAnswer,
    },
    async ({ actor, query }) => {
      const now = deps.clock.now();
      const within = await clustersInScope(deps.storage, actor.owner, query.scope, now);
      const filter = { owner: actor.owner, clusterId: query.cluster_id, within };
      const { views } = deps.storage.kubernetes;
      const [clusters, { failing: failingKubelets, well }, agentSets] = await Promise.all([
        views.clusterStates(filter),
        views.kubelets(filter, MOST_NODES_NAMED),
        views.nodeAgentSets(filter),
      ]);
      const missing = missingReaders(agentSets, clusters, now);
      // One line stands for all kubelets without a failure: each would say the same.
      const wellKubelets = well === null ? [] : [{ ...kubeletReader(well), who: 'node agents' }];
      const permissions = [
        ...rivals(clusters, now),
        ...collectorReaders(clusters),
        ...missing,
        ...failingKubelets.map(kubeletReader),
        ...wellKubelets,
      ];
      const failing = permissions.filter(({ state }) => state !== 'ok').length;
      return { permissions, total: permissions.length, failing };
    },
  );

/** The rest of what the reader reads is stored. */
const INCOMPLETE_COSTS = 'The fields named here. An object that is refused keeps its last accepted state';
const shapeReader = (clusterUid: string, who: string, reader: ReaderStatePart): Permission => ({
  cluster_id: clusterUid,
  who,
  reader: reader.name,
  state: reader.state,
  detail: reader.detail,
  needs: reader.needs,
  costs: reader.state === 'incomplete' ? INCOMPLETE_COSTS : costOf(reader.name),
  since: iso(reader.since * 1000),
  ...remedyOf(reader),
});

export const collectorReaders = (clusters: ClusterState[]): Permission[] =>
  clusters.flatMap(({ id, readers, refusals }) =>
    readersWithRefusals(withCustomResourcesOff(readers), refusals).map((reader) =>
      shapeReader(id, 'cluster collector', reader),
    ),
  );

/** Name of the entry that the page gives a button. */
const SECOND_COLLECTOR = 'second cluster';
/** Returns an entry for each cluster with a second collector, which is refused: nothing of that one is shown. */
export const rivals = (clusters: ClusterState[], now: number): Permission[] =>
  clusters.flatMap(({ id, apiAddresses, rival }) => {
    const refused = refusedRival(rival, now);
    if (refused === null) return [];
    const [here, there] = [nameAddresses(apiAddresses), nameAddresses(refused.addresses)];
    return [
      {
        cluster_id: id,
        who: SECOND_COLLECTOR,
        reader: 'another_collector_reports',
        state: 'forbidden',
        detail: `The collector at ${there} is refused: the one at ${here} reports for this cluster, and both have one uid`,
        needs: null,
        costs: 'Everything that the second cluster reports',
        since: iso(refused.firstAt),
        remedy: 'Stop one of the collectors. If the second one is a copy, press "This is another cluster".',
        command: null,
      },
    ];
  });

export function kubeletReader({ clusterId: id, nodeName, kubelet, tlsVerified }: KubeletRecord): Permission {
  const shaped = shapeReader(id, nodeName, withLeftOut(kubelet));
  return { ...shaped, detail: shaped.detail ?? (tlsVerified ? null : 'the kubelet’s certificate is not verified') };
}

/** Returns an entry for each cluster whose node agents do not run: their nodes have no reader that could fail. */
export const missingReaders = (sets: NodeAgentSet[], clusters: ClusterState[], now: number): Permission[] =>
  sets.flatMap((set) => {
    const readers = clusters.find(({ id }) => id === set.clusterId)?.readers ?? [];
    const missing = missingAgents(set, readers, now);
    if (missing === null) return [];
    const { since, ...words } = missing;
    const reader = { who: 'node agents', reader: NODE_AGENTS, needs: null, costs: costOf(NODE_AGENTS) };
    return [{ cluster_id: set.clusterId, ...reader, ...words, since: iso(since * 1000) }];
  });
