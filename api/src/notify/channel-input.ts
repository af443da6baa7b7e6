import { cutText } from '@plimsoll/contract/rules/printable-text';
import { CHANNEL_FORMS, type ChannelField, type ChannelForm } from '@plimsoll/contract/rules/channel-forms';
import type { ChannelType } from '@plimsoll/contract/rules/notify';
import { CodedError } from '../errors.ts';
import type { RoutingView } from '@plimsoll/contract/wire/notify';
import type { Routing, Secrets, Settings, Target } from './types.ts';

function refuse(name: string, words: string, remedy: string): never {
  throw new CodedError('invalid_parameter', `settings.${name}: ${words}`, { field: `settings.${name}`, remedy });
}

/**
 * Splits what a user sends into settings and secrets. A secret that is left out keeps its stored value; null
 * removes an optional one. Throws
 * `invalid_parameter` with the field and the remedy.
 */
export function readSettings(type: ChannelType, given: Settings, stored: Target | null): Target {
  const { fields, conflict, secretGoesTo = [] } = CHANNEL_FORMS[type];
  const known = Object.keys(fields);
  for (const name of Object.keys(given))
    if (!known.includes(name)) refuse(cutText(name, 64), 'is not known here', `Known here: ${known.join(', ')}.`);
  const settings: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (given[name] === null && field.isOptional === true) continue;
    const kept = field.isSecret ? stored?.secrets[name] : undefined;
    const value = given[name] ?? kept ?? field.fallback;
    if (value === undefined) {
      if (!field.isOptional) refuse(name, 'is required', 'Send it in settings.');
      continue;
    }
    const problem = field.check(value);
    if (problem !== null) refuse(name, problem, 'Write it in this form.');
    if (field.isSecret !== true) settings[name] = value;
    else if (typeof value === 'string') secrets[name] = value;
  }
  const clash = conflict?.(settings) ?? null;
  if (clash !== null) refuse(clash.field, clash.problem, 'Change one of the two.');
  if (stored !== null) requireSecretAgain(fields, secretGoesTo, given, settings, stored);
  return { settings, secrets };
}

/** Whoever may change a channel must not be able to read its secret by sending it elsewhere. */
function requireSecretAgain(
  fields: Readonly<Record<string, ChannelField>>,
  secretGoesTo: readonly string[],
  given: Settings,
  settings: Settings,
  stored: Target,
): void {
  const moved = secretGoesTo.find((name) => settings[name] !== stored.settings[name]);
  if (moved === undefined) return;
  for (const [name, { isSecret }] of Object.entries(fields))
    if (isSecret && stored.secrets[name] !== undefined && given[name] === undefined)
      refuse(name, `is required when ${moved} changes`, 'Send it again.');
}

/** Splits stored settings: earlier versions stored an address or a topic that is now a secret among them. */
export function splitSecrets({ fields }: ChannelForm, stored: Settings): { open: Settings; secrets: Secrets } {
  const open: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  for (const [name, value] of Object.entries(stored)) {
    if (fields[name]?.isSecret !== true) open[name] = value;
    else if (typeof value === 'string') secrets[name] = value;
  }
  return { open, secrets };
}

const SHOWN_CHARACTERS = 4;
/** A shorter secret shows nothing of itself. */
const SHORTEST_SHOWN = 12;

const endOf = (secret: string): string => (secret.length < SHORTEST_SHOWN ? '' : secret.slice(-SHOWN_CHARACTERS));

/** Returns scheme, host and end of a web address, whose path and query are the secret. */
function shownOf(secret: string): string {
  const url = /^https?:/i.test(secret) ? URL.parse(secret) : null;
  return url === null ? endOf(secret) : `${url.origin}/…${endOf(`${url.pathname}${url.search}${url.hash}`)}`;
}

/** Returns what is shown of each secret: the last 4 characters, of a web address its host too. */
export const secretEndsOf = (secrets: Secrets): Secrets =>
  Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, shownOf(secret)]));

export const routingOf = ({
  levels,
  tags,
  quiet_hours: quiet,
  repeat_minutes: repeatMinutes,
}: RoutingView): Routing => ({
  levels,
  tags,
  quietHours: quiet && {
    from: quiet.from,
    to: quiet.to,
    timeZone: quiet.time_zone,
    criticalPasses: quiet.critical_passes,
  },
  repeatMinutes,
});
