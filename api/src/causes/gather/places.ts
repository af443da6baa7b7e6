import { alertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import { changesAnswer, describedStatesAnswer } from '@plimsoll/contract/wire/changes';
import { clustersAnswer } from '@plimsoll/contract/wire/kubernetes';
import { serversAnswer } from '@plimsoll/contract/wire/servers';
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

/** A cluster that nothing names counts only if something changed there. */
const RECENT_SECONDS = 3600;
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
  const changed = await orNull(
    context.read('/api/changes', changesAnswer, {
      query: { source: 'cluster', limit: MOST.alerts, start_date: Math.floor(context.now - RECENT_SECONDS) },
    }),
  );
  const recent = new Set((changed?.changes ?? []).map(({ cluster_id: id }) => id));
  // A check of a machine must not be explained by a cluster that it has nothing to do with.
  if (named.length > 0) return named;
  return checks.some(({ serverId }) => serverId !== null)
    ? []
    : places.filter(({ clusterId }) => recent.has(clusterId));
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

/** Id of the stand-in for an alert: a server that a check may lead to. */
export const LINKED = 'linked';
const MOST_LINKED = 3;
/** A change on a server up to this long before a check failed may be the cause. */
const LINK_SECONDS = 1800;

/**
 * Servers that a failing check may be about, where it names none: those with its target or its name, else those on which
 * something changed shortly before.
 */
export async function linkedServers(
  context: ToolContext,
  alerts: readonly AlertSeen[],
  { checks, places, range }: { checks: readonly CheckSeen[]; places: readonly ClusterPlace[]; range: Span },
): Promise<AlertSeen[]> {
  if (checks.length === 0 || places.length > 0 || alerts.some(({ serverId }) => serverId !== null)) return [];
  const [listed, changed] = await Promise.all([
    orNull(context.read('/api/servers', serversAnswer, { query: { limit: MOST.alerts } })),
    orNull(
      context.read('/api/changes', changesAnswer, {
        query: {
          source: 'host',
          limit: MOST.alerts,
          start_date: Math.floor(range.first - LINK_SECONDS),
          end_date: Math.ceil(range.last),
        },
      }),
    ),
  ]);
  const servers = listed?.servers ?? [];
  const text = checks.map(({ name, target }) => `${name} ${target}`).join(' ');
  const named = servers.filter(({ hostname }) => hostname !== '' && text.includes(hostname));
  const recent = (changed?.changes ?? []).flatMap(({ server_id: id }) => servers.filter((one) => one.id === id));
  const found = named.length > 0 ? named : servers.length <= MOST_LINKED ? servers : [...new Set(recent)];
  return found.slice(0, MOST_LINKED).map(({ id: serverId, hostname }) => ({
    id: LINKED,
    metric: LINKED,
    title: hostname,
    message: '',
    at: range.first,
    subject: '',
    serverId,
    hostname,
    object: null,
  }));
}
