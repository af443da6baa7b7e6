import { nodeEnrolRequest } from '@plimsoll/contract/wire/cluster-node';
import { agentAnswer, clusterAnswer, logMessage, standbyMessage } from '@plimsoll/contract/wire/cluster-report';
import { enrolAnswer } from '@plimsoll/contract/wire/install';
import { POD_LOG_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { redactText } from '@plimsoll/contract/redaction/text';
import { hashToken, newToken } from '../../accounts/tokens.ts';
import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { requireJson, wireBody } from '../../http/read-body.ts';
import { acceptCluster } from '../accept-cluster-report.ts';
import { sanitizeText } from '../../reports/sanitize.ts';

const tag = 'Agent';
/** The cluster's collector reports its nodes within seconds of its start. */
const NODE_RETRY_SECONDS = 10;

/** The protocol of the Kubernetes side; answers are bare. */
export const clusterAgentRoutes = (deps: Deps): Route[] => [
  enrolNode(deps),
  acceptReport(deps),
  acceptLogs(deps),
  acceptStandby(deps),
];

const enrolNode = ({ storage, clock, changes, config }: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/nodes/enrol',
      actor: 'cluster',
      unlimited: true,
      summary: 'Exchanges the cluster token for a token of this node agent',
      tag,
      body: nodeEnrolRequest,
      answer: enrolAnswer,
      bare: true,
    },
    async ({ actor, body }) => {
      const token = newToken('agent');
      const hostname = sanitizeText(redactText(body.hostname), 253);
      const node = { name: body.node_name, hostname, tokenHash: hashToken(token) };
      const enrolled = await storage.kubernetes.reports.enrolNode(actor.cluster, node, clock.now());
      if (enrolled === null)
        throw new CodedError('node_not_known_yet', 'node_name: no node of this name has been reported yet', {
          field: 'node_name',
          remedy: 'Try again in some seconds. If the error persists, check the log of the cluster collector.',
          retryAfterSeconds: NODE_RETRY_SECONDS,
        });
      changes.publish(actor.cluster.accountId, { topic: 'servers', serverId: enrolled.serverId });
      return { server_id: enrolled.serverId, agent_token: token, interval: config.reportIntervalSeconds };
    },
  );

const acceptReport = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/cluster/reports',
      actor: 'cluster',
      summary: 'Accepts a report of a cluster collector; responds 207 if it rejects single items permanently',
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
        { agent: actor.cluster, body: wireBody(http.req.raw), encoding: http.req.header('content-encoding') ?? null },
      );
      if (answer.rejected.length > 0) http.status(207);
      return answer;
    },
  );

const acceptLogs = ({ storage, clock, changes }: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/cluster/logs',
      actor: 'cluster',
      summary: 'Accepts the log tail that a response to a report requested',
      tag,
      body: logMessage,
      answer: agentAnswer,
      bare: true,
    },
    async ({ actor, body }) => {
      const now = clock.now();
      const clean = (text: string, most: number) => sanitizeText(redactText(text), most);
      const answer = {
        lines: body.lines.map((line) => clean(line, POD_LOG_LIMITS.lineLength)),
        failure: body.failure === null ? null : clean(body.failure, 1000),
      };
      if (!(await storage.kubernetes.logs.answer(actor.cluster, body.id, answer, now))) throw notFound('Log request');
      changes.publish(actor.cluster.accountId, { topic: 'kubernetes', serverId: null });
      return { server_time: now / 1000 };
    },
  );

const acceptStandby = ({ storage, clock, changes }: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/cluster/standby',
      actor: 'cluster',
      summary:
        'Accepts why no replica of a cluster collector can lead; the screens show it while the cluster is silent',
      tag,
      body: standbyMessage,
      answer: agentAnswer,
      bare: true,
    },
    async ({ actor, body }) => {
      const now = clock.now();
      const detail = body.lease.detail === null ? null : sanitizeText(redactText(body.lease.detail), 1000);
      if (!(await storage.kubernetes.reports.standBy(actor.cluster, { ...body.lease, detail }, now)))
        throw notFound('Cluster');
      changes.publish(actor.cluster.accountId, { topic: 'kubernetes', serverId: null });
      return { server_time: now / 1000 };
    },
  );
