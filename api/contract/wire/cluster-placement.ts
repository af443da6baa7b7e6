import { z } from 'zod';
import { isSecretName } from '../redaction/names.ts';
import { bytes, labels, name } from './cluster-fields.ts';
import { CLUSTER_LIMITS as L } from '../rules/kubernetes-limits.ts';
import { parseSelector, SELECTOR_CHARACTERS } from '../rules/label-selector.ts';

/**
 * The constraints that decide on which nodes a pod can run. Pods of one template have the same ones, so each distinct
 * set is sent once in a listing or a delta and pods refer to it by its hash. A part without content is absent.
 */

/**
 * Conditions on labels as `label-selector.ts` parses them. They are stored as they came, so none is about a label whose
 * name says that its value is a secret.
 */
const selector = z
  .string()
  .max(SELECTOR_CHARACTERS)
  .regex(/^[A-Za-z0-9!][\w ./!<>=,()-]*$|^$/, 'is no selector')
  .refine((text) => parseSelector(text)?.every(({ key: name }) => !isSecretName(name)) === true, 'is no selector');
const key = z.string().max(317);

/** One term of a required node affinity: both parts must hold. */
const nodeTerm = z.object({ labels: selector.optional(), fields: selector.optional() });
const podTerm = z.object({
  topology_key: key,
  /** Null selects no pod. */
  selector: selector.nullable(),
  /** Absent with `namespace_selector`: the namespace of the pod. */
  namespaces: z.array(name).max(L.placementParts).optional(),
  /** Empty: every namespace. */
  namespace_selector: selector.optional(),
  match_label_keys: z.array(key).max(L.placementParts).optional(),
  mismatch_label_keys: z.array(key).max(L.placementParts).optional(),
});
const spreadTerm = z.object({
  topology_key: key,
  max_skew: z.int().positive(),
  min_domains: z.int().positive().optional(),
  selector: selector.nullable(),
  match_label_keys: z.array(key).max(L.placementParts).optional(),
  /** Absent: Honor. */
  ignores_node_affinity: z.literal(true).optional(),
  /** Absent: Ignore. */
  honors_taints: z.literal(true).optional(),
});
const toleration = z.object({
  key: key.optional(),
  /** Absent: Equal. */
  exists: z.literal(true).optional(),
  value: z.string().max(63).optional(),
  /** Absent: every effect. */
  effect: z.string().max(32).optional(),
});

/** Alternatives; an empty list matches no node. */
export const nodeTerms = z.array(nodeTerm).max(L.placementParts);

export const placementHash = z.string().regex(/^[\w-]{12}$/);

export const placementObject = z.object({
  hash: placementHash,
  node_selector: labels.optional(),
  node_affinity: nodeTerms.optional(),
  tolerations: z.array(toleration).max(L.placementParts).optional(),
  /** Written "TCP:8080" or "TCP:8080@10.0.0.1". */
  host_ports: z.array(z.string().max(80)).max(L.placementParts).optional(),
  pod_affinity: z.array(podTerm).max(L.placementParts).optional(),
  pod_anti_affinity: z.array(podTerm).max(L.placementParts).optional(),
  /** Only constraints with whenUnsatisfiable DoNotSchedule. */
  spread: z.array(spreadTerm).max(L.placementParts).optional(),
  /** Requests beside CPU and memory: ephemeral-storage in bytes, and extended resources. */
  requests: z.record(z.string().max(317), bytes).optional(),
  priority: z.int().optional(),
  /** Names of constraints that Plimsoll does not model, such as "schedulerName volcano". */
  not_modelled: z.array(z.string().max(320)).max(20).optional(),
});

export type NodeTerm = z.infer<typeof nodeTerm>;
export type PodTerm = z.infer<typeof podTerm>;
export type SpreadTerm = z.infer<typeof spreadTerm>;
export type Toleration = z.infer<typeof toleration>;
export type PlacementObject = z.infer<typeof placementObject>;
