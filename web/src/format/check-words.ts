import type { CheckDetail, CheckView } from '@plimsoll/contract/wire/checks/checks';
import { ageText } from '../time/age.ts';
import { plural } from './figures.ts';

/** Why a probe was not good, or a place does not vote, as a person reads it. */
const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    address_refused: 'may not reach this address',
    not_run: 'did not run',
    no_result: 'sent no result yet',
    not_counted: 'its first result is not counted yet',
    silent: 'sends no results',
    paused: 'paused',
    name_not_resolved: 'name does not resolve',
    connection_refused: 'connection refused',
    unreachable: 'not reachable',
    reset: 'connection closed without an answer',
    timeout: 'timeout',
    tls_failed: 'TLS failed',
    certificate_expired: 'certificate expired',
    certificate_not_yet_valid: 'certificate not valid yet',
    certificate_wrong_name: 'certificate of another name',
    certificate_chain_incomplete: 'certificate chain incomplete',
    certificate_untrusted: 'certificate not trusted',
    certificate_weak_key: 'weak key of the certificate',
    answer_invalid: 'no HTTP answer',
    answer_cut_off: 'answer stops in the middle',
    status_unexpected: 'unexpected status',
    text_missing: 'expected text missing',
    text_present: 'forbidden text found',
    value_differs: 'value differs',
    too_many_redirects: 'too many redirects',
    redirect_invalid: 'invalid redirect',
    records_missing: 'expected record missing',
    heartbeat_missed: 'no call in time',
    job_failed: 'the job reported a failure',
    failed: 'failed',
  }),
);
const PHASES: ReadonlyMap<string, string> = new Map([
  ['dns', 'DNS'],
  ['connect', 'Connect'],
  ['tls', 'TLS'],
  ['wait', 'Wait'],
  ['transfer', 'Transfer'],
]);

/** "HTTP 502", "timeout in Wait", "certificate expired". A reason of a newer API is shown as it is. */
export function reasonWords(reason: string | null, status: number | null = null, phase: string | null = null): string {
  if (reason === 'status_unexpected' && status !== null) return `HTTP ${String(status)}`;
  const words = REASONS.get(reason ?? '') ?? reason?.replaceAll('_', ' ') ?? 'failed';
  return reason === 'timeout' && phase !== null ? `${words} in ${PHASES.get(phase) ?? phase}` : words;
}

const STATUS: Readonly<Record<CheckView['status'], string>> = {
  up: 'Up',
  down: 'Down',
  unknown: 'Unknown',
  paused: 'Paused',
};
export const statusWord = (status: CheckView['status']): string => STATUS[status];

const KINDS: Readonly<Record<CheckView['kind'], string>> = {
  http: 'HTTP',
  tcp: 'TCP',
  dns: 'DNS',
  tls: 'TLS',
  heartbeat: 'Heartbeat',
};
export const kindWord = (kind: CheckView['kind']): string => KINDS[kind];

/** A certificate has a line at 21 days and a critical one at 7, as the default rule. */
export const certificateBand = (days: number | null): 'ok' | 'near' | 'over' =>
  days === null || days > 21 ? 'ok' : days > 7 ? 'near' : 'over';

/** "58 days left", "1 day left"; undefined: it is not known. A count below 0 is of days since the end. */
export function certificateLeft(days: number | null): string | undefined {
  if (days === null) return undefined;
  return days < 0 ? 'ended' : `${plural(days, 'day')} left`;
}

/** Places vote at most this often: a shorter unknown time is the start of the check. */
const UNKNOWN_SECONDS = 120;

/** Says what stands behind an availability; undefined while nothing is known. */
export function availabilityWords(found: CheckDetail['availability'][number] | undefined): string | undefined {
  if (found === undefined || found.percent === null) return undefined;
  const { down_seconds: down, unknown_seconds: unknown } = found;
  return [
    down > 0 ? `down ${ageText(down)}` : 'no outage',
    ...(unknown >= UNKNOWN_SECONDS ? [`unknown ${ageText(unknown)}, not counted`] : []),
  ].join(', ');
}
