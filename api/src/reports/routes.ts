import { changeOwnerAnswer, changeOwnerRequest, enrolAnswer, enrolRequest } from '@plimsoll/contract/wire/install';
import { byeRequest, reportAnswer } from '@plimsoll/contract/wire/report';
import { redactText } from '@plimsoll/contract/redaction/text';
import { z } from 'zod';
import { enrol } from '../servers/enrol.ts';
import { requireRole } from '../accounts/role.ts';
import { hashToken, tokenType } from '../accounts/tokens.ts';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { audit } from '../http/audit.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { requireLiveToken } from '../http/authenticate.ts';
import { requireJson, wireBody } from '../http/read-body.ts';
import { acceptReport } from './accept-report.ts';
import { sanitizeText } from './sanitize.ts';

const tag = 'Agent';

/** Root on the host vouches for the server (the agent's token), the new owner's permanent token for the account. */
const changeOwnerRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/change-owner',
      actor: 'agent',
      summary: 'Transfers this server and its history to the account of the permanent token',
      tag,
      body: changeOwnerRequest,
      answer: changeOwnerAnswer,
      bare: true,
    },
    async ({ actor: { agent }, body, http }) => {
      const { storage, clock, changes } = deps;
      const isApi = tokenType(body.api_token) === 'api';
      const known = isApi ? await storage.identity.apiTokens.find(hashToken(body.api_token), clock.now()) : null;
      const owner = known?.scopes.includes('transfer')
        ? await storage.accounts.get(known.membership.organisationId)
        : null;
      if (known === null || owner === null)
        throw new CodedError('api_token_unknown', 'The permanent token is unknown or may not take over servers', {
          field: 'api_token',
          remedy: 'Generate one on the Profile page of the new owner.',
        });
      requireRole(known.membership, 'editor');
      if (owner.id !== agent.accountId && !(await storage.servers.transfer(agent, owner.id)))
        throw new CodedError('owner_has_machine', 'That account has a server for this machine already', {
          remedy: 'Delete that server first.',
        });
      const detail = { id: agent.serverId, to: owner.email };
      for (const side of new Set([agent.accountId, owner.id])) {
        if (side === null) continue;
        await audit(deps, http, side, 'owner_changed', detail);
        changes.publish(side, { topic: 'servers', serverId: agent.serverId });
      }
      return { server_id: agent.serverId, owner: owner.email };
    },
  );

const enrolRoute = ({ storage, clock, config, changes }: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/enrol',
      actor: 'enrolment',
      summary: 'Exchanges an enrolment token for a server id and an agent token',
      tag,
      body: enrolRequest,
      answer: enrolAnswer,
      bare: true,
    },
    async ({ body }) => {
      const { agents, enrolmentTokens } = storage;
      const { reportIntervalSeconds, planLimits } = config;
      const hostname = sanitizeText(redactText(body.hostname), 253);
      const { accountId, ...answer } = await enrol(
        { agents, enrolmentTokens, clock, reportIntervalSeconds, planLimits },
        { ...body, hostname },
      );
      changes.publish(accountId, { topic: 'servers', serverId: answer.server_id });
      return answer;
    },
  );

const reportsRoute = (deps: Deps): Route => {
  const { storage, alertRules, clock, concurrencyLimit, memoryLimit, readThread, metrics, changes, log } = deps;
  const { reportIntervalSeconds } = deps.config;
  const { reports, alertStates } = storage;
  const accepting = {
    reports,
    alertStates,
    alertRules,
    clock,
    concurrencyLimit,
    memoryLimit,
    readThread,
    metrics,
    changes,
    reportIntervalSeconds,
    log,
  };
  return defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/reports',
      actor: 'reporter',
      summary: 'Accepts reports; responds 207 if it rejects single items permanently',
      tag,
      answer: reportAnswer,
      bare: true,
    },
    async ({ actor: { reporter }, http }) => {
      try {
        requireJson(http.req.header('content-type') ?? null);
        const encoding = http.req.header('content-encoding') ?? null;
        const answer = await acceptReport(accepting, { agent: reporter, body: wireBody(http.req.raw), encoding });
        if (answer.rejected.length > 0) http.status(207);
        return answer;
      } catch (error) {
        // An overloaded server has no lookup to spare; the token is looked at when it comes again.
        if (error instanceof CodedError && error.code !== 'overloaded') await requireLiveToken(reporter, deps);
        throw error;
      }
    },
  );
};

const byeRoute = ({ storage, clock, changes }: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/bye',
      actor: 'agent',
      summary: 'Signs the agent off: it stops, restarts or is removed',
      tag,
      body: byeRequest,
      answer: z.object({}),
      bare: true,
    },
    async ({ actor: { agent }, body }) => {
      await storage.agents.signOff(agent, body.reason, clock.now());
      changes.publish(agent.accountId, { topic: 'servers', serverId: agent.serverId });
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
