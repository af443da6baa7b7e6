/** Kinds, reasons and bounds of checks. No zod here: the browser and the collector import this file. */

/** `heartbeat` is called by a job; a place measures the others. */
export const PROBE_KINDS = ['http', 'tcp', 'dns', 'tls'] as const;
export const CHECK_KINDS = [...PROBE_KINDS, 'heartbeat'] as const;
export type ProbeKind = (typeof PROBE_KINDS)[number];
export type CheckKind = (typeof CHECK_KINDS)[number];

/** Phases of a probe in their order. */
export const PROBE_PHASES = ['dns', 'connect', 'tls', 'wait', 'transfer'] as const;
export type ProbePhase = (typeof PROBE_PHASES)[number];

export const CHECK_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export const IP_VERSIONS = ['any', '4', '6'] as const;
export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SRV', 'CAA', 'PTR'] as const;
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number];

export const CHECK_LIMITS = {
  perAccount: 5000,
  /** Checks that one collector runs. */
  perCollector: 200,
  /** Bytes of the answer to a collector that requests its checks. */
  configBytes: 262_144,
  /** Results in one report: three runs of each check, and room for a late one. */
  resultsPerReport: 1000,
  intervalSeconds: { min: 20, max: 86_400, default: 60 },
  timeoutMs: { min: 100, max: 30_000, default: 10_000 },
  retries: { max: 10, default: 1 },
  /** The longest chart of a check: 90 days. */
  seriesHours: 2160,
  redirects: 5,
  /** Bytes of an answer that are read; more count as this many. */
  bodyBytes: 1_048_576,
  headBytes: 65_536,
  /** Bytes that a tcp check reads for its first line. */
  lineBytes: 4096,
  nameCharacters: 120,
  urlCharacters: 2048,
  headers: 20,
  headerCharacters: 4096,
  requestBodyCharacters: 16_384,
  textCharacters: 512,
  firstLineCharacters: 100,
  statusRanges: 20,
  records: 20,
  certificateNames: 20,
  /** Two starts of a collector's checks are at least this far apart: 600 a minute, whatever the API requests. */
  startGapMs: 100,
  /** Checks of one process that run at the same time. */
  atOnce: 10,
} as const;

/** Returns the default number of places that must fail: a majority. */
export const majorityOf = (places: number): number => Math.floor(Math.max(1, places) / 2) + 1;

/** Why a probe was not good. A place that gives one of `NO_VOTE_REASONS` says nothing about the target. */
export const PROBE_REASONS = [
  'address_refused',
  'not_run',
  'name_not_resolved',
  'connection_refused',
  'unreachable',
  'reset',
  'timeout',
  'tls_failed',
  'certificate_expired',
  'certificate_not_yet_valid',
  'certificate_wrong_name',
  'certificate_chain_incomplete',
  'certificate_untrusted',
  'certificate_weak_key',
  'answer_invalid',
  'answer_cut_off',
  'status_unexpected',
  'text_missing',
  'text_present',
  'value_differs',
  'too_many_redirects',
  'redirect_invalid',
  'records_missing',
  'failed',
] as const;
export type ProbeReason = (typeof PROBE_REASONS)[number];
export const NO_VOTE_REASONS: readonly string[] = ['address_refused', 'not_run'] satisfies ProbeReason[];
