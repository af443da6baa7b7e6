import { z } from 'zod';
import { SILENCE_LIMITS, SILENCE_STATUSES } from '../../rules/alert-acting.ts';
import { managedObject } from '../managed-object.ts';
import { moment, page } from '../query.ts';

/** In a JSON body: ISO 8601 with a time zone, or epoch seconds as a number. */
export const bodyMoment = z
  .preprocess((value) => (typeof value === 'number' ? String(value) : value), moment)
  .meta({ wire: { type: ['string', 'number'], description: 'ISO 8601 with a time zone, or epoch seconds' } });

const tagKey = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/, 'must be the key of a tag');

/** An alert matches a silence if it matches every field that is given. */
export const silenceMatcher = {
  server_id: z.uuid('must be a server id (a UUID)').toLowerCase().nullable().optional(),
  tag_key: tagKey.nullable().optional(),
  /** With `tag_key`. Without it any value matches. */
  tag_value: z.string().max(256).nullable().optional(),
  /** metric_name of the alert. */
  metric: z.string().min(1).max(64).nullable().optional(),
  /** rule_id of the alert. */
  rule_id: z.string().min(1).max(64).nullable().optional(),
  /** tags.subject of the alert: a mount point, a pod … An empty string matches alerts of the server itself. */
  subject: z.string().max(512).nullable().optional(),
  cluster_id: z.string().min(1).max(128).nullable().optional(),
  namespace: z.string().min(1).max(253).nullable().optional(),
};
const MATCHER_FIELDS = [
  'server_id',
  'tag_key',
  'metric',
  'rule_id',
  'subject',
  'cluster_id',
  'namespace',
] as const satisfies readonly (keyof typeof silenceMatcher)[];

/** End of a silence and the reason for it. */
export const silenceEnd = {
  /** Either `ends_at` or `duration_seconds`. */
  ends_at: bodyMoment.optional(),
  /** From `starts_at` if it is given, else from now. The clock of the API counts. */
  duration_seconds: z
    .int()
    .min(60, 'must be at least 60')
    .max(SILENCE_LIMITS.longestSeconds, 'must be at most 90 days (7776000)')
    .optional(),
  comment: z.string().trim().max(SILENCE_LIMITS.commentCharacters).default(''),
};
export const silenceFields = {
  /** Silences the key of this alert: its server, rule and subject. In place of a matcher. */
  alert_id: z.uuid('must be an alert id (a UUID)').toLowerCase().nullable().optional(),
  ...silenceMatcher,
  /** Default: now. */
  starts_at: bodyMoment.optional(),
  ...silenceEnd,
};
type Fields = z.output<z.ZodObject<typeof silenceFields>>;

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

function requireConsistent(silence: Fields, context: z.RefinementCtx): void {
  const problem = (field: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [field], message });
  const given = MATCHER_FIELDS.filter((name) => isGiven(silence[name]));
  if (isGiven(silence.alert_id) && given.length > 0) problem(given[0] ?? '', 'must be left out together with alert_id');
  if (!isGiven(silence.alert_id) && given.length === 0)
    problem('server_id', `or another of alert_id, ${MATCHER_FIELDS.slice(1).join(', ')} must be given`);
  if (isGiven(silence.tag_value) && !isGiven(silence.tag_key)) problem('tag_key', 'must be given with tag_value');
  if (silence.ends_at !== undefined && silence.duration_seconds !== undefined)
    problem('duration_seconds', 'must be left out together with ends_at');
  if (silence.ends_at === undefined && silence.duration_seconds === undefined)
    problem('ends_at', 'or duration_seconds must be given: a silence has an end');
}

/** POST /api/alerts/silences, PUT /api/alerts/silences/{id}. */
export const silenceRequest = z.strictObject(silenceFields).superRefine(requireConsistent);

export const silence = z.object({
  silence_id: z.uuid(),
  server_id: z.uuid().nullable(),
  /** Shown name of the server. */
  hostname: z.string().nullable(),
  tag_key: z.string().nullable(),
  tag_value: z.string().nullable(),
  metric: z.string().nullable(),
  rule_id: z.string().nullable(),
  subject: z.string().nullable(),
  cluster_id: z.string().nullable(),
  namespace: z.string().nullable(),
  /** The matcher in words: "server web-1, metric disk_usage, subject /var". */
  text: z.string(),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  status: z.enum(SILENCE_STATUSES),
  comment: z.string(),
  /** Name of the user; null: the account is gone. */
  created_by: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** Only this custom resource changes the silence. */
  object: managedObject.nullable().optional(),
});
/** GET /api/alerts/silences: active ones first, then pending, then expired; each group by its end. */
export const silencesAnswer = z.object({ silences: z.array(silence), total: z.int() });
export const silencesQuery = { ...page(), status: z.enum(SILENCE_STATUSES).optional() };
export const silenceAnswer = z.object({ silence });

export type SilenceRequest = z.output<typeof silenceRequest>;
export type SilenceOnWire = z.infer<typeof silence>;
export type SilencesAnswer = z.infer<typeof silencesAnswer>;
