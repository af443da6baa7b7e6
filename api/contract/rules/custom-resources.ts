/** Words and limits of the custom resources. No zod here: the browser and the collector import this file. */

export const CUSTOM_GROUP = 'plimsoll.dev';
export const CUSTOM_VERSION = 'v1alpha1';
export const CUSTOM_KINDS = ['AlertRule', 'NotificationChannel', 'Silence'] as const;
export type CustomKind = (typeof CUSTOM_KINDS)[number];

/** The resource names of the API server. */
export const CUSTOM_PLURALS: Record<CustomKind, string> = {
  AlertRule: 'alertrules',
  NotificationChannel: 'notificationchannels',
  Silence: 'silences',
};

export const CUSTOM_LIMITS = {
  /** Objects of one cluster. */
  objects: 2000,
  /** One request carries them all. */
  requestBytes: 4 * 2 ** 20,
  /** One answer carries all verdicts. */
  answerBytes: 4 * 2 ** 20,
  /** Bytes of one `spec` as JSON. */
  specBytes: 16_384,
  secretKeys: 16,
} as const;

/** Reasons why the API does not accept an object; each is the reason of its condition Accepted. */
export const REFUSAL_REASONS = [
  'Invalid',
  /** It concerns more than the object's own namespace. */
  'OutsideNamespace',
  /** It concerns the whole organisation, which no admin has allowed for the cluster. */
  'OrganisationRulesOff',
  'NotFound',
  'SecretNotMounted',
  'LimitExceeded',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

const UPPER = /[A-Z]/g;
const LOWER_AFTER_BAR = /_([a-z])/g;
export const camelOf = (name: string): string =>
  name.replace(LOWER_AFTER_BAR, (_, letter: string) => letter.toUpperCase());
export const snakeOf = (name: string): string => name.replace(UPPER, (letter) => `_${letter.toLowerCase()}`);

/** Values below these keys carry names of the user. */
const FREE_KEYS = ['tags'];

/** Renames the keys of a spec to those of the API: forSeconds → for_seconds. */
export function toWireKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWireKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [snakeOf(key), FREE_KEYS.includes(key) ? child : toWireKeys(child)]),
  );
}
