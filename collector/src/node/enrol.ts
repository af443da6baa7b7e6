import type { NodeEnrolRequest } from '@plimsoll/contract/wire/cluster-node';
import type { EnrolAnswer } from '@plimsoll/contract/wire/install';
import { REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { backoffSeconds } from '../send/backoff.ts';
import type { Credentials } from '../send/credentials.ts';
import type { Api, Reply } from '../send/http.ts';

export interface NodeEnrolOptions {
  api: Api;
  clusterToken: string;
  request: NodeEnrolRequest;
  /** Credentials of an earlier start of this pod; used while the server cannot be reached. */
  known: Credentials | null;
  clock: Pick<Clock, 'sleep' | 'up'>;
  random: () => number;
  log: Log;
}
const PATH = '/api/agent/v1/nodes/enrol';
/**
 * On a fresh install the agents start before the dashboard is ready: a minute must be enough to see every node, so the
 * waits stay short at first. A thousand nodes then ask a hundred times a second, which the API answers many times over.
 */
const FRESH = { forSeconds: 120, mostSeconds: 10 } as const;

/**
 * Exchanges the cluster's token for one of this node's own. Asked at every start, so that a token the server forgot mends
 * itself. Tries until it works or the signal aborts (null): a pod that gave up would be restarted to try again anyway, and
 * a refused token is mended in the Secret, not here.
 */
export async function enrolNode(
  options: NodeEnrolOptions,
  signal: AbortSignal,
): Promise<{ credentials: Credentials; intervalSeconds: number } | null> {
  const { api, clusterToken, request, known, clock, random, log } = options;
  let problem: string | null = null;
  const startedAt = clock.up();
  for (let failures = 0; !signal.aborted; failures += 1) {
    const reply = await api.post(PATH, request, clusterToken);
    const answer = (reply.kind === 'answer' ? reply.body : null) as (Partial<EnrolAnswer> & ErrorBody) | null;
    const { server_id, agent_token, interval } = answer ?? {};
    if (typeof server_id === 'string' && typeof agent_token === 'string' && typeof interval === 'number') {
      log('info', 'enrolled', { server_id });
      return { credentials: { server_id, agent_token }, intervalSeconds: interval };
    }
    const code = reply.kind === 'failed' ? reply.code : (answer?.code ?? `status_${reply.status}`);
    if (code !== problem) log('warn', 'not enrolled yet, trying again', { code, detail: answer?.detail ?? null });
    problem = code;
    if (known && isAway(reply)) return { credentials: known, intervalSeconds: REPORT_INTERVAL_SECONDS };
    const asked = reply.kind === 'answer' ? reply.retryAfterSeconds : null;
    const most = clock.up() - startedAt < FRESH.forSeconds ? FRESH.mostSeconds : Infinity;
    // A demand of 0 must not become a tight loop.
    await clock.sleep(Math.max(asked ?? 0, Math.min(most, backoffSeconds(failures, random))), signal);
  }
  return null;
}
const isAway = (reply: Reply): boolean => reply.kind === 'failed' || reply.status >= 500 || reply.status === 429;

interface ErrorBody {
  code?: string;
  detail?: string;
}
