/** The settings of each kind of channel. The API and the set-up form check with the same functions. No zod here. */

import { NOTIFY_LIMITS, type ChannelType } from './notify.ts';

/** A field of a channel's settings: returns what is wrong with a value as `must …`, or null. */
export interface ChannelField {
  check: (value: unknown) => string | null;
  isSecret?: true;
  /** A custom resource may hold this secret itself: earlier versions took it among the settings. */
  mayStandInObject?: true;
  isOptional?: true;
  /** Messages go to this URL or host. */
  isPlace?: true;
  fallback?: unknown;
}
export interface ChannelForm {
  fields: Readonly<Record<string, ChannelField>>;
  /** Returns the field that does not fit the others, and what is wrong with it; null: they fit. */
  conflict?: (settings: Readonly<Record<string, unknown>>) => { field: string; problem: string } | null;
  /** A stored secret goes to the place these settings name. Who changes them sends the secret again. */
  secretGoesTo?: readonly string[];
}

const tooLong = (characters: number): string => `must be at most ${String(characters)} characters`;
const text =
  (form: RegExp, words: string) =>
  (value: unknown): string | null =>
    typeof value === 'string' && value.length > NOTIFY_LIMITS.secretCharacters
      ? tooLong(NOTIFY_LIMITS.secretCharacters)
      : typeof value === 'string' && form.test(value)
        ? null
        : words;
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

/** Returns what is wrong with the certificates of a private authority, with which the mail server is checked. */
const certificates = (value: unknown): string | null => {
  if (typeof value !== 'string' || !CERTIFICATES.test(value.trim()))
    return 'must be certificates in PEM form, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----';
  return value.length > NOTIFY_LIMITS.certificateCharacters ? tooLong(NOTIFY_LIMITS.certificateCharacters) : null;
};
const CERTIFICATES = /^(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

const webUrl = (value: unknown): string | null => {
  const words = 'must be a web address such as https://example.com/hook';
  if (typeof value !== 'string') return words;
  if (value.length > NOTIFY_LIMITS.urlCharacters) return tooLong(NOTIFY_LIMITS.urlCharacters);
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return words;
  return url.username === '' && url.password === '' ? null : 'must be an address without a user name and a password';
};
/** Judges an address that everybody sees: a path or a query would be where a secret hides. */
const serverUrl = (value: unknown): string | null => {
  const problem = webUrl(value);
  if (problem !== null || typeof value !== 'string') return problem;
  const url = URL.parse(value);
  return url?.search === '' && url.hash === '' ? null : 'must be an address without a query';
};
const secretUrl: ChannelField = { check: webUrl, isSecret: true, isPlace: true };

export const CHANNEL_FORMS: Record<ChannelType, ChannelForm> = {
  telegram: {
    fields: {
      bot_token: { check: text(/^\d{1,20}:[\w-]{10,100}$/, 'must be a bot token such as 123456:ABC…'), isSecret: true },
      chat_id: { check: text(/^(-?\d{1,20}|@\w{4,32})$/, 'must be a chat id such as -100123456 or @channel') },
      topic_id: { check: wholeNumber(1, 2_147_483_647), isOptional: true },
    },
  },
  webhook: {
    fields: {
      url: { ...secretUrl, mayStandInObject: true },
      secret: {
        check: text(/^\S{16,}$/, 'must be at least 16 characters without white space'),
        isSecret: true,
        isOptional: true,
      },
    },
  },
  email: {
    fields: {
      host: {
        check: text(/^[A-Za-z0-9.:-]{1,253}$/, 'must be a host name such as smtp.example.com'),
        isPlace: true,
      },
      port: { check: wholeNumber(1, 65_535), fallback: 587 },
      /** none: for a relay in a network of one's own; without a user name, because anybody on the way reads it. */
      security: { check: oneOf('starttls', 'tls', 'none'), fallback: 'starttls' },
      ca: { check: certificates, isOptional: true },
      username: { check: text(/^[^\r\n]{1,256}$/, 'must be at most 256 characters'), isOptional: true },
      password: { check: text(/^[^\r\n]+$/, 'must be one line'), isSecret: true, isOptional: true },
      from: { check: address },
      to: { check: addresses },
    },
    conflict: ({ security, username, ca }) => {
      if (security !== 'none') return null;
      if (username !== undefined)
        return { field: 'username', problem: 'must be empty without TLS: it is sent unencrypted' };
      return ca === undefined ? null : { field: 'ca', problem: 'must be empty without TLS' };
    },
    secretGoesTo: ['host', 'port', 'security', 'ca'],
  },
  slack: { fields: { webhook_url: secretUrl } },
  discord: { fields: { webhook_url: secretUrl } },
  teams: { fields: { webhook_url: secretUrl } },
  ntfy: {
    fields: {
      server: { check: serverUrl, fallback: 'https://ntfy.sh', isPlace: true },
      // Anybody with the name of an open topic can read and write it.
      topic: {
        check: text(/^[\w-]{1,64}$/, 'must be 1–64 letters, digits, - or _'),
        isSecret: true,
        mayStandInObject: true,
      },
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
