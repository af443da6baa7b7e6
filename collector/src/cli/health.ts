import { OFFLINE_AFTER_INTERVALS } from '@plimsoll/contract/rules/limits';
import { SHARED_REMEDY, sharedText } from '../send/shared-machine-id.ts';
import type { Status } from '../send/status.ts';

/** One thing that was looked at. */
export interface Finding {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  text: string;
  /** The remedy; empty when nothing is to be done. */
  remedy: string;
}

export const ok = (name: string, text: string): Finding => ({ name, state: 'ok', text, remedy: '' });
export const warn = (name: string, text: string, remedy: string): Finding => ({ name, state: 'warn', text, remedy });
export const fail = (name: string, text: string, remedy: string): Finding => ({ name, state: 'fail', text, remedy });

const START = 'Start it: systemctl start plimsoll, or plimsoll run. Its log: journalctl -u plimsoll';

/** Judges if a collector runs and if the API accepted its reports. `now` in epoch seconds. */
export function judgeRunning(status: Status | null, now: number, isAlive: (pid: number) => boolean): Finding[] {
  if (!status) return [fail('service', 'no collector has run with this state directory', START)];
  const late = OFFLINE_AFTER_INTERVALS * status.interval_seconds;
  const age = status.collected_at === null ? null : Math.round(now - status.collected_at);
  if (!isAlive(status.pid)) return [fail('service', `the collector (pid ${status.pid}) does not run any more`, START)];
  if (age !== null && age > late)
    return [
      fail('service', `the collector hangs: nothing collected for ${age} s`, 'Restart it: systemctl restart plimsoll'),
    ];
  return [
    ok('service', `version ${status.version} runs as pid ${status.pid}`),
    judgeDelivery(status, now, late),
    ...judgeClock(status.clock_skew_seconds ?? 0),
    ...judgeMachine(status.shares_machine_id_with ?? []),
  ];
}

const judgeMachine = (names: readonly string[]): Finding[] =>
  names.length === 0 ? [] : [warn('machine', sharedText(names), SHARED_REMEDY)];

/** The dashboard dates samples by its own clock, so a wrong one here is no fault, but logs do not match any more. */
const WRONG_CLOCK_SECONDS = 30;

function judgeClock(skewSeconds: number): Finding[] {
  if (Math.abs(skewSeconds) < WRONG_CLOCK_SECONDS) return [];
  const side = skewSeconds > 0 ? 'behind' : 'ahead of';
  return [
    warn('clock', `${Math.round(Math.abs(skewSeconds))} s ${side} the server's clock`, 'timedatectl set-ntp true'),
  ];
}

function judgeDelivery(status: Status, now: number, late: number): Finding {
  const { accepted_at: accepted, last_error: error, pending } = status;
  const waiting = `${pending} ${pending === 1 ? 'report waits' : 'reports wait'}`;
  const refused = status.refused ?? null;
  if (refused !== null)
    return fail('delivery', `reports refused since ${timeText(refused.since)}: ${refused.reason}; ${waiting}`, REFUSED);
  const unknownSince = status.token_refused_since ?? null;
  if (unknownSince !== null)
    return fail(
      'delivery',
      `${TOKEN_REFUSED} since ${timeText(unknownSince)}: another machine may have enrolled as this one; ${waiting}`,
      remedyOf(error ?? 'token'),
    );
  if (error !== null) return fail('delivery', `reports are not accepted (${error}); ${waiting}`, remedyOf(error));
  if (accepted === null || now - accepted > late)
    return warn('delivery', `nothing accepted yet; ${waiting}`, 'Wait a minute and look again');
  return ok('delivery', `accepted ${Math.round(now - accepted)} s ago; ${waiting}`);
}

/** Returned for a revoked token, and for one that the database of the server has lost. */
export const TOKEN_REFUSED = 'the server does not know the token of this host';
const REFUSED = 'Update the collector (plimsoll update) or the server, whichever is older; refused reports are dropped';
const timeText = (epochSeconds: number): string => new Date(epochSeconds * 1000).toISOString().slice(0, 19) + 'Z';

/** Returns the remedy for an error code of the protocol or the network. */
export function remedyOf(code: string): string {
  if (
    /^(?:ENOTFOUND|EAI_AGAIN|ConnectionRefused|ECONNREFUSED|FailedToOpenSocket|EHOSTUNREACH|ENETUNREACH)$/.test(code)
  ) {
    return 'See that the address in "url" is right and reachable from here: name service, firewall, proxy';
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) {
    return 'The certificate is not trusted here: set ca_file to the PEM file of your authority';
  }
  if (/token|http_401|http_403/.test(code))
    return 'Enrol again: plimsoll enrol --token TOKEN (Setup page of the dashboard)';
  if (code === 'redirected') return 'The address redirects, and the token never follows: set "url" to where it leads';
  if (code === 'timeout')
    return 'The server does not answer in 10 s: look at its load, or at a firewall that drops packets';
  return 'Reports are kept for 24 h and sent when the server takes them again; look at the server';
}

/** Failed sources, and those that could say more. */
export function judgeSources(sources: Status['sources']): Finding[] {
  return Object.entries(sources).flatMap(([name, { ok: works, error }]): Finding[] => {
    if (!works)
      return [
        fail(`source ${name}`, error ?? 'failed', `Leave it out with disabled_sources = ${name}, or mend the reason`),
      ];
    return error === null ? [] : [warn(`source ${name}`, error, '')];
  });
}

const MARK = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

export function printFindings(findings: readonly Finding[], out: (text: string) => void): void {
  for (const { name, state, text, remedy } of findings) {
    out(`${MARK[state]}  ${name}: ${text}\n${remedy === '' ? '' : `      → ${remedy}\n`}`);
  }
}
