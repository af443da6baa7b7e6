import { isPlainValue, isSecretName } from '@plimsoll/contract/redaction/names';
import { REDACTED } from '@plimsoll/contract/redaction/shapes';
import { redactText } from '@plimsoll/contract/redaction/text';
import { maskIp } from '@plimsoll/contract/rules/servers/mask-ip';
import { scrubSecrets } from '../../telemetry/scrub.ts';

const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g;
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;
const IPV6 = /(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])/gi;

/** This machine itself names nobody. Text that is no address, such as a time, stays. */
const masked = (address: string): string =>
  address.startsWith('127.') || address === '::1' ? address : maskIp(address) || address;

/** Takes secrets and addresses of people and machines out of a text. */
export const redactLine = (text: string): string =>
  redactText(scrubSecrets(text)).replace(EMAIL, '[e-mail]').replace(IPV4, masked).replace(IPV6, masked);

/** Redacts every text of a JSON value, keys included; the name of a field can say that its value is a secret. */
export function redactAll(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return isSecretName(name) && !isPlainValue(value) ? REDACTED : redactLine(value);
  if (Array.isArray(value)) return value.map((item) => redactAll(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redactLine(key), redactAll(item, key)]));
}

/** A line of the log is JSON; redacted as a whole it would lose the names that say what a value is. */
export function redactLogLine(line: string): string {
  try {
    return JSON.stringify(redactAll(JSON.parse(line)));
  } catch {
    return redactLine(line);
  }
}
