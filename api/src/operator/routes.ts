import { CUSTOM_KINDS, CUSTOM_LIMITS, type CustomKind } from '@plimsoll/contract/rules/custom-resources';
import { PROTOCOL_VERSIONS_SPOKEN } from '@plimsoll/contract/rules/limits';
import { clusterObjects, clusterObjectsAnswer } from '@plimsoll/contract/wire/custom-resources';
import { resolveUnruled } from '../alerts/rules/resolve-unruled.ts';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { audit, type AuditAction } from '../http/audit.ts';
import { defineRoute, type Http, type Route } from '../http/define-route.ts';
import { isChanged, syncObjects, type SyncedObjects } from './sync-objects.ts';
import type { Applied } from './types.ts';

/** The first report of a collector binds its token to the cluster. */
const RETRY_SECONDS = 10;
/** Names in one entry of the audit log. */
const MOST_NAMES = 50;

const ACTIONS: Record<CustomKind, Record<Exclude<keyof Applied, 'kept'>, AuditAction>> = {
  AlertRule: { created: 'alert_rule_created', changed: 'alert_rule_changed', deleted: 'alert_rule_deleted' },
  NotificationChannel: { created: 'channel_created', changed: 'channel_changed', deleted: 'channel_deleted' },
  Silence: { created: 'silence_created', changed: 'silence_changed', deleted: 'silence_deleted' },
};

/** One entry per kind and change: a set may create a thousand rules at once. */
async function auditChanges(
  deps: Deps,
  http: Http,
  cluster: { uid: string; accountId: string },
  { applied }: SyncedObjects,
): Promise<void> {
  for (const kind of CUSTOM_KINDS)
    for (const change of ['created', 'changed', 'deleted'] as const) {
      const names = applied[kind][change];
      if (names.length === 0) continue;
      await audit(deps, http, cluster.accountId, ACTIONS[kind][change], {
        source: kind,
        cluster: cluster.uid,
        count: String(names.length),
        objects: names.slice(0, MOST_NAMES).join(' '),
      });
    }
}

/** The custom resources of a cluster. */
export const clusterObjectRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/cluster/objects',
      actor: 'cluster',
      summary: 'Makes the rules, silences and channels of a cluster equal to its custom resources',
      tag: 'Agent',
      body: clusterObjects,
      bodyBytes: CUSTOM_LIMITS.requestBytes,
      answer: clusterObjectsAnswer,
      bare: true,
    },
    async ({ actor, http, body }) => {
      if (!PROTOCOL_VERSIONS_SPOKEN.includes(body.v))
        throw new CodedError('version_not_spoken', `v: must be one of ${PROTOCOL_VERSIONS_SPOKEN.join(', ')}`, {
          field: 'v',
          remedy: 'Update the server or the collector, whichever is older.',
        });
      const { accountId, clusterKey } = actor.cluster;
      const { managedObjects: objects, servers, alertStates } = deps.storage;
      const uid = clusterKey === null ? null : await objects.clusterUid(clusterKey);
      if (accountId === null || clusterKey === null || uid === null)
        throw new CodedError('node_not_known_yet', 'No report of this cluster has arrived yet, or nobody owns it', {
          remedy: 'Try again in some seconds.',
          retryAfterSeconds: RETRY_SECONDS,
        });
      if (uid !== body.cluster_uid)
        throw new CodedError('cluster_mismatch', 'cluster_uid: this token belongs to another cluster', {
          field: 'cluster_uid',
          remedy: 'Make a token for this cluster on the Kubernetes tab of Setup.',
        });
      const now = deps.clock.now();
      const cluster = { key: clusterKey, uid, accountId };
      const synced = await syncObjects({ objects, servers, secretBox: deps.secretBox }, cluster, body, now);
      if (synced === null)
        throw new CodedError('collector_superseded', 'collector.term: a later leader or request was faster', {
          field: 'collector.term',
        });
      if (isChanged(synced)) {
        deps.changes.publish(accountId, { topic: 'alerts', serverId: null });
        await auditChanges(deps, http, cluster, synced);
        const { alertRules, changes } = deps;
        await resolveUnruled({ alertStates, alertRules, changes }, now, { accountId, rewrittenRuleId: null });
      }
      return { objects: synced.verdicts, server_time: now / 1000 };
    },
  ),
];
