import type { ApiServer } from './api-server.ts';

/** Namespace of everything the benchmark writes. */
export const NAMESPACE = 'bench';
const PODS_PER_WORKLOAD = 20;
const PARALLEL = 24;

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
const nodeName = (index: number): string => `node-${String(index).padStart(5, '0')}`;
const podName = (index: number): string =>
  `web-${Math.floor(index / PODS_PER_WORKLOAD)}-7d9f8c6b5-${String(index).padStart(5, '0')}`;

/** A node with the labels, conditions, images and annotations real ones carry: size is what is measured. */
const node = (index: number) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: nodeName(index),
    labels: {
      'kubernetes.io/hostname': nodeName(index),
      'kubernetes.io/os': 'linux',
      'topology.kubernetes.io/zone': `zone-${index % 3}`,
    },
    annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
  },
  status: {
    capacity: { cpu: '8', memory: '32Gi', pods: '110', 'ephemeral-storage': '100Gi' },
    allocatable: { cpu: '7900m', memory: '30Gi', pods: '110', 'ephemeral-storage': '90Gi' },
    conditions: ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
      type,
      status: type === 'Ready' ? 'True' : 'False',
      reason: 'KubeletIsWell',
      message: 'kubelet is posting ready status',
      lastHeartbeatTime: now(),
      lastTransitionTime: now(),
    })),
    addresses: [{ type: 'InternalIP', address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` }],
    images: Array.from({ length: 30 }, (_, image) => ({
      names: [
        `registry.example/team/app-${image}@sha256:${'ab'.repeat(32)}`,
        `registry.example/team/app-${image}:1.${image}`,
      ],
      sizeBytes: 10_000_000 + image,
    })),
  },
});

const pod = (index: number, nodes: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: podName(index),
    namespace: NAMESPACE,
    labels: { app: `web-${Math.floor(index / PODS_PER_WORKLOAD)}`, 'pod-template-hash': '7d9f8c6b5', team: 'shop' },
    annotations: { 'checksum/config': 'f'.repeat(64) },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: `web-${Math.floor(index / PODS_PER_WORKLOAD)}-7d9f8c6b5`,
        uid: `uid-${Math.floor(index / PODS_PER_WORKLOAD)}`,
        controller: true,
      },
    ],
  },
  spec: {
    nodeName: nodeName(index % nodes),
    containers: [
      {
        name: 'app',
        image: 'registry.example/team/web:1.2.3',
        env: Array.from({ length: 15 }, (_, variable) => ({
          name: `SETTING_${variable}`,
          value: 'some value of a setting',
        })),
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
      },
      {
        name: 'proxy',
        image: 'registry.example/team/proxy:4.5.6',
        resources: { requests: { cpu: '10m', memory: '32Mi' } },
      },
    ],
  },
});

/** Returns a status as the kubelet writes it; `restarts` makes each write a change. */
const podStatus = (index: number, restarts = 0) => ({
  status: {
    phase: 'Running',
    podIP: `10.244.${(index >> 8) & 255}.${index & 255}`,
    hostIP: '10.0.0.1',
    qosClass: 'Burstable',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now() }],
    containerStatuses: ['app', 'proxy'].map((name) => ({
      name,
      image: `registry.example/team/${name}`,
      imageID: `sha256:${'cd'.repeat(32)}`,
      containerID: `containerd://${'ef'.repeat(32)}`,
      ready: true,
      restartCount: name === 'app' ? restarts : 0,
      state: { running: { startedAt: now() } },
      ...(restarts > 0 && name === 'app'
        ? { lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: now() } } }
        : {}),
    })),
  },
});

export const patchStatus = (api: ApiServer, index: number, restarts = 0): Promise<string> =>
  api.send(
    'PATCH',
    `/api/v1/namespaces/${NAMESPACE}/pods/${podName(index)}/status`,
    podStatus(index, restarts),
    'application/merge-patch+json',
  );

/** Writes the objects straight into the API server. */
export async function writeObjects(api: ApiServer, nodes: number, pods: number): Promise<void> {
  await api.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await inParallel(nodes, (index) => api.send('POST', '/api/v1/nodes', node(index)));
  await inParallel(pods, async (index) => {
    await api.send('POST', `/api/v1/namespaces/${NAMESPACE}/pods`, pod(index, nodes));
    await patchStatus(api, index);
  });
}
