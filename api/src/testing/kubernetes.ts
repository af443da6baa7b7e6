import { randomBytes } from 'node:crypto';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import type { ContainerEnd, NodeObject, PodObject } from '@plimsoll/contract/wire/cluster-objects';
import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import { ownerOf, type Owner } from '../tenancy/owner.ts';
import type { ClusterAgent } from '../kubernetes/types.ts';
import type { Storage } from '../storage.ts';
import { newAccount } from './batches.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/**
 * Objects as the cluster collector sends them; each test changes what it is about. NOW is of today: what is older than
 * its retention is read from rollups. On the half hour: where the widest buckets of a test begin.
 */
export const NOW = Math.floor(Date.now() / 1_800_000) * 1_800_000;
export const SECONDS = NOW / 1000;

export const nodeObject = (name: string, parts: Partial<NodeObject> = {}): NodeObject => ({
  uid: `uid-${name}`,
  name,
  created_at: SECONDS - 86_400,
  ready: true,
  conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: null, since: SECONDS - 86_000 }],
  unschedulable: false,
  roles: ['worker'],
  taints: [],
  labels: {},
  capacity: { cpu_cores: 4, memory_bytes: 2 ** 33, ephemeral_bytes: 2 ** 36, pods: 110 },
  allocatable: { cpu_cores: 4, memory_bytes: 2 ** 33, ephemeral_bytes: 2 ** 36, pods: 110 },
  internal_ip: '10.0.0.1',
  os_type: 'linux',
  architecture: 'amd64',
  os_image: 'Debian GNU/Linux 12',
  kernel: '6.1.0',
  kubelet_version: 'v1.34.4',
  container_runtime: 'containerd://1.7.0',
  boot_id: 'boot',
  ...parts,
});

const NOTHING = { cpu_cores: null, memory_bytes: null };
export const container = (parts: Partial<PodObject['containers'][number]> = {}): PodObject['containers'][number] => ({
  name: 'app',
  image: 'registry.example/app:1',
  init: false,
  status: 'running',
  reason: null,
  ready: true,
  restart_count: 0,
  started_at: SECONDS - 3600,
  exit: null,
  last_termination: null,
  requests: NOTHING,
  limits: NOTHING,
  ...parts,
});

export const podObject = (name: string, parts: Partial<PodObject> = {}): PodObject => ({
  uid: `uid-${name}`,
  namespace: 'shop',
  name,
  node_name: 'node-1',
  phase: 'Running',
  reason: null,
  created_at: SECONDS - 3600,
  deleting: false,
  ready: true,
  pod_ip: '10.244.0.9',
  host_ip: '10.0.0.1',
  qos_class: 'Burstable',
  restart_count: 0,
  requests: NOTHING,
  limits: NOTHING,
  owner: { kind: 'Deployment', name: 'web' },
  labels: { app: 'web' },
  containers: [container()],
  claims: [],
  ...parts,
});

/** A pod whose only container was started again `count` times. */
export const restartedPod = (name: string, count: number, parts: Partial<PodObject> = {}): PodObject =>
  podObject(name, {
    restart_count: count,
    containers: [
      container({
        restart_count: count,
        last_termination: { reason: 'OOMKilled', exit_code: 137, finished_at: SECONDS - 60 },
        limits: { cpu_cores: null, memory_bytes: 2 ** 26 },
      }),
    ],
    ...parts,
  });

export const endOf = (pod: PodObject, run: number, parts: Partial<ContainerEnd> = {}): ContainerEnd => ({
  pod_uid: pod.uid,
  namespace: pod.namespace,
  pod_name: pod.name,
  node_name: pod.node_name,
  owner: pod.owner,
  container: 'app',
  run,
  restarted: true,
  at: SECONDS - 60,
  reason: 'OOMKilled',
  exit_code: 137,
  memory_limit_bytes: 2 ** 26,
  ...parts,
});

let seq = 0;
export const item = (parts: Partial<ClusterItem>): ClusterItem => ({
  seq: (seq += 1),
  kind: 'cluster',
  ts: SECONDS,
  ...parts,
});

/** A complete listing. */
export const listing = (parts: Partial<ClusterItem>): ClusterItem =>
  item({
    ...parts,
    listing: {
      id: randomBytes(16).toString('hex'),
      complete: true,
      covers: ['nodes', 'pods', 'workloads', 'volumes'],
    },
  });

export const nodePart = (pods: PodObject[], parts: Partial<NodePart> = {}): NodePart => ({
  node_name: 'node-1',
  mode: 'proc',
  kubelet: { name: 'kubelet stats/summary', state: 'ok', detail: null, since: SECONDS, needs: 'get nodes/stats' },
  kubelet_tls_verified: true,
  node: null,
  pods: pods.map(({ uid, namespace, name }, index) => ({
    uid,
    namespace,
    name,
    cpu_cores: (index + 1) / 8,
    memory_working_set_bytes: (index + 1) * 2 ** 20,
    receive_bytes_per_second: null,
    transmit_bytes_per_second: null,
    ephemeral_bytes: null,
  })),
  volumes: [],
  ...parts,
});

export const envelope = (clusterUid: string, term = 1) => ({
  v: 1,
  cluster: { uid: clusterUid, name: 'test', version: 'v1.34.4' },
  collector: { id: 'collector-0', version: '0.1.0', term },
  sent_at: SECONDS,
});

export interface TestCluster {
  agent: ClusterAgent;
  tokenHash: Buffer;
  clusterId: string;
  clusterKey: number;
  write(...items: ClusterItem[]): Promise<void>;
}
/** A cluster of the account, opened by a token of its own. */
export async function testCluster(
  storage: Storage,
  organisationId: OrganisationId,
  clusterId: string,
  now = NOW,
  tokenHash: Buffer = randomBytes(32),
): Promise<TestCluster> {
  const { tokens, reports } = storage.kubernetes;
  await tokens.create(
    { owner: ownerOf(organisationId), tokenHash, name: null, lastFour: 'abcd', expiresUnusedAt: null, createdBy: null },
    now,
  );
  const found = await tokens.find(tokenHash, now);
  if (!found) throw new Error('the token just made is unknown');
  const opened = await reports.open(found, envelope(clusterId), now);
  if (opened.state !== 'open') throw new Error(opened.state);
  return {
    agent: { ...found, clusterKey: opened.clusterKey },
    tokenHash,
    clusterId,
    clusterKey: opened.clusterKey,
    write: async (...items) => {
      for (const one of items) await reports.write(opened.clusterKey, one, now);
    },
  };
}

/** A cluster of a new account, which has no other. */
export async function clusterOfItsOwn(storage: Storage): Promise<{ owner: Owner; cluster: TestCluster }> {
  const organisationId = await newAccount(storage);
  const cluster = await testCluster(storage, organisationId, `cluster-${randomBytes(4).toString('hex')}`);
  return { owner: ownerOf(organisationId), cluster };
}
