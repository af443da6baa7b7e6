import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { alertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import { alertsAnswer, type Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { checksAnswer } from '@plimsoll/contract/wire/checks/checks';
import { incidentAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import { podAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { z } from 'zod';
import type { ToolContext } from '../../ai/types.ts';
import { CodedError } from '../../errors.ts';
import { alertSeen, standIn } from './alert-seen.ts';
import { emptyEvidence, type AlertSeen, type CheckSeen, type Evidence } from '../evidence.ts';
import { readChanges, readLines, readMarks } from './changes.ts';
import { readObjects, type ClusterAsked } from './objects.ts';
import {
  besideOf,
  LINKED,
  linkedServers,
  machinesOf,
  nodesOf,
  placesOf,
  type ClusterPlace,
  type Span,
} from './places.ts';
import { seconds, secondsOrNull } from './epoch-seconds.ts';
import { BEFORE_SECONDS, MOST, orNull, readList } from './reads.ts';
import { readServer } from './servers.ts';

/** Reads the evidence of an incident: all of its alerts count. */
export async function gatherForIncident(context: ToolContext, incidentId: string): Promise<Evidence> {
  const { incident } = await context.read('/api/incidents/:id', incidentAnswer, { params: { id: incidentId } });
  const opened = seconds(incident.opened_at);
  const members = new Map(incident.members.map((member) => [member.alert_id, member]));
  const last = Math.max(opened, ...incident.members.map((member) => seconds(member.opened_at)));
  const { alerts } = await context.read('/api/data/notifications', alertsAnswer, {
    query: {
      limit: MOST.alerts,
      start_date: Math.floor(opened - HOUR_SECONDS),
      end_date: Math.ceil(Math.min(context.now, last + 60)),
    },
  });
  const listed = alerts.filter(({ alert_id: id }) => members.has(id));
  // Above the bound of the list, the leading alerts are read one by one.
  const missing = incident.members
    .slice(0, MOST.podDetails)
    .filter(({ alert_id: id }) => listed.every((alert) => alert.alert_id !== id));
  const read = await Promise.all(missing.map(({ alert_id: id }) => readAlert(context, id)));
  const ranks = new Map([...members.keys()].map((id, rank) => [id, rank]));
  // One alert of each server counts, and few servers: the leading ones.
  const all = [...listed, ...read.flatMap((alert) => alert ?? [])].toSorted(
    (a, b) => (ranks.get(a.alert_id) ?? 0) - (ranks.get(b.alert_id) ?? 0),
  );
  return gather(
    context,
    opened,
    all.map((alert) => alertSeen(alert, members.get(alert.alert_id)?.subject)),
  );
}

/** Reads the evidence of one alert, with those that share its incident. */
export async function gatherForAlert(context: ToolContext, alertId: string): Promise<Evidence> {
  const { alert } = await context.read('/api/alerts/:id', alertDetailAnswer, { params: { id: alertId } });
  const incidentId = alert.incident?.incident_id;
  const ofIncident = incidentId === undefined ? null : await orNull(gatherForIncident(context, incidentId));
  return ofIncident ?? gather(context, alert.timestamp, [alertSeen(alert, undefined)]);
}

const readAlert = async ({ read }: ToolContext, id: string): Promise<Alert | null> =>
  (await orNull(read('/api/alerts/:id', alertDetailAnswer, { params: { id } })))?.alert ?? null;

/** Reads the evidence of a stretch of a chart of a server. Silence before or after it is another matter. */
export async function gatherForRange(
  context: ToolContext,
  { serverId, at, from, to }: { serverId: string; at: number; from: number; to: number },
): Promise<Evidence> {
  const evidence = await gather(context, at, [standIn(RANGE, 'Selected range', at, { serverId })]);
  const [server] = evidence.servers;
  if (server === undefined) throw new CodedError('not_found', 'No such server');
  const gaps = server.gaps.filter((gap) => gap.from <= to && gap.to >= from);
  return {
    ...evidence,
    alerts: evidence.alerts.map((alert) => ({ ...alert, hostname: server.hostname })),
    servers: [{ ...server, gaps }],
  };
}
const RANGE = 'range';

/** A pod that ends again within this time is in one loop. */
const LOOP_SECONDS = HOUR_SECONDS;
/** Returns when the trouble of a pod began: it never started, or its restarts follow each other until now. */
function beginOf({ pod, restarts }: z.output<typeof podAnswer>, now: number): number {
  if (pod.phase === 'Pending') return seconds(pod.created_at);
  const times = restarts.map(({ timestamp }) => timestamp).toSorted((a, b) => b - a);
  const isWell = pod.ready || pod.phase === 'Succeeded';
  return times.reduce((since, at) => (since - at <= LOOP_SECONDS ? at : since), isWell ? (times[0] ?? now) : now);
}

/** Reads the evidence of a pod around the beginning of its trouble. */
export async function gatherForPod(
  context: ToolContext,
  { namespace, pod: name, clusterId }: { namespace: string; pod: string; clusterId: string | undefined },
): Promise<Evidence> {
  const found = await context.read('/api/kubernetes/pods/:namespace/:pod', podAnswer, {
    params: { namespace, pod: name },
    query: { cluster_id: clusterId },
  });
  const { pod } = found;
  const at = beginOf(found, context.now);
  const [kind, owner] = [pod.owner_kind ?? 'Pod', pod.owner_name ?? name];
  const object = { clusterId: pod.cluster_id, namespace, kind, name: owner };
  return gather(context, at, [standIn('pod', `Pod ${namespace}/${name}`, at, { object })]);
}

/** Reads what was recorded around the alerts, on their servers and in their clusters. */
async function gather(context: ToolContext, at: number, asked: readonly AlertSeen[]): Promise<Evidence> {
  const times = asked.map((alert) => alert.at);
  const range = { first: Math.min(at, ...times), last: Math.max(at, ...times) };
  const checks = await readChecks(context, asked, range);
  const nodes = await nodesOf(context, asked);
  const places = await placesOf(context, asked, { checks, nodes, range });
  const alerts = [...asked, ...(await besideOf(context, asked, { places, range }))];
  const linked = await linkedServers(context, asked, { checks, places, range });
  const [marks, clusters, servers] = await Promise.all([
    readMarks(context, range),
    Promise.all(places.map((place) => readCluster(context, place, { alerts, span: range }))),
    readServers(context, [...asked, ...machinesOf(nodes, asked), ...linked], range),
  ]);
  const parts = [...clusters, servers];
  return {
    ...emptyEvidence(at, context.now),
    alerts,
    checks,
    objects: clusters.flatMap(({ objects }) => objects),
    pods: clusters.flatMap(({ pods }) => pods),
    nodes: clusters.flatMap(({ nodes }) => nodes),
    workloads: clusters.flatMap(({ workloads }) => workloads),
    events: clusters.flatMap(({ events }) => events),
    claims: clusters.flatMap(({ claims }) => claims),
    servers: servers.servers,
    changes: [
      ...new Map([...marks, ...parts.flatMap(({ changes }) => changes)].map((change) => [change.id, change])).values(),
    ],
    lines: parts.flatMap(({ lines }) => lines),
    missing: [...new Set(parts.flatMap(({ missing }) => missing))],
  };
}

async function readCluster(
  context: ToolContext,
  { clusterId, namespaces: linked, nodes }: ClusterPlace,
  { alerts, span }: { alerts: readonly AlertSeen[]; span: Span },
) {
  const own = alerts.flatMap(({ object }) => (object?.clusterId === clusterId ? [object] : []));
  const changes = await readChanges(context, { cluster_id: clusterId }, span);
  const alarmed = own.flatMap(({ namespace }) => namespace ?? []);
  // A change in another namespace may be the cause: it is read as well.
  const changed = changes.filter(({ at }) => at <= span.last).flatMap(({ namespace }) => namespace ?? []);
  const namespaces = [...new Set([...linked, ...alarmed, ...changed])].slice(0, MOST.namespaces);
  const asked: ClusterAsked = {
    clusterId,
    namespaces,
    alarmed: new Set(own.map(({ namespace, name }) => `${namespace ?? ''}/${name}`)),
    nodes: new Set([...nodes, ...own.flatMap(({ kind, name }) => (kind === 'Node' ? [name] : []))]),
    ...span,
  };
  const [objects, lines] = await Promise.all([
    readObjects(context, asked),
    Promise.all(namespaces.map((namespace) => readLines(context, { cluster_id: clusterId, namespace }, span))),
  ]);
  return {
    ...objects,
    changes,
    lines: lines.flatMap((one) => one.lines),
    missing: lines.flatMap(({ unavailable }) => unavailable ?? []),
  };
}

async function readServers(context: ToolContext, alerts: readonly AlertSeen[], span: Span) {
  const leading = new Map<string, AlertSeen>();
  for (const alert of alerts)
    if (alert.serverId !== null && !leading.has(alert.serverId)) leading.set(alert.serverId, alert);
  const chosen = [...leading].slice(0, MOST.servers);
  const found = await Promise.all(
    chosen.map(async ([serverId, alert]) => {
      const about = {
        serverId,
        metric: alert.metric === RANGE || alert.metric === LINKED ? null : alert.metric,
        subject: alert.subject === '' ? null : alert.subject,
        at: alert.at,
      };
      const [server, changes, lines] = await Promise.all([
        alert.metric === RANGE ? readServer(context, about) : orNull(readServer(context, about)),
        readChanges(context, { server_id: serverId }, span, 2 * HOUR_SECONDS),
        readLines(context, { server_id: serverId }, span),
      ]);
      return { server, changes, ...lines };
    }),
  );
  // A node without a collector is no server.
  const known = found.filter(({ server }) => server !== null);
  return {
    servers: known.flatMap(({ server }) => server ?? []),
    changes: known.flatMap(({ changes }) => changes),
    lines: known.flatMap(({ lines }) => lines),
    missing: known.flatMap(({ unavailable }) => unavailable ?? []),
  };
}

/** Checks that fail, where an alert is about one. */
async function readChecks(context: ToolContext, alerts: readonly AlertSeen[], { first }: Span): Promise<CheckSeen[]> {
  if (!alerts.some(({ metric }) => /^(?:check|certificate|heartbeat)/.test(metric))) return [];
  const found = await readList(context, '/api/checks', checksAnswer, 'checks', { limit: 1000 });
  const asked = new Set(alerts.map(({ subject }) => subject));
  return found.flatMap((check) => {
    const since = secondsOrNull(check.since);
    const isFailing = check.status === 'down' && since !== null && since >= first - BEFORE_SECONDS;
    if (!isFailing && !asked.has(check.check_id)) return [];
    return [
      {
        id: check.check_id,
        name: check.name,
        target: check.target,
        status: check.status,
        since,
        reason: check.reason,
        serverId: alerts.find(({ subject }) => subject === check.check_id)?.serverId ?? null,
      },
    ];
  });
}
