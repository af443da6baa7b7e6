import { alertsAnswer } from '@plimsoll/contract/wire/alerts';
import { describedStatesAnswer } from '@plimsoll/contract/wire/changes';
import { clustersAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { ToolContext } from '../../ai/types.ts';
import type { AlertSeen, CheckSeen } from '../evidence.ts';
import { isNamedBy } from '../graph.ts';
import { alertSeen } from './alert-seen.ts';
import { MOST, orNull } from './reads.ts';

/** Finds the clusters that an incident is about, and what else fired there. */

export interface Span {
  first: number;
  last: number;
}
export interface ClusterPlace {
  clusterId: string;
  /** Namespaces that a check leads into. */
  namespaces: readonly string[];
}

/** Clusters of the alerts. A check has none: the Service or the Ingress that it measures leads there. */
export async function placesOf(
  context: ToolContext,
  alerts: readonly AlertSeen[],
  checks: readonly CheckSeen[],
): Promise<ClusterPlace[]> {
  const own = [...new Set(alerts.flatMap(({ object }) => object?.clusterId ?? []))];
  if (own.length > 0 || checks.length === 0)
    return own.slice(0, MOST.clusters).map((clusterId) => ({ clusterId, namespaces: [] }));
  const found = await orNull(context.read('/api/kubernetes/clusters', clustersAnswer, { query: {} }));
  const clusters = (found?.clusters ?? []).slice(0, MOST.clusters);
  const places = await Promise.all(
    clusters.map(async ({ cluster_id: clusterId }) => {
      const states = await orNull(
        context.read('/api/changes/states', describedStatesAnswer, {
          query: { cluster_id: clusterId, kinds: 'Service,Ingress' },
        }),
      );
      const doors = (states?.objects ?? []).filter((object) =>
        checks.some(({ target }) => isNamedBy(target, { ...object, clusterId })),
      );
      return { clusterId, namespaces: [...new Set(doors.flatMap(({ namespace }) => namespace ?? []))] };
    }),
  );
  const named = places.filter(({ namespaces }) => namespaces.length > 0);
  // A check of a machine must not be explained by a cluster that it has nothing to do with.
  if (named.length > 0) return named;
  return checks.some(({ serverId }) => serverId !== null) ? [] : places;
}

/** Alerts beside the incident count if they fired this close to it. */
const BESIDE_SECONDS = 600;

/** Alerts of other incidents in the same namespaces: a cause may have victims that nobody put together. */
export async function besideOf(
  context: ToolContext,
  alerts: readonly AlertSeen[],
  { places, range }: { places: readonly ClusterPlace[]; range: Span },
): Promise<AlertSeen[]> {
  if (places.length === 0) return [];
  const keys = new Set([
    ...alerts.flatMap(({ object }) => (object === null ? [] : [JSON.stringify([object.clusterId, object.namespace])])),
    ...places.flatMap(({ clusterId, namespaces }) => namespaces.map((name) => JSON.stringify([clusterId, name]))),
  ]);
  const known = new Set(alerts.map(({ id }) => id));
  const found = await orNull(
    context.read('/api/data/notifications', alertsAnswer, {
      query: {
        limit: MOST.alerts,
        start_date: Math.floor(range.first - BESIDE_SECONDS),
        end_date: Math.ceil(Math.min(context.now, range.last + BESIDE_SECONDS)),
      },
    }),
  );
  return (found?.alerts ?? [])
    .filter(({ alert_id: id }) => !known.has(id))
    .map((alert) => ({ ...alertSeen(alert, undefined), isBeside: true }))
    .filter(({ object }) => object !== null && keys.has(JSON.stringify([object.clusterId, object.namespace])));
}
