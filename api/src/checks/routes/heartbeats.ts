import { agentConfigAnswer } from '@plimsoll/contract/wire/check-probes';
import { heartbeatAnswer } from '@plimsoll/contract/wire/checks/checks';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { defineRoute, type Http, type Route } from '../../http/define-route.ts';
import { readBeginning } from '../../http/read-body.ts';
import { agentConfig } from '../agent-config.ts';
import { findHeartbeat, type HeartbeatCall, receiveHeartbeat } from '../receive-heartbeat.ts';

const tag = 'Checks';
/** Stored bytes of a job's output. A longer one is cut: a refused call would look like a job that did not run. */
const BODY_BYTES = 10_240;
/** 256 bits in base64url. Any other text has no key, and the same answer. */
const KEY = /^[A-Za-z0-9_-]{43}$/;
const params = { key: z.string().max(200) };
const ended = { ...params, ending: z.string().max(20) };

/** Returns what the last part of the path says; null: nothing that a job says. */
function callOf(ending: string | null): Pick<HeartbeatCall, 'kind' | 'exitCode'> | null {
  if (ending === null) return { kind: 'ok', exitCode: null };
  if (ending === 'start' || ending === 'fail') return { kind: ending, exitCode: null };
  if (!/^\d{1,3}$/.test(ending) || Number(ending) > 255) return null;
  return { kind: Number(ending) === 0 ? 'ok' : 'fail', exitCode: Number(ending) };
}

async function outputOf(request: Request): Promise<string> {
  const { bytes, isCut } = await readBeginning(request, BODY_BYTES);
  // With `stream` a character that was cut in half is left out.
  const text = new TextDecoder().decode(bytes, { stream: isCut });
  return isCut ? `${text}\n(The output is longer: its first ${String(BODY_BYTES)} bytes are stored.)` : text;
}

async function receive(deps: Deps, http: Http, key: string, ending: string | null): Promise<{ accepted: boolean }> {
  const { rates, clock } = deps;
  const now = clock.now();
  rates.heartbeatNetwork.requireFrom(http.get('clientAddress'), now);
  const call = callOf(ending);
  const check = KEY.test(key) ? await findHeartbeat(deps, key) : null;
  if (check === null || call === null) throw notFound('Heartbeat');
  // A link that a browser or a chat looks at in advance is no call.
  if (http.req.raw.method === 'HEAD' || !check.isEnabled) return { accepted: false };
  rates.heartbeat.require(check.id, now);
  const output = http.req.raw.method === 'POST' ? await outputOf(http.req.raw) : '';
  await receiveHeartbeat(deps, check, { ...call, output });
  return { accepted: true };
}

const audit = { audit: null, notAudited: 'A job reports about itself.' } as const;
const summaries = {
  plain: 'Reports that a job ended well; the key is the right to call',
  ended: 'Reports the start of a job, its failure, or its exit status: start, fail or 0–255',
};

export const heartbeatRoutes = (deps: Deps): Route[] => [
  ...(['POST', 'GET'] as const).flatMap((method) => [
    defineRoute(
      {
        method,
        path: '/api/heartbeats/:key',
        actor: 'anyone',
        summary: summaries.plain,
        ...audit,
        unlimited: true,
        tag,
        params,
        answer: heartbeatAnswer,
      },
      ({ params: { key }, http }) => receive(deps, http, key, null),
    ),
    defineRoute(
      {
        method,
        path: '/api/heartbeats/:key/:ending',
        actor: 'anyone',
        summary: summaries.ended,
        ...audit,
        unlimited: true,
        tag,
        params: ended,
        answer: heartbeatAnswer,
      },
      ({ params: { key, ending }, http }) => receive(deps, http, key, ending),
    ),
  ]),
  defineRoute(
    {
      method: 'GET',
      path: '/api/agent/v1/config',
      actor: 'agent',
      summary: 'Returns the checks that the collector runs, if the owner of its host opted in',
      tag: 'Agent',
      answer: agentConfigAnswer,
    },
    ({ actor: { agent } }) => agentConfig(deps, agent),
  ),
];
