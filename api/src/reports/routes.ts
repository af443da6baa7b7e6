import { changeOwnerAnswer, changeOwnerRequest, enrolAnswer, enrolRequest } from '@plimsoll/contract/wire/install';
import { byeRequest, reportAnswer } from '@plimsoll/contract/wire/report';
import { z } from 'zod';
import { hashToken } from '../accounts/tokens.ts';
import { enrol } from '../servers/enrol.ts';
import { signOffAgent } from '../servers/sign-off-agent.ts';
import { transferServer } from '../servers/transfer-server.ts';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { requireLiveToken } from '../http/authenticate.ts';
import { contentEncoding } from '../http/inflate.ts';
import { requireJson, wireBody } from '../http/read-body.ts';
import { acceptReport } from './accept-report.ts';
import { noteRefusal, refusalOfRequest } from './note-refusal.ts';

const tag = 'Agent';

/** Root on the host vouches for the server (the agent's token), the new owner's permanent token for the account. */
const changeOwnerRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/change-owner',
      actor: 'agent',
      summary: 'Transfers this server and its history to the account of the permanent token',
      audit: 'owner_changed',
      tag,
      body: changeOwnerRequest,
      answer: changeOwnerAnswer,
      bare: true,
    },
    async ({ actor: { agent }, body, http }) => {
      const owner = await transferServer(deps, { agent, address: http.get('clientAddress') }, body.api_token);
      return { server_id: agent.serverId, owner };
    },
  );

const enrolRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/enrol',
      actor: 'enrolment',
      summary: 'Exchanges an enrolment token for a server id and an agent token',
      audit: 'server_clone_enrolled',
      tag,
      body: enrolRequest,
      answer: enrolAnswer,
      bare: true,
    },
    async ({ body, http }) => {
      const { rates, clock } = deps;
      const now = clock.now();
      const key = hashToken(body.enrolment_token).toString('hex');
      // A machine with a good token does not wait for its neighbours behind the same address.
      if (rates.enrolToken.isProven(key)) rates.enrolToken.require(key, now);
      else rates.enrol.requireFrom(http.get('clientAddress'), now);
      const enrolled = await enrol(deps, body, http.get('clientAddress'));
      rates.enrolToken.prove(key, now);
      return enrolled;
    },
  );

const reportsRoute = (deps: Deps): Route => {
  const { storage, alertRules, clock, concurrencyLimit, memoryLimit, readThread, metrics, changes, log } = deps;
  const { sharedMachineIds, hiddenMounts, configRevs } = deps;
  const { reportIntervalSeconds } = deps.config;
  const { reports, refusals, alertStates } = storage;
  const accepting = {
    reports,
    refusals,
    alertStates,
    alertRules,
    clock,
    concurrencyLimit,
    memoryLimit,
    readThread,
    metrics,
    changes,
    sharedMachineIds,
    configRevs,
    hiddenMounts,
    reportIntervalSeconds,
    log,
  };
  return defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/reports',
      actor: 'reporter',
      summary: 'Accepts reports; responds 207 if it rejects single items permanently',
      audit: null,
      notAudited: 'A machine reports about itself.',
      tag,
      answer: reportAnswer,
      bare: true,
    },
    async ({ actor: { reporter }, http }) => {
      try {
        requireJson(http.req.header('content-type') ?? null);
        const encoding = contentEncoding(http.req.header('content-encoding'));
        const answer = await acceptReport(accepting, { agent: reporter, body: wireBody(http.req.raw), encoding });
        if (answer.rejected.length > 0) http.status(207);
        return answer;
      } catch (error) {
        // An overloaded server has no lookup to spare; the token is looked at when it comes again.
        if (error instanceof CodedError && error.code !== 'overloaded') {
          await requireLiveToken(reporter, deps);
          const refusal = refusalOfRequest(error);
          if (refusal !== null) await noteRefusal(accepting, reporter, refusal);
        }
        throw error;
      }
    },
  );
};

const byeRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/bye',
      actor: 'agent',
      summary: 'Signs the agent off: it stops, restarts or is removed',
      audit: null,
      notAudited: 'A machine reports about itself.',
      tag,
      body: byeRequest,
      answer: z.object({}),
      bare: true,
    },
    async ({ actor: { agent }, body }) => {
      await signOffAgent(deps, agent, body.reason);
      return {};
    },
  );

/** The protocol of the collectors: answers are bare, errors as everywhere. */
export const agentRoutes = (deps: Deps): Route[] => [
  enrolRoute(deps),
  reportsRoute(deps),
  changeOwnerRoute(deps),
  byeRoute(deps),
];
