import { hashToken, newToken } from '../accounts/tokens.ts';
import { reportsBody, testApp, type TestApp, type TestUser } from './app.ts';
import { fullReport } from './full-report.ts';
import * as kube from './kubernetes.ts';
import type { Storage } from '../storage.ts';

/** A cluster of one node with its agent and one pod, with everything they can have, each figure its own. */
export const CLUSTER_ID = 'uid-of-kube-system';
const { SECONDS } = kube;
const MB = 2 ** 20;

const LIMITS = { cpu_cores: 0.5, memory_bytes: 256 * MB };
const REQUESTS = { cpu_cores: 0.25, memory_bytes: 128 * MB };
const POD = kube.restartedPod('web-1', 3, {
  limits: LIMITS,
  requests: REQUESTS,
  claims: ['data'],
  created_at: SECONDS - 7200,
});
const EVENT = {
  uid: 'e1',
  type: 'Warning',
  reason: 'BackOff',
  message: 'Back-off restarting failed container',
  namespace: 'shop',
  kind: 'Pod',
  name: 'web-1',
  object_uid: POD.uid,
  component: 'kubelet',
  count: 7,
  first_at: SECONDS - 600,
  last_at: SECONDS - 30,
};
const FAILED_JOB = {
  uid: 'j1',
  namespace: 'shop',
  name: 'backup-29345',
  owner: { kind: 'CronJob', name: 'backup' },
  conditions: [
    {
      type: 'Failed',
      status: 'True',
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
      since: SECONDS - 60,
    },
  ],
};
export const FIGURES = {
  cpu_cores: 1,
  memory_working_set_bytes: 2 ** 31,
  memory_available_bytes: 2 ** 31,
  filesystem_used_bytes: 25 * 2 ** 30,
  filesystem_capacity_bytes: 100 * 2 ** 30,
  filesystem_available_bytes: 75 * 2 ** 30,
  image_filesystem_used_bytes: null,
  image_filesystem_capacity_bytes: null,
  started_at: SECONDS - 86_400,
  stall: { cpu: { some_percent: 1.5, full_percent: null }, memory: null, io: null },
};
const VOLUME_USE = { namespace: 'shop', claim: 'data', inodes_used: null, inodes_total: null };

export interface FullCluster {
  app: TestApp;
  user: TestUser;
  /** Server of the node. */
  serverId: string;
  /** The data of a call below /api/kubernetes; anything but success fails. */
  get(path: string): Promise<unknown>;
}

/** Reports it as its collector does, then as the agent of its node does, ten seconds before NOW. */
export async function fullCluster(storage: Storage): Promise<FullCluster> {
  const app = testApp(storage);
  app.clock.ms = kube.NOW;
  const user = await app.newUser();
  const token = newToken('cluster');
  const cluster = await kube.testCluster(storage, user.organisationId, CLUSTER_ID, kube.NOW, hashToken(token));
  await cluster.write(
    kube.listing({
      nodes: [kube.nodeObject('node-1')],
      pods: [POD],
      ends: [kube.endOf(POD, 2)],
      events: [EVENT],
      jobs: [FAILED_JOB],
      workloads: [
        {
          uid: 'w',
          kind: 'Deployment',
          namespace: 'shop',
          name: 'web',
          created_at: SECONDS,
          desired: 3,
          ready: 1,
          suspended: false,
          last_run_at: null,
        },
      ],
      volumes: [
        {
          uid: 'v',
          namespace: 'shop',
          name: 'data',
          phase: 'Bound',
          storage_class: 'fast',
          capacity_bytes: 100 * MB,
          requested_bytes: 100 * MB,
        },
      ],
      readers: [{ name: 'pods', state: 'ok', detail: null, since: SECONDS - 60, needs: 'list,watch pods' }],
    }),
  );
  const enrolled = await app.call('POST', '/api/agent/v1/nodes/enrol', {
    token,
    body: { node_name: 'node-1', boot_id: 'b', hostname: 'node-1' },
  });
  const agent = enrolled.json as unknown as { server_id: string; agent_token: string };
  const serverId = agent.server_id;
  const [used] = kube.nodePart([POD]).pods;
  const kubernetes = kube.nodePart([], {
    node: FIGURES,
    pods: [{ ...used!, cpu_cores: 0.125, memory_working_set_bytes: 64 * MB }],
    volumes: [{ ...VOLUME_USE, used_bytes: 40 * MB, capacity_bytes: 90 * MB }],
  });
  const item = { ...fullReport('node-1', SECONDS - 10), ts: SECONDS - 10, up: 99_990, kubernetes };
  const body = reportsBody({ serverId, token: agent.agent_token }, kube.NOW, [item]);
  const sent = await app.call('POST', '/api/agent/v1/reports', { token: agent.agent_token, body });
  if (sent.status !== 200) throw new Error(sent.text);
  return {
    app,
    user,
    serverId,
    get: async (path) => {
      const answer = await app.call('GET', `/api/kubernetes/${path}`, user);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
      return answer.json.data;
    },
  };
}
