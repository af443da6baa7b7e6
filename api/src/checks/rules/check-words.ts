import type { ProbeReason } from '@plimsoll/contract/rules/check-limits';

/** A reason as the message of an alert names it. */
const REASONS: Readonly<Record<ProbeReason | 'heartbeat_missed' | 'job_failed', string>> = {
  address_refused: 'this place may not reach the address',
  not_run: 'the check did not run',
  name_not_resolved: 'the name does not resolve',
  connection_refused: 'the connection is refused',
  unreachable: 'the address cannot be reached',
  reset: 'the connection is closed without an answer',
  timeout: 'no answer in time',
  tls_failed: 'TLS fails',
  certificate_expired: 'the certificate has ended',
  certificate_not_yet_valid: 'the certificate is not valid yet',
  certificate_wrong_name: 'the certificate is for another name',
  certificate_chain_incomplete: 'the chain of the certificate is incomplete',
  certificate_untrusted: 'the certificate is not trusted',
  certificate_weak_key: 'the key of the certificate is weak',
  answer_invalid: 'the answer is no HTTP',
  answer_cut_off: 'the answer stops in the middle',
  status_unexpected: 'the status is not an expected one',
  text_missing: 'the expected text is missing',
  text_present: 'the answer has the text that it must not have',
  value_differs: 'the value differs from the expected one',
  too_many_redirects: 'there are too many redirects',
  redirect_invalid: 'a redirect leads to no web address',
  records_missing: 'an expected record is missing',
  failed: 'the check failed',
  heartbeat_missed: 'no call came in time',
  job_failed: 'the job reported a failure',
};

export const reasonText = (reason: string | null, httpStatus: number | null, phase: string | null): string => {
  if (reason === 'status_unexpected' && httpStatus !== null) return `HTTP status ${String(httpStatus)}`;
  const text = (REASONS as Readonly<Record<string, string>>)[reason ?? ''] ?? 'the check failed';
  return reason === 'timeout' && phase !== null ? `${text}, in the phase ${phase}` : text;
};
