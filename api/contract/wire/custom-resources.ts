import { z } from 'zod';
import { CUSTOM_KINDS, CUSTOM_LIMITS, REFUSAL_REASONS, type CustomKind } from '../rules/custom-resources.ts';
import { CHANNEL_TYPES, NOTIFY_LIMITS } from '../rules/notify.ts';
import { OBJECT_RULE_METRICS } from '../rules/alert-rule-limits.ts';
import { alertRuleFields } from './alert-rules.ts';
import { silenceFields } from './alerts/alert-silences.ts';
import { routing } from './notify.ts';
import { typedName } from './typed-name.ts';

/** The specs of the custom resources in the words of the API; in Kubernetes their keys are camelCase. */
const { cluster_id: _ruleCluster, ...ruleFields } = alertRuleFields;
export const alertRuleSpec = z.strictObject({ ...ruleFields, metric: z.enum(OBJECT_RULE_METRICS) });
const { alert_id: _alert, cluster_id: _silenceCluster, ...ownSilenceFields } = silenceFields;
export const silenceSpec = z.strictObject(ownSilenceFields);
export const channelSpec = z.strictObject({
  type: z.enum(CHANNEL_TYPES),
  /** Default: the name of the object. */
  name: typedName(64).optional(),
  settings: z.record(z.string().max(64), z.unknown()).default({}),
  /** A Secret in the release's namespace that `clusterCollector.channelSecrets` mounts. Its keys are secret settings. */
  secret_ref: z.strictObject({ name: z.string().min(1).max(253) }).optional(),
  routing: routing.default(() => routing.parse({})),
});

/** JSON schemas of the specs, in the dialect of CustomResourceDefinitions. */
export const SPEC_SCHEMAS: Record<CustomKind, object> = {
  AlertRule: schemaOf(alertRuleSpec),
  NotificationChannel: schemaOf(channelSpec),
  Silence: schemaOf(silenceSpec),
};
function schemaOf(spec: z.ZodType): object {
  return z.toJSONSchema(spec, { io: 'input', target: 'openapi-3.0', unrepresentable: 'any' });
}

const objectName = z.string().min(1).max(253);
const customObject = z.strictObject({
  kind: z.enum(CUSTOM_KINDS),
  namespace: objectName,
  name: objectName,
  uid: z.string().min(1).max(128),
  generation: z.int().min(0),
  /** Epoch seconds. */
  created_at: z.number().min(0),
  /** As it is in Kubernetes; each is checked on its own. */
  spec: z.record(z.string().max(64), z.unknown()),
  /** The values of `spec.secretRef`; null: the Secret is not mounted, or the object names none. */
  secrets: z
    .record(z.string().max(253), z.string().max(NOTIFY_LIMITS.secretCharacters))
    .refine((secrets) => Object.keys(secrets).length <= CUSTOM_LIMITS.secretKeys, {
      message: `must be at most ${String(CUSTOM_LIMITS.secretKeys)} keys`,
    })
    .nullable(),
});

/**
 * `POST /api/agent/v1/cluster/objects` with the ClusterToken: every custom resource of the cluster. What the set of a
 * covered kind no longer names is removed, so a kind that the collector has not listed completely is not covered.
 */
export const clusterObjects = z.strictObject({
  v: z.int(),
  cluster_uid: z.string().min(1).max(128),
  /** As in a report of the cluster. Absent: the collector is older than this field, or discovery cannot be read. */
  api_addresses: z.array(z.string().min(1).max(253)).max(16).optional(),
  collector: z.strictObject({ id: z.string().min(1).max(253), term: z.int().min(0) }),
  /** Rises with each request of one term: a request that another one overtook changes nothing. */
  seq: z.int().min(1),
  release_namespace: objectName,
  covers: z.array(z.enum(CUSTOM_KINDS)).max(CUSTOM_KINDS.length),
  objects: z.array(customObject).max(CUSTOM_LIMITS.objects),
});

const verdict = z.object({
  kind: z.enum(CUSTOM_KINDS),
  namespace: z.string(),
  name: z.string(),
  uid: z.string(),
  generation: z.int(),
  accepted: z.boolean(),
  /** Null: accepted. */
  reason: z.enum(REFUSAL_REASONS).nullable(),
  /** One sentence with the field at fault and the remedy; of an accepted rule: which of several with its target decides. */
  message: z.string().nullable(),
  /** An earlier version of the object is still in force. */
  is_kept: z.boolean(),
});
export const clusterObjectsAnswer = z.object({ objects: z.array(verdict), server_time: z.number() });

export type CustomObject = z.output<typeof customObject>;
export type ClusterObjects = z.output<typeof clusterObjects>;
export type ObjectVerdict = z.infer<typeof verdict>;
export type ClusterObjectsAnswer = z.infer<typeof clusterObjectsAnswer>;
