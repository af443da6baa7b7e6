import { z } from 'zod';
import {
  CHECK_KINDS,
  CHECK_LIMITS as L,
  CHECK_METHODS,
  DNS_RECORD_TYPES,
  IP_VERSIONS,
} from '../../rules/check-limits.ts';
import { asciiHost, isHost } from '../../rules/checks/host-name.ts';
import { certificatePart, expectedText, probeResult } from '../check-probes.ts';
import { creator } from '../creator.ts';
import { serverId, wholeNumber } from '../query.ts';
import { typedName } from '../typed-name.ts';

const host = z
  .string()
  .trim()
  .min(1, 'must be a name or an address')
  .max(253)
  .overwrite(asciiHost)
  .refine(isHost, 'must be a host name or an IP address, without a port');
const port = z.int().min(1).max(65_535);
const text = z.string().min(1).max(L.textCharacters);
const everyProbe = {
  timeout_ms: z.int().min(L.timeoutMs.min).max(L.timeoutMs.max).default(L.timeoutMs.default),
  ip_version: z.enum(IP_VERSIONS).default('any'),
};
const url = z
  .string()
  .trim()
  .max(L.urlCharacters)
  .refine((value) => {
    const parsed = URL.parse(value);
    return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '';
  }, 'must be an http or https address without a user and a password');

/** Measurement of a check. Defaults stand for what is left out. */
export const probeRequest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('http'),
    ...everyProbe,
    url,
    method: z.enum(CHECK_METHODS).default('GET'),
    /** Written, never returned. Left out in a change: those that are stored stay. */
    headers: z
      .record(
        z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,128}$/, 'must be the name of a header'),
        z.string().max(L.headerCharacters),
      )
      .refine((headers) => Object.keys(headers).length <= L.headers, `must be at most ${String(L.headers)} headers`)
      .optional(),
    /** Written, never returned. Left out in a change: the one that is stored stays. */
    body: z.string().max(L.requestBodyCharacters).nullable().optional(),
    /** Inclusive ranges of good statuses. */
    statuses: z
      .array(z.tuple([z.int().min(100).max(599), z.int().min(100).max(599)]))
      .min(1)
      .max(L.statusRanges)
      .default([[200, 299]]),
    expect: expectedText.nullable().default(null),
    follow_redirects: z.boolean().default(true),
    /** Any certificate is good, also one that has ended. */
    ignore_certificate: z.boolean().default(false),
  }),
  z.strictObject({ kind: z.literal('tcp'), ...everyProbe, host, port, expect: text.nullable().default(null) }),
  z.strictObject({
    kind: z.literal('dns'),
    ...everyProbe,
    host,
    record_type: z.enum(DNS_RECORD_TYPES).default('A'),
    expect: z.array(text).max(L.records).default([]),
  }),
  z.strictObject({ kind: z.literal('tls'), ...everyProbe, host, port: port.default(443) }),
]);

const places = z.strictObject({
  /** The API of this installation. */
  api: z.boolean().default(true),
  /** Collectors whose owner opted in. */
  server_ids: z.array(serverId).max(50).default([]),
  /** Every server with this tag. */
  tag: z
    .strictObject({ key: z.string().min(1).max(63), value: z.string().max(256).nullable() })
    .nullable()
    .default(null),
});
const schedule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('interval'), seconds: z.int().min(60).max(31_536_000) }),
  /** Five fields of crontab(5) in a time zone. */
  z.strictObject({ kind: z.literal('cron'), expression: z.string().trim().max(100), zone: z.string().max(64) }),
]);

/** POST /api/checks, PUT /api/checks/{id}. Either `probe` or `heartbeat`. */
export const checkRequest = z
  .strictObject({
    name: typedName(L.nameCharacters),
    is_enabled: z.boolean().default(true),
    probe: probeRequest.nullable().default(null),
    places: places.default({ api: true, server_ids: [], tag: null }),
    /** Only an admin: the chosen servers may hold the headers and the body. */
    shares_secrets: z.boolean().default(false),
    /** Places that must fail. Null: a majority. */
    needed: z.int().min(1).max(50).nullable().default(null),
    /** Failures in a row before a place votes "down", beyond the first. */
    retries: z.int().min(0).max(L.retries.max).default(L.retries.default),
    interval_seconds: z.int().min(L.intervalSeconds.min).max(L.intervalSeconds.max).default(L.intervalSeconds.default),
    heartbeat: z
      .strictObject({ schedule, grace_seconds: z.int().min(0).max(604_800).default(300) })
      .nullable()
      .default(null),
    /** The server that a failure belongs to: one incident, its cause. Left out: the one of that name, if there is one. */
    server_id: serverId.nullable().optional(),
  })
  .superRefine(({ probe, heartbeat }, context) => {
    if ((probe === null) === (heartbeat === null))
      context.addIssue({ code: 'custom', path: ['probe'], message: 'must be given, unless heartbeat is' });
  });

/** POST /api/checks/preview: runs once from the API and stores nothing. */
export const checkPreviewRequest = z.strictObject({ probe: probeRequest });
export const checkPreviewAnswer = z.object({ result: probeResult });

export const CHECK_STATUSES = ['up', 'down', 'unknown', 'paused'] as const;
const time = z.iso.datetime();

const vote = z.object({
  /** Null: the API. */
  server_id: z.uuid().nullable(),
  name: z.string(),
  region: z.string().nullable(),
  /** `none`: the place does not vote, and `reason` says why. */
  vote: z.enum(['up', 'down', 'none']),
  reason: z.string().nullable(),
  /** Time of its last result; null: it sent none. */
  voted_at: time.nullable(),
  /** Last response time; null: unknown. */
  total_ms: z.number().nullable(),
  /** Results of the last stretches of `bar_seconds`, oldest first; null: none. */
  bars: z.array(z.enum(['up', 'down']).nullable()),
});

export const checkView = z.object({
  check_id: z.uuid(),
  name: z.string(),
  kind: z.enum(CHECK_KINDS),
  /** "GET https://shop.example.net/health". */
  target: z.string(),
  is_enabled: z.boolean(),
  status: z.enum(CHECK_STATUSES),
  /** Since when it has the status. */
  since: time.nullable(),
  /** One of `PROBE_REASONS` of a failing check, with the status of HTTP. */
  reason: z.string().nullable(),
  http_status: z.int().nullable(),
  checked_at: time.nullable(),
  /** Median of the places' last response times. */
  total_ms: z.number().nullable(),
  /** Whole days until the certificate chain ends; null: none was seen. */
  certificate_days: z.number().nullable(),
  interval_seconds: z.int(),
  places: z.int(),
  /** Places that must fail. */
  needed: z.int(),
  server_id: z.uuid().nullable(),
  /** Heartbeats: when the next call is due, without the grace. */
  due_at: time.nullable(),
});
const bar = z.enum(['up', 'down', 'unknown']);
export const checkListItem = checkView.extend({
  /** The last 90 minutes, oldest first; null: no result in that minute. */
  bars: z.array(bar.nullable()),
});
/** GET /api/checks: the worst first. */
export const checksAnswer = z.object({
  checks: z.array(checkListItem),
  total: z.int(),
  summary: z.object({ up: z.int(), down: z.int(), unknown: z.int(), paused: z.int() }),
});

const outage = z.object({
  outage_id: z.uuid(),
  kind: z.enum(['down', 'unknown']),
  began_at: time,
  /** Null: it goes on. */
  ended_at: time.nullable(),
  reason: z.string().nullable(),
  http_status: z.int().nullable(),
  phase: z.string().nullable(),
  failed: z.int(),
  voted: z.int(),
});
const availability = z.object({
  days: z.int(),
  /** Null: nothing is known. */
  percent: z.number().nullable(),
  down_seconds: z.number(),
  unknown_seconds: z.number(),
  /** Planned, and counted as neither good nor down. */
  maintenance_seconds: z.number(),
});
const day = z.object({
  /** UTC. */
  date: z.iso.date(),
  down_seconds: z.number(),
  unknown_seconds: z.number(),
  maintenance_seconds: z.number(),
  outages: z.int(),
  /** False: the check did not exist yet. */
  is_known: z.boolean(),
});
export const checkDetail = checkView.extend({
  /** As it was written, without headers and body; null: a heartbeat. */
  probe: z.unknown(),
  header_names: z.array(z.string()),
  has_body: z.boolean(),
  heartbeat: z.object({ schedule, grace_seconds: z.int() }).nullable(),
  runs_on: z.object({
    api: z.boolean(),
    server_ids: z.array(z.uuid()),
    tag: z.object({ key: z.string(), value: z.string().nullable() }).nullable(),
  }),
  shares_secrets: z.boolean(),
  /** Workloads behind the Service or the Ingress that the target names, as the described objects of one cluster say. */
  workloads: z.array(z.object({ cluster_id: z.string(), namespace: z.string(), kind: z.string(), name: z.string() })),
  /** As written; null: a majority. */
  needed_setting: z.int().nullable(),
  retries: z.int(),
  votes: z.array(vote),
  /** Length of a bar of a vote: a minute, or the interval if that is longer, at most 15 minutes. */
  bar_seconds: z.int(),
  /** The lowest line of the rule check_slow; null: no rule compares the response time. */
  slow_line_ms: z.number().nullable(),
  certificate: certificatePart.extend({ seen_at: time }).nullable(),
  last_call: z
    .object({
      at: time,
      kind: z.enum(['ok', 'start', 'fail']),
      exit_code: z.int().nullable(),
      /** The redacted body of the call. */
      output: z.string().nullable(),
      duration_seconds: z.number().nullable(),
    })
    .nullable(),
  availability: z.array(availability),
  /** 90 days, oldest first. */
  days: z.array(day),
  /** Newest first, of the last 90 days. */
  outages: z.array(outage),
  created_by: creator,
  created_at: time,
  updated_at: time,
});
export const checkAnswer = z.object({ check: checkDetail });
/** The key is shown this once. */
export const checkCreatedAnswer = z.object({ check: checkDetail, heartbeat_key: z.string().nullable() });

const point = z.object({
  time,
  /** Results in the bucket; 0 is a gap. */
  results: z.int(),
  good: z.int(),
  dns_ms: z.number().nullable(),
  connect_ms: z.number().nullable(),
  tls_ms: z.number().nullable(),
  wait_ms: z.number().nullable(),
  transfer_ms: z.number().nullable(),
  total_ms: z.number().nullable(),
  /** The highest p95 of the buckets that the point is made of. */
  p95_ms: z.number().nullable(),
  max_ms: z.number().nullable(),
});
/** GET /api/checks/{id}/series. */
export const checkSeriesAnswer = z.object({
  step_seconds: z.int(),
  /** Source of the points: results up to 6 hours, 5-minute buckets up to 7 days, then hourly ones. */
  source: z.enum(['results', '5m', '1h']),
  points: z.array(point),
});
export const checkHours = wholeNumber(1, L.seriesHours).default(24);

export const heartbeatAnswer = z.object({ accepted: z.boolean() });

export type ProbeRequest = z.output<typeof probeRequest>;
export type CheckRequest = z.output<typeof checkRequest>;
export type CheckRequestInput = z.input<typeof checkRequest>;
export type CheckView = z.infer<typeof checkView>;
export type CheckListItem = z.infer<typeof checkListItem>;
export type ChecksAnswer = z.infer<typeof checksAnswer>;
export type CheckDetail = z.infer<typeof checkDetail>;
export type CheckAnswer = z.infer<typeof checkAnswer>;
export type CheckCreatedAnswer = z.infer<typeof checkCreatedAnswer>;
export type CheckPreviewAnswer = z.infer<typeof checkPreviewAnswer>;
export type CheckSeriesAnswer = z.infer<typeof checkSeriesAnswer>;
export type CheckVote = z.infer<typeof vote>;
export type CheckOutageOnWire = z.infer<typeof outage>;
