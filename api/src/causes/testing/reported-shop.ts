import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import type { PodObject, WorkloadObject } from '@plimsoll/contract/wire/cluster-objects';
import { DESCRIBED_KINDS } from '@plimsoll/contract/rules/described-kinds';
import type { DescribedObject } from '@plimsoll/contract/wire/described-object';
import { reportsBody, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';
import { atRest } from './reported-host.ts';

/** A cluster that reports to the app, and its node "node-1". */
export interface ReportedShop {
  cluster: ReportingCluster;
  /** Epoch seconds. */
  now: () => number;
  workload: (name: string, ready?: number, more?: Partial<WorkloadObject>) => WorkloadObject;
  object: (kind: DescribedObject['kind'], name: string, fields: Record<string, string>) => DescribedObject;
  /** Reports for some minutes. What is left out is as before. */
  hold: (minutes: number, parts?: Partial<ClusterItem>, node?: NodeState) => Promise<void>;
}
interface NodeState {
  pods: PodObject[];
  part?: Partial<NodePart>;
  /** Cores of each pod. */
  cores?: readonly number[];
  host?: Record<string, unknown>;
}

const UP = 100_000;

/** Opens a cluster of two nodes. "node-1" has a collector from the first `hold` that is given its state. */
export async function reportedShop(app: TestApp, user: TestUser): Promise<ReportedShop> {
  const cluster = await reportingCluster(app, user);
  const now = (): number => app.clock.now() / 1000;
  let state: Partial<ClusterItem> = { nodes: [cluster.node('node-1'), cluster.node('node-2')] };
  let agent: { serverId: string; token: string } | null = null;
  let seq = 0;
  const list = async (): Promise<void> => {
    const item = kube.listing({ ...state, ts: now() });
    const listing = { ...item.listing, covers_objects: [...DESCRIBED_KINDS] };
    const answer = await cluster.report([{ ...item, listing }], { sent_at: now() });
    const { rejected } = answer.json as unknown as { rejected: unknown[] };
    if (answer.status !== 200 || rejected.length > 0) throw new Error(answer.text);
  };
  const enrol = async () => {
    const body = { node_name: 'node-1', boot_id: 'boot-1', hostname: 'node-1' };
    const answer = await app.call('POST', '/api/agent/v1/nodes/enrol', { token: cluster.token, body });
    const { server_id: serverId, agent_token: token } = answer.json as unknown as Record<string, string>;
    return { serverId: serverId ?? '', token: token ?? '' };
  };
  const reportNode = async ({ pods, part, cores, host }: NodeState): Promise<void> => {
    agent ??= await enrol();
    seq += 1;
    const up = UP + seq * 60;
    const kubernetes = kube.nodePart(pods, part);
    if (cores !== undefined)
      kubernetes.pods = kubernetes.pods.map((pod, index) => ({ ...pod, cpu_cores: cores[index] ?? 0 }));
    const item = { seq, up, ...atRest('node-1'), ...host, kubernetes };
    const body = reportsBody(agent, app.clock.now(), [item], { up_now: up });
    const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    if (answer.status !== 200 || !answer.text.includes('"rejected":[]')) throw new Error(answer.text);
  };
  return {
    cluster,
    now,
    workload: (name, ready = 1, more = {}) => ({
      uid: `${name}-${cluster.id}`,
      kind: 'Deployment',
      namespace: 'shop',
      name,
      created_at: 0,
      desired: 1,
      ready,
      suspended: false,
      last_run_at: null,
      ...more,
    }),
    object: (kind, name, fields) => ({
      uid: `${kind}-${name}-${cluster.id}`,
      kind,
      namespace: 'shop',
      name,
      form: 1,
      digest_key: '0'.repeat(8),
      by: 'kubectl',
      edited_at: now(),
      fields,
      digests: {},
    }),
    hold: async (minutes, parts = {}, node) => {
      state = { ...state, ...parts };
      for (let minute = 0; minute < minutes; minute += 1) {
        app.clock.pass(60);
        await list();
        if (node !== undefined) await reportNode(node);
      }
    },
  };
}
