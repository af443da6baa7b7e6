import { beforeEach, describe, expect, it } from 'vitest';
import type { WorkloadObject } from '@plimsoll/contract/wire/cluster-objects';
import type { ClusterAnswer } from '@plimsoll/contract/wire/cluster-report';
import type {
  ClusterOverviewAnswer,
  KubernetesNode,
  NodesAnswer,
  PodAnswer,
  NodeHistoryAnswer,
  PodHistoryAnswer,
  PodsAnswer,
  PermissionsAnswer,
} from '@plimsoll/contract/wire/kubernetes';
import { reportsBody, testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';

describe('Kubernetes calls', () => {
  const db = testStorage();
  let app: TestApp;
  let user: TestUser;
  let cluster: ReportingCluster;

  beforeEach(async () => {
    app = testApp(db.storage());
    app.clock.ms = kube.NOW;
    user = await app.newUser();
    cluster = await reportingCluster(app, user);
  });

  const get = async <T>(path: string): Promise<T> => {
    const answer = await app.call('GET', path, { token: user.token });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json.data as T;
  };
  const status = async (path: string): Promise<[number, string | undefined, string | undefined]> => {
    const { status: code, json } = await app.call('GET', path, { token: user.token });
    return [code, json.code, json.field];
  };
  describe('with two nodes and pods', () => {
    beforeEach(async () => {
      const limits = { cpu_cores: 1, memory_bytes: 100 * 2 ** 20 };
      await cluster.report([
        kube.listing({
          nodes: [cluster.node('node-1'), cluster.node('node-2')],
          pods: [
            cluster.pod('web', { limits, claims: ['data'] }),
            cluster.pod('job', { phase: 'Failed', reason: 'Error', owner: { kind: 'CronJob', name: 'nightly' } }),
            cluster.pod('lone', {
              owner: null,
              node_name: null,
              phase: 'Pending',
              created_at: kube.SECONDS - 40 * 86_400,
            }),
          ],
          ends: [kube.endOf(cluster.pod('web'), 0)],
          readers: [
            { name: 'pods', state: 'ok', detail: null, since: kube.SECONDS, needs: 'list,watch pods' },
            { name: 'metrics.k8s.io', state: 'absent', detail: 'not served', since: kube.SECONDS, needs: null },
          ],
        }),
      ]);
    });

    const enrol = async (name: string): Promise<{ serverId: string; token: string }> => {
      const body = { node_name: name, boot_id: 'b', hostname: name };
      const answer = await app.call('POST', '/api/agent/v1/nodes/enrol', { token: cluster.token, body });
      if (answer.status !== 200) throw new Error(answer.text);
      const { server_id, agent_token } = answer.json as unknown as { server_id: string; agent_token: string };
      return { serverId: server_id, token: agent_token };
    };
    const agentReport = async (parts: Parameters<typeof kube.nodePart>[1] = {}) => {
      const agent = await enrol('node-1');
      const item = { seq: 1, ts: kube.SECONDS - 10, up: 99_990, kind: 'host', window_seconds: 60 };
      const kubernetes = kube.nodePart([cluster.pod('web')], parts);
      const body = reportsBody(agent, kube.NOW, [{ ...item, kubernetes }]);
      const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
      expect(answer.json).toMatchObject({ rejected: [] });
    };

    it('overview counts them and names what is wrong', async () => {
      const overview = await get<ClusterOverviewAnswer>('/api/kubernetes/cluster/overview');
      expect(overview).toMatchObject({
        total_nodes: 2,
        ready_nodes: 2,
        total_pods: 3,
        running_pods: 1,
        pending_pods: 1,
        failed_pods: 1,
        aggregate_metrics: { avg_cpu_usage: null },
        aggregate_origin: { source: null, reason: 'metrics-server: not served' },
        causes: { failed_pods: [{ namespace: 'shop', pod_name: 'job', reason: 'Error' }] },
        summary: { zombies: 1, restarts_24h: 1, oom_kills_24h: 1 },
      });
      expect(overview.summary.top_restarts).toMatchObject([{ pod_name: 'web', restart_count: 1, phase: 'Running' }]);
    });

    it('overview names the pods that crash-loop; their phase is Running', async () => {
      const crashing = (name: string, phase: 'Running' | 'Failed') =>
        cluster.pod(name, { phase, reason: 'CrashLoopBackOff' });
      const pods = [crashing('web', 'Running'), crashing('gone', 'Failed'), cluster.pod('well')];
      await cluster.report([kube.listing({ nodes: [cluster.node('node-1')], pods })]);
      expect(await get<ClusterOverviewAnswer>('/api/kubernetes/cluster/overview')).toMatchObject({
        running_pods: 2,
        failed_pods: 1,
        crash_looping_pods: 1,
        causes: { crash_looping_pods: [{ namespace: 'shop', pod_name: 'web' }] },
      });
    });

    it('nodes are found by server id and by name, and say why a figure is missing', async () => {
      const { nodes, summary } = await get<NodesAnswer>('/api/kubernetes/nodes?sort=name');
      expect(nodes.map(({ node_name: name }) => name)).toEqual(['node-1', 'node-2']);
      expect(summary).toMatchObject({ total: 2, ready: 2, with_agent: 0 });
      const byId = await get<KubernetesNode>(`/api/kubernetes/nodes/${nodes[0]?.server_id}`);
      const byName = await get<KubernetesNode>('/api/kubernetes/nodes/node-1');
      expect(byId).toEqual(byName);
      expect(byId.metrics).toEqual({
        cpu_usage: null,
        memory_usage: null,
        disk_usage: null,
        uptime: null,
        pods_count: 2,
      });
      expect(byId.origins.cpu_usage.reason).toBe('metrics-server: not served');
    });

    it('a forbidden kubelet turns exactly its figures to unknown, with the verb that is missing', async () => {
      const detail = 'forbidden: needs nodes/stats get';
      const kubelet = {
        name: 'kubelet stats/summary',
        state: 'forbidden' as const,
        detail,
        since: kube.SECONDS,
        needs: 'get nodes/stats',
      };
      await agentReport({ kubelet, pods: [] });
      const { pods } = await get<PodsAnswer>('/api/kubernetes/pods?search=web');
      expect(pods[0]).toMatchObject({ cpu_usage_cores: null, memory_usage_mb: null, restarts_24h: 1 });
      expect(pods[0]?.usage_origin.reason).toContain(detail);
      const { permissions, failing } = await get<PermissionsAnswer>('/api/kubernetes/permissions');
      expect(failing).toBe(2);
      expect(permissions.find(({ who }) => who === 'node-1')).toMatchObject({
        state: 'forbidden',
        needs: 'get nodes/stats',
      });
    });

    it('a namespace that refuses the node agents is a failing source, until they run', async () => {
      const message = 'pods "x" is forbidden: violates PodSecurity "baseline:latest": hostPath volumes';
      const agents = (ready: number): WorkloadObject => ({
        uid: 'set',
        kind: 'DaemonSet',
        namespace: 'plimsoll-system',
        name: 'plimsoll-node-agent',
        created_at: kube.SECONDS,
        desired: 2,
        ready,
        suspended: false,
        last_run_at: null,
      });
      const event = {
        uid: 'event',
        type: 'Warning',
        reason: 'FailedCreate',
        message,
        namespace: 'plimsoll-system',
        kind: 'DaemonSet',
        name: 'plimsoll-node-agent',
        object_uid: 'set',
        component: null,
        count: 3,
        first_at: kube.SECONDS,
        last_at: kube.SECONDS,
      };
      const answer = await cluster.report([kube.item({ workloads: [agents(0)], events: [event] })]);
      expect(answer.json).toMatchObject({ rejected: [] });
      const missing = async () => {
        const { permissions } = await get<PermissionsAnswer>('/api/kubernetes/permissions');
        return permissions.filter(({ reader }) => reader === 'node agents');
      };
      expect(await missing()).toMatchObject([{ state: 'forbidden', detail: `0 of 2 node agents run: ${message}` }]);
      const { problems } = await get<ClusterOverviewAnswer>('/api/kubernetes/cluster/overview');
      expect(problems[0]?.command).toBe(
        'kubectl label namespace plimsoll-system pod-security.kubernetes.io/enforce=privileged --overwrite',
      );
      await cluster.report([kube.item({ seq: 2, workloads: [agents(2)] })]);
      expect(await missing()).toEqual([]);
    });

    it('a node agent brings usage, shares and history; sent twice it counts once', async () => {
      await agentReport();
      const { pods } = await get<PodsAnswer>('/api/kubernetes/pods?search=web');
      expect(pods[0]).toMatchObject({
        cpu_usage_cores: 0.125,
        memory_usage_mb: 1,
        usage_origin: { source: 'kubelet', reason: null },
        cpu_share: { percent: 12.5, of: 'limit' },
        memory_share: { percent: 1, of: 'limit' },
      });
      const history = await get<PodHistoryAnswer>('/api/kubernetes/pods/shop/web/metrics/history?hours=1');
      expect(history.metrics.filter(({ count }) => count > 0)).toMatchObject([{ cpu_usage_cores: 0.125, count: 1 }]);
      expect(history.restarts).toMatchObject([{ oom_killed: true, memory_limit_mb: 64, restart_count: 1 }]);
      const servers = await app.call('GET', '/api/servers/list', { token: user.token });
      expect(servers.text).toContain('"is_kubernetes_node":true');
    });

    it('before the agent came, a node has the history that Prometheus told', async () => {
      await agentReport();
      const from = kube.SECONDS - 3600;
      const buckets = <T>(value: T) => Array.from({ length: 12 }, () => value);
      const history = {
        from,
        to: kube.SECONDS,
        complete: true,
        nodes: [
          {
            node_name: 'node-1',
            cpu_cores: buckets(1),
            memory_bytes: buckets(2 ** 32),
            pods: [],
            pod_cpu_cores: [],
            pod_memory_bytes: [],
          },
        ],
      };
      const answer = await cluster.report([kube.item({ history })]);
      expect(answer.json as unknown as ClusterAnswer).toMatchObject({
        rejected: [],
        history_wanted: { from: kube.SECONDS - 7 * 86_400 },
      });
      const { metrics } = await get<NodeHistoryAnswer>('/api/kubernetes/nodes/node-1/metrics/history?hours=2');
      const told = metrics.filter(({ source }) => source === 'prometheus');
      expect(told.length).toBeGreaterThanOrEqual(55);
      expect(told[0]).toMatchObject({ timestamp: from, cpu_usage: 25, memory_usage: 50, disk_usage: null });
    });

    it('a window of history whose numbers do not fit its buckets is refused', async () => {
      const node = {
        node_name: 'node-1',
        cpu_cores: [1],
        memory_bytes: [1],
        pods: [],
        pod_cpu_cores: [],
        pod_memory_bytes: [],
      };
      const history = { from: kube.SECONDS - 600, to: kube.SECONDS, complete: true, nodes: [node] };
      const answer = await cluster.report([kube.item({ history })]);
      expect(answer.status).toBe(207);
    });

    it('recent nodes with a token id are those that enrolled with it', async () => {
      const listed = await app.call('GET', '/api/user/cluster-tokens', { token: user.token });
      const [entry] = (listed.json.data as unknown as { tokens: { id: string; cluster_id: string }[] }).tokens;
      expect(entry?.cluster_id).toBe(cluster.id);
      expect(await get(`/api/kubernetes/nodes/recent?token_id=${entry?.id}`)).toMatchObject({ total: 0 });
      await enrol('node-2');
      const recent = await get<NodesAnswer>(`/api/kubernetes/nodes/recent?token_id=${entry?.id}`);
      expect(recent.nodes.map(({ node_name: name }) => name)).toEqual(['node-2']);
      expect(await get('/api/kubernetes/nodes/recent')).toMatchObject({ total: 2 });
    });

    it('the drawer of a pod shows restarts and volumes', async () => {
      const drawer = await get<PodAnswer>('/api/kubernetes/pods/shop/web');
      expect(drawer.restarts).toMatchObject([{ container: 'app', reason: 'OOMKilled' }]);
      expect(drawer.volumes).toMatchObject([{ claim: 'data', used_mb: null, reason: expect.any(String) }]);
    });

    it.each([
      ['/api/kubernetes/pods?phase=Sleeping', 400, 'invalid_parameter', 'phase'],
      ['/api/kubernetes/pods?sort=password', 400, 'invalid_parameter', 'sort'],
      ['/api/kubernetes/pods?limit=1001', 400, 'invalid_parameter', 'limit'],
      ['/api/kubernetes/pods?limit=1&limit=2', 400, 'invalid_parameter', 'limit'],
      ['/api/kubernetes/nodes?order=up', 400, 'invalid_parameter', 'order'],
      ['/api/kubernetes/nodes/node-1/metrics/history?hours=0', 400, 'invalid_parameter', 'hours'],
      ['/api/kubernetes/events?hours=9999', 400, 'invalid_parameter', 'hours'],
      ['/api/kubernetes/nodes/nobody', 404, 'not_found', undefined],
      ['/api/kubernetes/pods/shop/nobody', 404, 'not_found', undefined],
      ['/api/kubernetes/pods?cluster_id=nobody', 404, 'not_found', undefined],
    ])('%s is %i %s', async (path, code, name, field) => {
      expect(await status(path)).toEqual([code, name, field]);
    });

    it('a name two clusters share must be told apart', async () => {
      const first = cluster.id;
      const second = await reportingCluster(app, user);
      await second.report([kube.listing({ nodes: [second.node('node-1')] })]);
      expect(await status('/api/kubernetes/nodes/node-1')).toEqual([409, 'node_ambiguous', 'node']);
      const found = await get<KubernetesNode>(`/api/kubernetes/nodes/node-1?cluster_id=${first}`);
      expect(found.cluster_id).toBe(first);
      expect(await get('/api/kubernetes/clusters')).toMatchObject({ total: 2 });
    });
  });

  it('a plan in force limits how far back its histories and events go', async () => {
    app = testApp(db.storage(), { settings: { PLIMSOLL_PLAN_LIMITS: 'free' } });
    app.clock.ms = kube.NOW;
    await cluster.report([kube.listing({ nodes: [cluster.node('node-1')], pods: [cluster.pod('web')] })]);
    const histories = ['nodes/node-1/metrics/history', 'pods/shop/web/metrics/history'];
    const longAgo = `start_date=${String(kube.SECONDS - 8 * 86_400)}&end_date=${String(kube.SECONDS - 7.5 * 86_400)}`;
    const tooLong = [...histories, 'events'].map((call) => `${call}?hours=169`);
    for (const call of [...tooLong, ...histories.map((call) => `${call}?${longAgo}`)])
      expect([call, await status(`/api/kubernetes/${call}`)]).toEqual([call, [422, 'plan_limit', 'history']]);
    for (const call of [...histories, 'events'])
      expect([call, await status(`/api/kubernetes/${call}?hours=160`)]).toEqual([call, [200, undefined, undefined]]);
  });
});
