import type { CheckResultPart } from '@plimsoll/contract/wire/check-probes';
import { bodyOf, figures, gzipped } from '../ingest/report-body.ts';
import type { SeededCheck } from './seed.ts';

/** Share of results that are not good, in per mille. */
const FAILED_OF_1000 = 5;

/** A result as a collector sends it: what a check of this kind measures, and no certificate, which is sent hourly. */
function resultOf({ id, kind }: SeededCheck, figure: ReturnType<typeof figures>): CheckResultPart {
  const isHttp = kind === 'http';
  const isGood = figure(1000) >= FAILED_OF_1000;
  const [dns, connect, tls, wait, transfer] = [
    figure(9, 3),
    figure(30, 3),
    figure(40, 3),
    figure(150, 3),
    figure(9, 3),
  ];
  return {
    ok: isGood,
    reason: isGood ? null : isHttp ? 'status_unexpected' : 'connection_refused',
    failed_phase: isGood || isHttp ? null : 'connect',
    dns_ms: dns,
    connect_ms: connect,
    tls_ms: isHttp ? tls : null,
    wait_ms: isHttp ? wait : null,
    transfer_ms: isHttp ? transfer : null,
    total_ms: isHttp ? dns + connect + tls + wait + transfer : dns + connect,
    status: isHttp ? (isGood ? 200 : 503) : null,
    size_bytes: isHttp ? 5120 : null,
    text_found: null,
    answer: null,
    certificate: null,
    check_id: id,
    check_rev: 1,
    age_seconds: figure(59, 3),
  };
}

/** The report of a minute, with the results of these checks, gzipped. */
export function placeReport(serverId: string, seq: number, variant: number, checks: readonly SeededCheck[]): Buffer {
  const plain = bodyOf(serverId, seq, variant);
  if (checks.length === 0) return gzipped(plain);
  const body = JSON.parse(plain.toString()) as { reports: object[] };
  const figure = figures(variant);
  const check_results = checks.map((check) => resultOf(check, figure));
  return gzipped(Buffer.from(JSON.stringify({ ...body, reports: [{ ...body.reports[0], check_results }] })));
}
