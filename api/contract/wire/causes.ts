import { z } from 'zod';
import { moment } from './kubernetes-parts.ts';

/** Subject of an incident, a symptom or a change. Names come from machines and clusters: show them as text only. */
export const CAUSE_ENTITY_KINDS = [
  'server',
  'unit',
  'process',
  'filesystem',
  'disk',
  'interface',
  'container',
  'cluster',
  'node',
  'namespace',
  'workload',
  'pod',
  'service',
  'volume_claim',
  /** Any other object of Kubernetes; `object_kind` says which (NetworkPolicy, ConfigMap, ResourceQuota …). */
  'object',
  /** Host name or address that a program connects to and Plimsoll does not watch. */
  'peer',
] as const;
const causeEntity = z.object({
  kind: z.enum(CAUSE_ENTITY_KINDS),
  name: z.string(),
  /** Deployment, StatefulSet, NetworkPolicy …; null: not an object of Kubernetes. */
  object_kind: z.string().nullable(),
  namespace: z.string().nullable(),
  cluster_id: z.string().nullable(),
  server_id: z.uuid().nullable(),
  /** Screen of the product that shows it; null: none does. */
  href: z.string().nullable(),
});

const evidenceLine = z.object({
  text: z.string(),
  at: moment.nullable(),
  /** Screen that shows it. */
  href: z.string().nullable(),
  /** It repeats what a program said: a log line, or the last words of a container. */
  is_quote: z.boolean().optional(),
});

const cause = z.object({
  /** Id of the mechanism: "selector_matches_nothing", "limit_below_peak". */
  mechanism: z.string(),
  /** Short name of the mechanism for people. */
  mechanism_title: z.string(),
  /** One sentence that names the cause. */
  finding: z.string(),
  entities: z.array(causeEntity),
  /** When it began; null: not known. */
  since: moment.nullable(),
  /** Entry of the ledger that brought it about. */
  change_id: z.string().nullable(),
  /** Symptoms it explains, of `symptoms` of the answer. */
  explains: z.int(),
  evidence: z.array(evidenceLine),
  /** Facts that speak against it. */
  against: z.array(z.string()),
  next: z.object({ text: z.string(), command: z.string().nullable() }),
});

/**
 * GET /api/incidents/{id}/cause and GET /api/alerts/{id}/cause. No model takes part: the same data gives the same
 * answer. `not_found`: no candidate explains half of the symptoms.
 */
export const causeAnswer = z.object({
  status: z.enum(['found', 'not_found']),
  /** The likeliest first, at most 3: several only if each explains symptoms that the others do not. */
  causes: z.array(cause),
  /** Entities that fail because of them. */
  victims: z.array(z.object({ entity: causeEntity, text: z.string() })),
  /** Candidates that were examined and do not explain it: "Not the cause". */
  ruled_out: z.array(z.object({ text: z.string(), reason: z.string(), change_id: z.string().nullable() })),
  symptoms: z.int(),
  /** Moment the answer is about, and when it was computed. */
  at: moment,
  computed_at: moment,
});

/**
 * GET /api/incidents/{id}/evidence: all that an answer is computed from, read anew, and the answer to it. `evidence` has
 * no fixed form: it is for reading, and for a report about a wrong answer.
 */
export const evidenceAnswer = z.object({
  incident_id: z.uuid(),
  evidence: z.record(z.string(), z.unknown()),
  answer: causeAnswer,
});

export type EvidenceAnswer = z.infer<typeof evidenceAnswer>;
export type CauseEntity = z.infer<typeof causeEntity>;
export type CauseAnswer = z.infer<typeof causeAnswer>;
export type LikelyCause = z.infer<typeof cause>;
