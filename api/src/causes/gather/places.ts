import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { activityAnswer } from '@plimsoll/contract/wire/activity';
import { alertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import { changesAnswer, describedStatesAnswer } from '@plimsoll/contract/wire/changes';
import { clustersAnswer, kubernetesNode } from '@plimsoll/contract/wire/kubernetes';
import { serversAnswer } from '@plimsoll/contract/wire/servers';
import type { ToolContext } from '../../ai/types.ts';
import type { AlertSeen, CheckSeen } from '../evidence.ts';
import { isNamedBy } from '../graph.ts';
import { firstLabel } from '../words.ts';
import { alertSeen, standIn } from './alert-seen.ts';
import { seconds } from './epoch-seconds.ts';
import { LINK_SECONDS } from '../host-moment.ts';
import { MOST, orNull, readList } from './reads.ts';

/** Finds the clusters that an incident is about, and what else fired there. */

export interface Span {
  first: number;
  last: number;
}
export interface ClusterPlace {
  clusterId: string;
  /** Namespaces that a check leads into. */
  namespaces: readonly string[];
  /** Nodes whose machines have an alert. */
  nodes: readonly string[];
}
/** A node of a cluster, and the machine that it is. */
export interface NodePlace {
  clusterId: string;
  name: string;
  serverId: string;
}

/** A cluster that nothing names counts only if something changed there. */
const RECENT_SECONDS = 3600;
/** Nodes that alerts are about, and nodes whose machines have an alert: most machines are none. */
export async function nodesOf({ read }: ToolContext, alerts: readonly AlertSeen[]): Promise<NodePlace[]> {
  const asked = new Map<string, string | undefined>();
  for (const { object, serverId } of alerts) {
    if (object?.kind === 'Node') asked.set(object.name, object.clusterId);
    if (serverId !== null) asked.set(serverId, undefined);
  }
  const found = await Promise.all(
    [...asked]
      .slice(0, MOST.servers)
      .map(([node, clusterId]) =>
        orNull(
          read('/api/kubernetes/nodes/:node', kubernetesNode, { params: { node }, query: { cluster_id: clusterId } }),
        ),
      ),
  );
  return found.flatMap((node) =>
    node === null ? [] : [{ clusterId: node.cluster_id, name: node.node_name, serverId: node.server_id }],
  );
}

type Doors = Omit<ClusterPlace, 'nodes'>;
/** Clusters of the alerts. A check has none: the Service or the Ingress that it measures leads there. */
export async function placesOf(
  context: ToolContext,
  alerts: readonly AlertSeen[],
  { checks, nodes, range }: { checks: readonly CheckSeen[]; nodes: readonly NodePlace[]; range: Span },
): Promise<ClusterPlace[]> {
  const own = alerts.flatMap(({ object }) => object?.clusterId ?? []);
  const doors = own.length > 0 || checks.length === 0 ? [] : await doorsOf(context, checks, range);
  const clusters = [...own, ...doors.map(({ clusterId }) => clusterId), ...nodes.map(({ clusterId }) => clusterId)];
  return [...new Set(clusters)].slice(0, MOST.clusters).map((clusterId) => ({
    clusterId,
    namespaces: doors.find((one) => one.clusterId === clusterId)?.namespaces ?? [],
    nodes: nodes.flatMap((one) => (one.clusterId === clusterId ? [one.name] : [])),
  }));
}

/** Clusters and namespaces that failing checks lead into. */
async function doorsOf(context: ToolContext, checks: readonly CheckSeen[], range: Span): Promise<Doors[]> {
  const found = await readList(context, '/api/kubernetes/clusters', clustersAnswer, 'clusters', {});
  const clusters = found.slice(0, MOST.clusters);
  const places = await Promise.all(
    clusters.map(async ({ cluster_id: clusterId }) => {
      const query = { cluster_id: clusterId, kinds: 'Service,Ingress' };
      const objects = await readList(context, '/api/changes/states', describedStatesAnswer, 'objects', query);
      const named = objects.filter((object) =>
        checks.some(({ target }) => isNamedBy(target, { ...object, clusterId })),
      );
      return { clusterId, namespaces: [...new Set(named.flatMap(({ namespace }) => namespace ?? []))] };
    }),
  );
  const named = places.filter(({ namespaces }) => namespaces.length > 0);
  const dates = { start_date: Math.floor(range.first - RECENT_SECONDS), end_date: Math.ceil(range.last) };
  const query = { source: 'cluster', limit: MOST.alerts, ...dates };
  const changes = await readList(context, '/api/changes', changesAnswer, 'changes', query);
  const recent = new Set(changes.map(({ cluster_id: id }) => id));
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
  const found = await readList(context, '/api/data/notifications', alertsAnswer, 'alerts', {
    limit: MOST.alerts,
    start_date: Math.floor(range.first - BESIDE_SECONDS),
    end_date: Math.ceil(Math.min(context.now, range.last + BESIDE_SECONDS)),
  });
  return found
    .filter(({ alert_id: id }) => !known.has(id))
    .map((alert) => ({ ...alertSeen(alert, undefined), isBeside: true }))
    .filter(({ object }) => object !== null && keys.has(JSON.stringify([object.clusterId, object.namespace])));
}

/** Id of the stand-in for an alert: a server that a check may lead to. */
export const LINKED = 'linked';
const MOST_LINKED = 3;

/** Machines of the nodes that alerts are about. */
export const machinesOf = (nodes: readonly NodePlace[], alerts: readonly AlertSeen[]): AlertSeen[] =>
  nodes.flatMap(({ clusterId, name, serverId }) => {
    const alert = alerts.find(
      ({ object }) => object?.kind === 'Node' && object.clusterId === clusterId && object.name === name,
    );
    return alert === undefined ? [] : [standIn(LINKED, name, alert.at, { serverId, hostname: name })];
  });
const ENDS = /^(?:service_stop|process_crash)$/;

/**
 * Servers that a failing check may be about, where it names none: those with its target or its name. Without such a name a
 * heartbeat or a certificate is about none. An address is about one of a few servers, else of the few on which something
 * changed or stopped shortly before. A person who stops a unit leaves no change.
 */
export async function linkedServers(
  context: ToolContext,
  alerts: readonly AlertSeen[],
  { checks, places, range }: { checks: readonly CheckSeen[]; places: readonly ClusterPlace[]; range: Span },
): Promise<AlertSeen[]> {
  if (checks.length === 0 || places.length > 0 || alerts.some(({ serverId }) => serverId !== null)) return [];
  const query = {
    limit: MOST.alerts,
    start_date: Math.floor(range.first - LINK_SECONDS),
    end_date: Math.ceil(range.last),
  };
  const [listed, changes, events] = await Promise.all([
    readList(context, '/api/servers/list', serversAnswer, 'servers', { limit: PAGE_LIMITS.max }),
    readList(context, '/api/changes', changesAnswer, 'changes', { ...query, source: 'host' }),
    readList(context, '/api/data/activity', activityAnswer, 'events', query),
  ]);
  // A machine that sent nothing for long is no part of what fails now.
  const servers = listed.filter(({ last_seen_at: seen }) => seen !== null && seconds(seen) >= query.start_date);
  const words = checks.flatMap(({ name, target }) => `${name} ${target}`.split(/[^\w.-]+/));
  const names = new Set(words.flatMap((word) => [word, firstLabel(word)]));
  const named = servers.filter(({ hostname }) => hostname !== '' && names.has(hostname));
  const ends = events.filter(({ event_type: type }) => ENDS.test(type));
  const busy = new Set([...ends, ...changes].map(({ server_id: id }) => id));
  // With many of them, chance decides which one is accused, whichever are listed.
  const recent = busy.size > MOST_LINKED ? [] : servers.filter(({ id }) => busy.has(id));
  const isAddress = alerts.some(({ metric }) => metric.startsWith('check'));
  const near = !isAddress ? [] : servers.length <= MOST_LINKED ? servers : recent;
  const found = named.length > 0 ? named : near;
  return found.length > MOST_LINKED
    ? []
    : found.map(({ id: serverId, hostname }) => standIn(LINKED, hostname, range.first, { serverId, hostname }));
}
