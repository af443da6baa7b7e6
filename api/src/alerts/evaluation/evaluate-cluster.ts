import { CLUSTER_METRIC_NAMES } from '@plimsoll/contract/rules/alert-rule-limits';
import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';
import type { ChangeFeed } from '../../live/change-feed.ts';
import { clusterReadings, type ClusterReading } from './cluster-readings.ts';
import type { ClusterRules } from '../rules/cluster-rules.ts';
import { applyReadings, splitKey, trackKey, type Transition } from './evaluate.ts';
import { changeOf, silentClusterChange } from '../message.ts';
import type { RuleCache } from '../rule-cache.ts';
import type { ObjectMetric } from '../rules/rules.ts';
import type { ClusterAlertStates, IngestWatch } from '../store.ts';
import type { AlertTracks, ClusterAlertChange, KnownClusterState, OpenClusterAlert, Place } from '../types.ts';

export interface EvaluateClusterDeps {
  clusterAlerts: ClusterAlertStates;
  alertRules: RuleCache;
  changes: ChangeFeed;
  reportIntervalSeconds: number;
}

const OBJECT_METRICS = CLUSTER_METRIC_NAMES.filter((metric): metric is ObjectMetric => metric !== 'cluster_silent');
const MOST_TRIES = 5;

/**
 * Runs the objects of a cluster through the rules, after a report of its collector is stored. Returns the changes. A
 * report counts at the time it is accepted: it says how the cluster is now.
 */
export async function evaluateCluster(
  deps: EvaluateClusterDeps,
  clusterKey: number,
  now: number,
): Promise<readonly ClusterAlertChange[]> {
  const { clusterAlerts, alertRules, changes } = deps;
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const known = await clusterAlerts.load(clusterKey, now);
    if (known === null) return [];
    const rules = (await alertRules.of(known.organisationId)).ofCluster(known.clusterId);
    const decided = decide(known, rules, now, deps.reportIntervalSeconds * 1000);
    if (!(await clusterAlerts.save(clusterKey, { version: known.version, now }, decided.tracks, decided.changes)))
      continue;
    if (decided.changes.length > 0) changes.publish(known.organisationId, { topic: 'alerts', serverId: null });
    return decided.changes;
  }
  throw new Error(`alert state of cluster ${String(clusterKey)} kept changing`);
}

interface Decision {
  tracks: AlertTracks;
  changes: ClusterAlertChange[];
}

/** Pure: the same objects and state give the same decision. */
function decide(known: KnownClusterState, rules: ClusterRules, now: number, intervalMs: number): Decision {
  const afterGap = known.evaluatedAt === null || now - known.evaluatedAt > GAP_INTERVALS * intervalMs;
  const isBack = known.open.filter(({ metric }) => metric === 'cluster_silent');
  const back = isBack.map((alert) => resolved(alert, now));
  // The collector has not listed everything yet: what is missing is not known to be well.
  if (known.objects === null) return { tracks: known.tracks, changes: back };
  const tracks = { ...known.tracks };
  const readings = clusterReadings(known.objects);
  const ids = new Set<string>();
  const changes = OBJECT_METRICS.flatMap((metric) => {
    dropOverridden(readings[metric], rules, metric, tracks);
    const byRule = Map.groupBy(readings[metric], ({ place }) => rules.of(metric, place)?.id ?? null);
    return rules.all(metric).flatMap((rule) => {
      ids.add(rule.id);
      const ofRule = (byRule.get(rule.id) ?? []).map((reading) => counted(reading, rule.forMs));
      // The ages of the pods have been compared with the time of the rule.
      const stepped = ofRule.some(({ agesMs }) => agesMs !== undefined) ? { ...rule, forMs: 0 } : rule;
      const transitions = applyReadings(stepped, tracks, ofRule, { at: now, late: false, afterGap });
      return transitions.flatMap((one) => clusterChange({ ...one, rule }, ofRule, known.open));
    });
  });
  for (const key of Object.keys(tracks)) if (!ids.has(splitKey(key)[0] ?? '')) delete tracks[key];
  return { tracks, changes: [...changes, ...unruled(known.open, tracks, changes, now), ...back] };
}

/** Deletes the tracks of rules that no longer decide for an object; `unruled` ends their alerts. */
function dropOverridden(
  readings: readonly ClusterReading[],
  rules: ClusterRules,
  metric: ObjectMetric,
  tracks: AlertTracks,
): void {
  const ids = rules.all(metric).map(({ id }) => id);
  for (const { subject, place } of readings) {
    const decides = rules.of(metric, place)?.id;
    for (const id of ids) if (id !== decides) delete tracks[trackKey(id, subject)];
  }
}

/** Counts only the pods that have been there for the time of the rule. */
function counted(reading: ClusterReading, forMs: number): ClusterReading {
  if (reading.agesMs === undefined) return reading;
  return { ...reading, value: reading.agesMs.filter((age) => age >= forMs).length };
}

const labelOf = ({ namespace, name }: Place): string | undefined =>
  namespace === null || name === null ? undefined : `${namespace}/${name}`;
const NOWHERE = { namespace: null, workloadKind: null, name: null, nodes: [] };
function clusterChange(
  transition: Transition,
  readings: readonly ClusterReading[],
  open: readonly OpenClusterAlert[],
): ClusterAlertChange[] {
  const { rule, subject } = transition;
  const reading = readings.find((one) => one.subject === subject);
  const before = open.find((alert) => alert.rule === rule.id && alert.subject === subject);
  const place = reading?.place ?? before?.place ?? NOWHERE;
  // An object that is gone has no reading, which would bring the name that people read.
  const change = { ...changeOf({ ...transition, label: transition.label ?? labelOf(place) }), place };
  // Every report repeats what is still so.
  const isSame = before?.value === change.value && before.message === change.message && before.level === change.level;
  // An object that is gone says nothing new: the alert keeps its words until it resolves.
  const isSilent = reading === undefined && change.kind === 'updated';
  return change.kind === 'updated' && (isSame || isSilent) ? [] : [change];
}

/** Returns the ends of open alerts that no rule holds any more: it was deleted, disabled or overridden. */
function unruled(
  open: readonly OpenClusterAlert[],
  tracks: AlertTracks,
  changes: readonly ClusterAlertChange[],
  now: number,
): ClusterAlertChange[] {
  return open
    .filter(({ metric }) => metric !== 'cluster_silent')
    .filter(({ rule, subject }) => !tracks[trackKey(rule, subject)]?.some(({ phase }) => phase === 'firing'))
    .filter(({ rule, subject }) => !changes.some((change) => change.rule === rule && change.subject === subject))
    .map((alert) => resolved(alert, now));
}

const resolved = (alert: OpenClusterAlert, now: number): ClusterAlertChange => ({
  ...alert,
  kind: 'resolved',
  at: now,
});

export interface SilentClusterDeps extends EvaluateClusterDeps {
  ingestWatch: Pick<IngestWatch, 'look'>;
}

/**
 * Opens the alert of clusters whose collector went silent. Returns how many. The next report of each resolves it. After a
 * gap of the installation collectors get time to report again.
 */
export async function markSilentClusters(deps: SilentClusterDeps, now: number): Promise<number> {
  const { clusterAlerts, alertRules, changes, ingestWatch, reportIntervalSeconds } = deps;
  const { pausedUntil } = await ingestWatch.look(now, reportIntervalSeconds * 1000);
  if (now < pausedUntil) return 0;
  let opened = 0;
  for (const { clusterKey, clusterId, organisationId, lastSeenAt } of await clusterAlerts.listSilent(now)) {
    const rule = (await alertRules.of(organisationId)).ofCluster(clusterId).silence();
    if (rule === null || now - lastSeenAt < rule.forMs) continue;
    const change = { ...silentClusterChange(now, rule, lastSeenAt), place: NOWHERE };
    if (!(await clusterAlerts.open(clusterKey, change))) continue;
    opened += 1;
    changes.publish(organisationId, { topic: 'alerts', serverId: null });
  }
  return opened;
}
