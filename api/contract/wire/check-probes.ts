import { z } from 'zod';
import {
  CHECK_LIMITS as L,
  CHECK_METHODS,
  DNS_RECORD_TYPES,
  IP_VERSIONS,
  PROBE_PHASES,
} from '../rules/check-limits.ts';
import { at, bounded, count, MOST } from './number-bounds.ts';

/** Probes that a place runs, and their results: between the API and its collectors, and inside of the API. */

const milliseconds = bounded(MOST.exact).nullable();
const host = z.string().min(1).max(253);
const port = z.int().min(1).max(MOST.port);
const expected = z.string().min(1).max(L.textCharacters);

/** A text of the answer's first mebibyte, or a value in its JSON by a path such as `status.db[0]`. */
export const expectedText = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: expected, isPresent: z.boolean() }),
  z.strictObject({
    kind: z.literal('json'),
    path: z.string().min(1).max(256),
    /** As text; null: any value but null. */
    value: z.string().max(L.textCharacters).nullable(),
    isPresent: z.boolean(),
  }),
]);

const everyProbe = { timeout_ms: z.int().min(L.timeoutMs.min).max(L.timeoutMs.max), ip_version: z.enum(IP_VERSIONS) };
export const httpProbe = z.strictObject({
  kind: z.literal('http'),
  ...everyProbe,
  url: z.string().min(1).max(L.urlCharacters),
  method: z.enum(CHECK_METHODS),
  headers: z.record(z.string().min(1).max(128), z.string().max(L.headerCharacters)),
  body: z.string().max(L.requestBodyCharacters).nullable(),
  /** Inclusive ranges of good statuses. */
  statuses: z
    .array(z.tuple([z.int().min(100).max(599), z.int().min(100).max(599)]))
    .min(1)
    .max(L.statusRanges),
  expect: expectedText.nullable(),
  follow_redirects: z.boolean(),
  ignore_certificate: z.boolean(),
});
export const tcpProbe = z.strictObject({
  kind: z.literal('tcp'),
  ...everyProbe,
  host,
  port,
  /** Part of the first line; null: connecting is enough. */
  expect: expected.nullable(),
});
export const dnsProbe = z.strictObject({
  kind: z.literal('dns'),
  ...everyProbe,
  host,
  record_type: z.enum(DNS_RECORD_TYPES),
  /** Each must be among the records. */
  expect: z.array(expected).max(L.records),
});
export const tlsProbe = z.strictObject({ kind: z.literal('tls'), ...everyProbe, host, port });
export const probe = z.discriminatedUnion('kind', [httpProbe, tcpProbe, dnsProbe, tlsProbe]);

export const certificatePart = z.object({
  subject: z.string(),
  issuer: z.string(),
  /** DNS names and addresses. */
  names: z.array(z.string()).max(L.certificateNames),
  starts_at: at,
  /** Epoch seconds; the first end within the chain that the server sent. */
  ends_at: at,
  /** Certificates from the server's to the root, or to the last one that is known. */
  chain: count.max(100),
  /** "RSA 2048". */
  key: z.string(),
  /** SHA-256 of the server's certificate in hex: another one is a renewal. */
  fingerprint: z.string().max(64),
});

/** Everything a probe measured. Times of several redirects are summed. Null: the probe did not get there. */
export const probeResult = z.object({
  ok: z.boolean(),
  /** One of `PROBE_REASONS`, or of a newer collector; null: good. */
  reason: z.string().max(40).nullable(),
  /** The phase in which it ended; null: good, or the whole answer was judged. */
  failed_phase: z.enum(PROBE_PHASES).nullable(),
  dns_ms: milliseconds,
  connect_ms: milliseconds,
  tls_ms: milliseconds,
  wait_ms: milliseconds,
  transfer_ms: milliseconds,
  total_ms: milliseconds,
  /** Status of HTTP. */
  status: z.int().min(0).max(999).nullable(),
  /** Bytes of the body; at most `CHECK_LIMITS.bodyBytes` are read. */
  size_bytes: count.nullable(),
  /** null: no text was expected, or the answer did not come. */
  text_found: z.boolean().nullable(),
  /** The first line of tcp or the records of dns, cut and redacted. Never a body. */
  answer: z.string().nullable(),
  certificate: certificatePart.nullable(),
});

/** A result in the report of a collector. */
export const checkResultPart = probeResult.extend({
  check_id: z.uuid(),
  /** The revision of the check when it ran: an older one says nothing about the check as it is now. */
  check_rev: count,
  /** Seconds from the start of the probe to the moment of the report. */
  age_seconds: bounded(MOST.uptimeSeconds),
});

/** GET /api/agent/v1/config: what a collector whose owner opted in runs. */
export const collectorCheck = z.strictObject({
  check_id: z.uuid(),
  check_rev: count,
  interval_seconds: z.int().min(L.intervalSeconds.min).max(L.intervalSeconds.max),
  probe,
});
export const agentConfigAnswer = z.object({
  config_rev: count,
  checks: z.array(collectorCheck).max(L.perCollector),
});

export type Probe = z.infer<typeof probe>;
export type HttpProbe = z.infer<typeof httpProbe>;
export type TcpProbe = z.infer<typeof tcpProbe>;
export type DnsProbe = z.infer<typeof dnsProbe>;
export type TlsProbe = z.infer<typeof tlsProbe>;
export type ExpectedText = z.infer<typeof expectedText>;
export type CertificatePart = z.infer<typeof certificatePart>;
export type ProbeResult = z.infer<typeof probeResult>;
export type CheckResultPart = z.infer<typeof checkResultPart>;
export type CollectorCheck = z.infer<typeof collectorCheck>;
export type AgentConfigAnswer = z.infer<typeof agentConfigAnswer>;
