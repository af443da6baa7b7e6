import { nodeEnrolRequest } from '@plimsoll/contract/wire/cluster-node';
import { agentAnswer, clusterAnswer, logMessage, standbyMessage } from '@plimsoll/contract/wire/cluster-report';
import { enrolAnswer } from '@plimsoll/contract/wire/install';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { contentEncoding } from '../../http/inflate.ts';
import { requireJson, wireBody } from '../../http/read-body.ts';
import { acceptCluster } from '../accept-cluster-report.ts';
import { answerLogRequest } from '../acting/answer-log-request.ts';
import { enrolNode } from '../acting/enrol-node.ts';
import { standBy } from '../acting/stand-by.ts';

const tag = 'Agent';

/** The protocol of the Kubernetes side; answers are bare. */
export const clusterAgentRoutes = (deps: Deps): Route[] => [
  enrolNodeRoute(deps),
  acceptReport(deps),
  acceptLogs(deps),
  acceptStandby(deps),
];

const enrolNodeRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/nodes/enrol',
      actor: 'cluster',
      unlimited: true,
      summary: 'Exchanges the cluster token for a token of this node agent',
      audit: null,
      notAudited: 'A machine reports about itself.',
      tag,
      body: nodeEnrolRequest,
      answer: enrolAnswer,
      bare: true,
    },
    async ({ actor, body }) =>
      enrolNode(deps, actor.cluster, { name: body.node_name, hostname: body.hostname, bootId: body.boot_id }),
  );

const acceptReport = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/cluster/reports',
      actor: 'cluster',
      summary: 'Accepts a report of a cluster collector; responds 207 if it rejects single items permanently',
      audit: null,
      notAudited: 'A machine reports about itself.',
      tag,
      answer: clusterAnswer,
      bare: true,
    },
    async ({ actor, http }) => {
      requireJson(http.req.header('content-type') ?? null);
      const answer = await acceptCluster(
        {
          ...deps,
          reports: deps.storage.kubernetes.reports,
          logs: deps.storage.kubernetes.logs,
          clusterAlerts: deps.storage.clusterAlerts,
          reportIntervalSeconds: deps.config.reportIntervalSeconds,
        },
        {
          agent: actor.cluster,
          body: wireBody(http.req.raw),
          encoding: contentEncoding(http.req.header('content-encoding')),
        },
      );
      if (answer.rejected.length > 0) http.status(207);
      return answer;
    },
  );

const acceptLogs = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/cluster/logs',
      actor: 'cluster',
      summary: 'Accepts the log tail that a response to a report requested',
      audit: null,
      notAudited: 'A machine reports about itself.',
      tag,
      body: logMessage,
      answer: agentAnswer,
      bare: true,
    },
    async ({ actor, body }) => {
      await answerLogRequest(deps, actor.cluster, body);
      return { server_time: deps.clock.now() / 1000 };
    },
  );

const acceptStandby = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/cluster/standby',
      actor: 'cluster',
      summary:
        'Accepts why no replica of a cluster collector can lead; the screens show it while the cluster is silent',
      audit: null,
      notAudited: 'A machine reports about itself.',
      tag,
      body: standbyMessage,
      answer: agentAnswer,
      bare: true,
    },
    async ({ actor, body }) => {
      await standBy(deps, actor.cluster, body.lease);
      return { server_time: deps.clock.now() / 1000 };
    },
  );
