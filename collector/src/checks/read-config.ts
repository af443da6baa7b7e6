import {
  CHECK_LIMITS as L,
  CHECK_METHODS,
  DNS_RECORD_TYPES,
  IP_VERSIONS,
  PROBE_KINDS,
} from '@plimsoll/contract/rules/check-limits';
import type { CollectorCheck, ExpectedText, Probe } from '@plimsoll/contract/wire/check-probes';

/**
 * Reads the answer of the API field by field: it is not trusted to be what its schema says, and the schema's library would
 * cost the collector memory. A check that cannot be read is left out.
 */
export interface ReadConfig {
  rev: number;
  checks: CollectorCheck[];
  /** Checks of the answer that were left out. */
  leftOut: number;
}

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown, most: number, least = 1): value is string =>
  typeof value === 'string' && value.length >= least && value.length <= most;
const isWhole = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
const isOneOf = <T>(value: unknown, choices: readonly T[]): value is T => choices.includes(value as T);

/** Null: it is no configuration. */
export function readConfig(body: unknown): ReadConfig | null {
  const data = isTree(body) ? body['data'] : null;
  if (!isTree(data) || !isWhole(data['config_rev'], 0, Number.MAX_SAFE_INTEGER) || !Array.isArray(data['checks']))
    return null;
  const given: unknown[] = data['checks'];
  const seen = new Set<string>();
  const checks = given.slice(0, L.perCollector).flatMap((one) => {
    const check = readCheck(one);
    if (check === null || seen.has(check.check_id)) return [];
    seen.add(check.check_id);
    return [check];
  });
  return { rev: data['config_rev'], checks, leftOut: given.length - checks.length };
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function readCheck(value: unknown): CollectorCheck | null {
  if (!isTree(value)) return null;
  const { check_id, check_rev, interval_seconds } = value;
  const { min, max } = L.intervalSeconds;
  if (!isText(check_id, 36) || !ID.test(check_id) || !isWhole(check_rev, 0, Number.MAX_SAFE_INTEGER)) return null;
  if (!isWhole(interval_seconds, min, max)) return null;
  const probe = readProbe(value['probe']);
  return probe === null ? null : { check_id, check_rev, interval_seconds, probe };
}

function readProbe(value: unknown): Probe | null {
  if (!isTree(value)) return null;
  const { kind, timeout_ms, ip_version } = value;
  if (!isOneOf(kind, PROBE_KINDS) || !isWhole(timeout_ms, L.timeoutMs.min, L.timeoutMs.max)) return null;
  if (!isOneOf(ip_version, IP_VERSIONS)) return null;
  const every = { timeout_ms, ip_version };
  if (kind === 'http') return readHttp(value, every);
  const { host, port, expect, record_type } = value;
  if (!isText(host, 253)) return null;
  if (kind === 'dns') {
    if (!isOneOf(record_type, DNS_RECORD_TYPES) || !isTexts(expect)) return null;
    return { kind, ...every, host, record_type, expect };
  }
  if (!isWhole(port, 1, 65_535)) return null;
  if (kind === 'tls') return { kind, ...every, host, port };
  return expect === null || isText(expect, L.textCharacters) ? { kind, ...every, host, port, expect } : null;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= L.records && value.every((one) => isText(one, L.textCharacters));

function readHttp(value: Tree, every: Pick<Probe, 'timeout_ms' | 'ip_version'>): Probe | null {
  const { url, method, body, follow_redirects, ignore_certificate } = value;
  if (!isText(url, L.urlCharacters) || !isOneOf(method, CHECK_METHODS)) return null;
  if (body !== null && !isText(body, L.requestBodyCharacters, 0)) return null;
  if (typeof follow_redirects !== 'boolean' || typeof ignore_certificate !== 'boolean') return null;
  const [headers, statuses, expect] = [readHeaders(value['headers']), value['statuses'], readExpect(value['expect'])];
  if (headers === null || !isRanges(statuses) || expect === undefined) return null;
  return { kind: 'http', ...every, url, method, headers, body, statuses, expect, follow_redirects, ignore_certificate };
}

function readHeaders(value: unknown): Record<string, string> | null {
  if (!isTree(value)) return null;
  const entries = Object.entries(value);
  if (entries.length > L.headers) return null;
  if (!entries.every(([name, text]) => isText(name, 128) && isText(text, L.headerCharacters, 0))) return null;
  return Object.fromEntries(entries) as Record<string, string>;
}

const isRanges = (value: unknown): value is [number, number][] =>
  Array.isArray(value) &&
  value.length >= 1 &&
  value.length <= L.statusRanges &&
  value.every((one) => Array.isArray(one) && one.length === 2 && one.every((status) => isWhole(status, 100, 599)));

/** undefined: it cannot be read. */
function readExpect(value: unknown): ExpectedText | null | undefined {
  if (value === null) return null;
  if (!isTree(value) || typeof value['isPresent'] !== 'boolean') return undefined;
  const { kind, text, path, value: expected, isPresent } = value;
  if (kind === 'text') return isText(text, L.textCharacters) ? { kind, text, isPresent } : undefined;
  if (kind !== 'json' || !isText(path, 256)) return undefined;
  if (expected !== null && !isText(expected, L.textCharacters, 0)) return undefined;
  return { kind, path, value: expected, isPresent };
}
