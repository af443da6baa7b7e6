import { cutText } from '@plimsoll/contract/rules/printable-text';
import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import { camelOf, CUSTOM_LIMITS, toWireKeys } from '@plimsoll/contract/rules/custom-resources';
import { SILENCE_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import { alertRuleRequest } from '@plimsoll/contract/wire/alert-rules';
import { silenceRequest } from '@plimsoll/contract/wire/alerts/alert-silences';
import { alertRuleSpec, channelSpec, silenceSpec, type CustomObject } from '@plimsoll/contract/wire/custom-resources';
import type { z } from 'zod';
import { draftOf } from '../alerts/rules/rule-draft.ts';
import { requestedMatcher } from '../alerts/silences/requested-matcher.ts';
import type { SilenceDraft } from '../alerts/silence-match.ts';
import { CodedError } from '../errors.ts';
import { readSettings, routingOf } from '../notify/channel-input.ts';
import { channelRefusal, ruleRefusal, silenceRefusal } from './authority.ts';
import type { ObjectContext, Reading, Refusal } from './types.ts';

class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
const invalid = (message: string): Refused => new Refused({ reason: 'Invalid', message });
const refuse = (refusal: Refusal | null): void => {
  if (refusal !== null) throw new Refused(refusal);
};

/** `lines.0.for_seconds` of the API is `spec.lines[0].forSeconds` of the object. */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (field, step) => (typeof step === 'number' ? `${field}[${String(step)}]` : `${field}.${camelOf(String(step))}`),
    'spec',
  );
const camelWords = (text: string): string => text.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, camelOf);

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw invalid(`${fieldOf([...issue.path, cutText(issue.keys[0] ?? '', 64)])}: is not a field of this kind.`);
  throw invalid(`${fieldOf(issue?.path ?? [])}: ${camelWords(issue?.message ?? 'is not valid')}.`);
}

const requireStorable = (spec: string): void => {
  if (spec.length > CUSTOM_LIMITS.specBytes)
    throw invalid(`spec: must be at most ${String(CUSTOM_LIMITS.specBytes)} bytes as JSON.`);
  if (spec.includes('\\u0000') || /\\ud[89a-f]/i.test(spec))
    throw invalid('spec: contains a character that cannot be stored. Remove NUL characters and unpaired surrogates.');
};

/** Reads an object into what it makes. An object that is not valid is refused with the field and the remedy. */
export function readObject(object: CustomObject, context: ObjectContext): Reading {
  try {
    requireStorable(JSON.stringify([object.spec, object.secrets]));
    const spec = toWireKeys(object.spec);
    if (object.kind === 'AlertRule') return { kind: object.kind, draft: ruleOf(object, spec, context) };
    if (object.kind === 'Silence') return { kind: object.kind, draft: silenceOf(object, spec, context) };
    return { kind: object.kind, draft: channelOf(object, spec, context) };
  } catch (error) {
    if (error instanceof Refused) return { kind: object.kind, refusal: error.refusal };
    throw error;
  }
}

const CLUSTER_TARGETS = ['cluster', 'namespace', 'workload'];
const NAMESPACE_TARGETS = ['namespace', 'workload'];

/** The line of a state has no threshold. */
function withThresholds(spec: unknown): unknown {
  const { lines } = spec as { lines?: unknown };
  if (!Array.isArray(lines)) return spec;
  const whole = lines.map((line: unknown) =>
    typeof line === 'object' && line !== null ? { threshold: null, ...line } : line,
  );
  return { ...(spec as object), lines: whole };
}

function ruleOf(object: CustomObject, written: unknown, context: ObjectContext) {
  const spec = withThresholds(written);
  const own = parse(alertRuleSpec, spec);
  const body = parse(alertRuleRequest, {
    ...(spec as object),
    ...(CLUSTER_TARGETS.includes(own.target) && { cluster_id: context.clusterId }),
    ...(NAMESPACE_TARGETS.includes(own.target) && { namespace: own.namespace ?? object.namespace }),
  });
  const draft = draftOf(body);
  refuse(ruleRefusal(object.namespace, draft.target, context));
  return draft;
}

function silenceOf(object: CustomObject, spec: unknown, context: ObjectContext): SilenceDraft {
  const own = parse(silenceSpec, spec);
  const isOutside = object.namespace !== context.releaseNamespace;
  const body = parse(silenceRequest, {
    // Parsing turns moments into numbers, so the words of the object are parsed again.
    ...(spec as object),
    cluster_id: context.clusterId,
    namespace: own.namespace ?? (isOutside ? object.namespace : null),
  });
  const matcher = requestedMatcher(body);
  refuse(silenceRefusal(object.namespace, matcher, context));
  // The object is sent again and again: a duration counts from a fixed moment.
  const startsAt = body.starts_at ?? object.created_at * 1000;
  const endsAt = body.ends_at ?? startsAt + (body.duration_seconds ?? 0) * 1000;
  if (endsAt <= startsAt)
    throw invalid('spec.endsAt: must be after spec.startsAt, or after the creation of the object.');
  if (endsAt - startsAt > SILENCE_LIMITS.longestSeconds * 1000)
    throw invalid('spec.endsAt: must be at most 90 days after the start. Extend the silence later.');
  return { ...matcher, startsAt, endsAt, comment: body.comment };
}

function channelOf(object: CustomObject, spec: unknown, context: ObjectContext) {
  refuse(channelRefusal(object.namespace, context));
  const { type, name, settings, secret_ref: secretRef, routing } = parse(channelSpec, spec);
  const { fields } = CHANNEL_FORMS[type];
  const isClosed = (key: string) => fields[key]?.isSecret === true && fields[key].mayStandInObject !== true;
  const open = Object.keys(settings).find(isClosed);
  if (open !== undefined)
    throw invalid(
      `spec.settings.${camelOf(open)}: is a secret. Put it under the key ${open} of a Secret, and name the Secret in spec.secretRef.`,
    );
  if (secretRef !== undefined && object.secrets === null)
    throw new Refused({
      reason: 'SecretNotMounted',
      message: `spec.secretRef: the Secret ${secretRef.name} is not mounted into the cluster collector. Add it to clusterCollector.channelSecrets.`,
    });
  const secrets = Object.fromEntries(
    Object.entries(object.secrets ?? {})
      .filter(([key]) => fields[key]?.isSecret)
      .map(([key, value]) => [key, value.trim()]),
  );
  try {
    const target = readSettings(type, { ...settings, ...secrets }, null);
    return { type, name: name ?? cutText(object.name, 64), routing: routingOf(routing), ...target };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const field = error.field?.replace('settings.', '') ?? '';
    const isSecret = field in secrets || isClosed(field);
    const words = error.message.replace(/^settings\./, isSecret ? 'spec.secretRef: key ' : 'spec.settings.');
    throw invalid(isSecret ? `${words}. Set the key in the Secret.` : `${camelWords(words)}.`);
  }
}

/** Returns the refusal of a channel whose `settings.FIELD` leads to a private address. */
export function placeRefusal({ secrets }: Pick<CustomObject, 'secrets'>, error: CodedError): Refusal {
  const field = error.field?.replace('settings.', '') ?? '';
  const isSecret = secrets !== null && field in secrets;
  const words = error.message.replace(
    /^settings\.[a-z_]+/,
    isSecret ? `spec.secretRef: key ${field}` : `spec.settings.${camelOf(field)}`,
  );
  return { reason: 'Invalid', message: `${words}. ${error.remedy ?? ''}`.trim() };
}
