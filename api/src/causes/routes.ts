import { causeAnswer, evidenceAnswer } from '@plimsoll/contract/wire/causes';
import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { createReadCall } from '../http/call-route.ts';
import { defineRoute, type Http, type Route, type SignedIn } from '../http/define-route.ts';
import { CauseComputer } from './compute-cause.ts';
import { causeOfAlert, causeOfIncident, evidenceOfIncident, type CauseReader } from './read-cause.ts';

const tag = 'Alerts';
const incidentParams = { id: z.uuid('must be the id of an incident (a UUID)').toLowerCase() };
const alertParams = { id: z.uuid('must be an alert id (a UUID)').toLowerCase() };

/** `routes`: every call that the analyser may read. */
export function causeRoutes(given: Deps, routes: readonly Route[]): Route[] {
  const deps = { ...given, computer: new CauseComputer() };
  const readerOf = ({ actor, http }: { actor: SignedIn; http: Http }): CauseReader => ({
    owner: actor.owner,
    context: {
      read: createReadCall(routes, actor, http),
      now: given.clock.now() / 1000,
      serverId: null,
      rangeMinutes: AI_LIMITS.defaultRangeMinutes,
    },
  });
  return [
    defineRoute(
      {
        method: 'GET',
        path: '/api/incidents/:id/cause',
        actor: 'user',
        summary: 'The likely cause of an incident, with its evidence and what was ruled out',
        tag,
        params: incidentParams,
        answer: causeAnswer,
      },
      (call) => causeOfIncident(deps, readerOf(call), call.params.id),
    ),
    defineRoute(
      {
        method: 'GET',
        path: '/api/alerts/:id/cause',
        actor: 'user',
        summary: 'The likely cause of the incident of an alert',
        tag,
        params: alertParams,
        answer: causeAnswer,
      },
      (call) => causeOfAlert(deps, readerOf(call), call.params.id),
    ),
    defineRoute(
      {
        method: 'GET',
        path: '/api/incidents/:id/evidence',
        actor: 'user',
        role: 'admin',
        summary: 'All that the cause of an incident is computed from, as JSON',
        tag,
        params: incidentParams,
        answer: evidenceAnswer,
      },
      async (call) => {
        const { evidence, answer } = await evidenceOfIncident(deps, readerOf(call), call.params.id);
        return { incident_id: call.params.id, evidence: { ...evidence }, answer };
      },
    ),
  ];
}
