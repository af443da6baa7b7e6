import { SECOND_MS } from '../rules/durations.ts';
import { z } from 'zod';
import { parseScope, SCOPE_LIMITS, type Scope } from '../rules/scope.ts';
import { TIMELINE_KINDS, type TimelineKind } from '../rules/timeline.ts';
import { DEFAULT_HOURS, MAX_HOURS, PAGE_LIMITS, SPARK_LIMITS } from '../rules/limits.ts';

/** Parameters of the query string. What is in `wire` is shown in OpenAPI in place of the parsed form. */

const digits = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
export const wholeNumber = (min: number, max: number) =>
  z.preprocess(
    digits,
    z
      .int(`must be a whole number from ${String(min)} to ${String(max)}`)
      .min(min, `must be at least ${String(min)}`)
      .max(max, `must be at most ${String(max)}`),
  );

/** ISO 8601 with a zone, a plain date (UTC), or epoch seconds. */
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/;
function toMillis(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/^\d{1,12}(\.\d{1,6})?$/.test(value)) return Number(value) * SECOND_MS;
  return ISO.test(value) ? Date.parse(value) : value;
}
/** Parsed to epoch milliseconds. */
export const moment = z
  .preprocess(
    toMillis,
    z.number('must be ISO 8601 with a time zone (2026-01-31T10:00:00Z) or epoch seconds').min(0).max(8.64e15),
  )
  .meta({
    wire: { type: 'string', description: 'ISO 8601 with a time zone, or epoch seconds', examples: ['1769853600'] },
  });

export const page = (fallback: number = PAGE_LIMITS.other) => ({
  limit: wholeNumber(1, PAGE_LIMITS.max).default(fallback),
  offset: wholeNumber(0, 10_000_000).default(0),
});
/** Parsed to epoch milliseconds. The API checks it with `requireMoment`. */
export const at = moment.optional().meta({
  wire: {
    type: 'string',
    description:
      'Answers as of this moment of the past, from stored history. ISO 8601 with a time zone, or epoch seconds.',
    examples: ['2026-01-31T03:12Z'],
  },
});
export const dates = { start_date: moment.optional(), end_date: moment.optional() };
export const hours = wholeNumber(1, MAX_HOURS).default(DEFAULT_HOURS);
export const serverId = z.uuid('must be a server id (a UUID)').toLowerCase();
/** Parsed to terms; the rule is `matchesScope`. */
export const scope = z
  .string()
  .max(SCOPE_LIMITS.characters, `must be at most ${String(SCOPE_LIMITS.characters)} characters`)
  .transform((text, context): Scope => {
    const parsed = parseScope(text);
    if ('scope' in parsed) return parsed.scope;
    context.addIssue({ code: 'custom', message: parsed.problem });
    return z.NEVER;
  })
  .meta({
    wire: {
      type: 'string',
      description:
        'Servers that the answer covers: key:value terms with a comma between two. Keys: tag, region, cluster, status. ' +
        'Terms of one key are alternatives, different keys must all match. tag:name=value is that tag, tag:word a tag ' +
        'of that name or value; case does not matter. "\\," is a comma inside a value.',
      examples: ['tag:prod,region:fra'],
    },
  });
const NAME_LENGTH = 200;
/** Host names, display names or ids of servers, separated by commas. */
export const serverNames = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(',') : value),
    z
      .array(z.string().max(NAME_LENGTH, `must be at most ${String(NAME_LENGTH)} characters`))
      .max(SPARK_LIMITS.servers, `must be at most ${String(SPARK_LIMITS.servers)} names`),
  )
  .meta({ wire: { type: 'array', items: { type: 'string', maxLength: NAME_LENGTH }, maxItems: SPARK_LIMITS.servers } });
/** Separated by commas. */
export const serverIds = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(',') : value),
    z.array(serverId).max(SPARK_LIMITS.servers, `must be at most ${String(SPARK_LIMITS.servers)} ids`),
  )
  .meta({ wire: { type: 'string', description: `Server ids separated by commas, at most ${SPARK_LIMITS.servers}` } });
const isTimelineKind = (text: string): text is TimelineKind => (TIMELINE_KINDS as readonly string[]).includes(text);
/** Separated by commas; parsed to a list. */
export const timelineKinds = z
  .string()
  .max(200)
  .transform((text, context): readonly TimelineKind[] => {
    const kinds = text.split(',');
    if (kinds.every(isTimelineKind)) return kinds;
    const path = [kinds.findIndex((kind) => !isTimelineKind(kind))];
    context.addIssue({ code: 'custom', path, message: `must be one of ${TIMELINE_KINDS.join(', ')}` });
    return z.NEVER;
  })
  .meta({ wire: { type: 'string', description: `Kinds separated by commas: ${TIMELINE_KINDS.join(', ')}` } });
