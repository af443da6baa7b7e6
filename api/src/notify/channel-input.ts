import { NOTIFY_LIMITS, type ChannelType } from '@plimsoll/contract/rules/notify';
import { CodedError } from '../errors.ts';
import type { Secrets, Settings, Target } from './types.ts';

/** A field of a channel's settings: returns what is wrong with a value as `must …`, or null. */
interface Field {
  check: (value: unknown) => string | null;
  isSecret?: true;
  isOptional?: true;
  fallback?: unknown;
}
interface Form {
  fields: Readonly<Record<string, Field>>;
  /** A stored secret goes to the place these settings name. Who changes them sends the secret again. */
  secretGoesTo?: readonly string[];
}

const text =
  (form: RegExp, words: string) =>
  (value: unknown): string | null =>
    typeof value === 'string' && value.length <= NOTIFY_LIMITS.secretCharacters && form.test(value) ? null : words;
const oneOf =
  (...choices: string[]) =>
  (value: unknown): string | null =>
    typeof value === 'string' && choices.includes(value) ? null : `must be one of: ${choices.join(', ')}`;
const wholeNumber =
  (min: number, max: number) =>
  (value: unknown): string | null =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? null
      : `must be a whole number from ${String(min)} to ${String(max)}`;

const address = text(/^[^\s@<>,;"]{1,64}@[^\s@<>,;"]{1,190}$/, 'must be an e-mail address such as name@example.com');
const addresses = (value: unknown): string | null =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= NOTIFY_LIMITS.recipients &&
  value.every((one) => address(one) === null)
    ? null
    : `must be 1–${String(NOTIFY_LIMITS.recipients)} e-mail addresses`;

const webUrl = (value: unknown): string | null => {
  const words = 'must be a web address such as https://example.com/hook';
  if (typeof value !== 'string' || value.length > NOTIFY_LIMITS.urlCharacters) return words;
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return words;
  return url.username === '' && url.password === '' ? null : 'must be an address without a user name and a password';
};
const secretUrl: Field = { check: webUrl, isSecret: true };

const FORMS: Record<ChannelType, Form> = {
  telegram: {
    fields: {
      bot_token: { check: text(/^\d{1,20}:[\w-]{10,100}$/, 'must be a bot token such as 123456:ABC…'), isSecret: true },
      chat_id: { check: text(/^(-?\d{1,20}|@\w{4,32})$/, 'must be a chat id such as -100123456 or @channel') },
      topic_id: { check: wholeNumber(1, 2_147_483_647), isOptional: true },
    },
  },
  webhook: {
    fields: {
      url: { check: webUrl },
      secret: {
        check: text(/^\S{16,}$/, 'must be at least 16 characters without white space'),
        isSecret: true,
        isOptional: true,
      },
    },
  },
  email: {
    fields: {
      host: { check: text(/^[A-Za-z0-9.:-]{1,253}$/, 'must be a host name such as smtp.example.com') },
      port: { check: wholeNumber(1, 65_535), fallback: 587 },
      security: { check: oneOf('starttls', 'tls'), fallback: 'starttls' },
      username: { check: text(/^[^\r\n]{1,256}$/, 'must be at most 256 characters'), isOptional: true },
      password: { check: text(/^[^\r\n]+$/, 'must be one line'), isSecret: true, isOptional: true },
      from: { check: address },
      to: { check: addresses },
    },
    secretGoesTo: ['host', 'port', 'security'],
  },
  slack: { fields: { webhook_url: secretUrl } },
  discord: { fields: { webhook_url: secretUrl } },
  teams: { fields: { webhook_url: secretUrl } },
  ntfy: {
    fields: {
      server: { check: webUrl, fallback: 'https://ntfy.sh' },
      topic: { check: text(/^[\w-]{1,64}$/, 'must be 1–64 letters, digits, - or _') },
      token: { check: text(/^[\x21-\x7e]+$/, 'must be an access token'), isSecret: true, isOptional: true },
    },
    secretGoesTo: ['server'],
  },
  pagerduty: {
    fields: {
      routing_key: {
        check: text(/^[A-Za-z0-9]{32}$/, 'must be the 32 characters of an integration key'),
        isSecret: true,
      },
      region: { check: oneOf('us', 'eu'), fallback: 'us' },
    },
  },
};

function refuse(name: string, words: string, remedy: string): never {
  throw new CodedError('invalid_parameter', `settings.${name}: ${words}`, { field: `settings.${name}`, remedy });
}

/**
 * Splits what a user sends into settings and secrets. A secret that is left out keeps its stored value. Throws
 * `invalid_parameter` with the field and the remedy.
 */
export function readSettings(type: ChannelType, given: Settings, stored: Target | null): Target {
  const { fields, secretGoesTo = [] } = FORMS[type];
  const known = Object.keys(fields);
  for (const name of Object.keys(given))
    if (!known.includes(name)) refuse(name.slice(0, 64), 'is not known here', `Known here: ${known.join(', ')}.`);
  const settings: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
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
  if (stored !== null) requireSecretAgain(fields, secretGoesTo, given, settings, stored);
  return { settings, secrets };
}

/** Whoever may change a channel must not be able to read its secret by sending it elsewhere. */
function requireSecretAgain(
  fields: Form['fields'],
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

const SHOWN_CHARACTERS = 4;
/** A shorter secret shows nothing of itself. */
const SHORTEST_SHOWN = 12;

/** Returns the last 4 characters of each secret. */
export const secretEndsOf = (secrets: Secrets): Secrets =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, secret]) => [
      name,
      secret.length < SHORTEST_SHOWN ? '' : secret.slice(-SHOWN_CHARACTERS),
    ]),
  );
