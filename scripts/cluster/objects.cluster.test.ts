import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dashboard } from './testing/dashboard.ts';
import { install, remove } from './testing/install.ts';
import { kubectl, until } from './testing/release.ts';

const NAMESPACE = 'objects';
const WORKER = 'plimsoll-worker';
const IMAGE = process.env.PLIMSOLL_TEST_IMAGE ?? '';
const SLEEPS = ['/bin/sh', '-c', 'sleep 100000'];
let dashboard: Dashboard;

const container = (parts: object = {}) => ({
  name: 'main',
  image: IMAGE,
  imagePullPolicy: 'IfNotPresent',
  command: SLEEPS,
  ...parts,
});
const pod = (name: string, main: object, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: NAMESPACE },
  spec: { terminationGracePeriodSeconds: 1, containers: [main], ...spec },
});
/** Runs on the node of the control plane, too, and not on a node that is closed. */
const moving = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'moves', namespace: NAMESPACE },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'moves' } },
    template: {
      metadata: { labels: { app: 'moves' } },
      spec: {
        terminationGracePeriodSeconds: 1,
        tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }],
        containers: [container()],
      },
    },
  },
};
const missing = { name: 'A', valueFrom: { configMapKeyRef: { name: 'does-not-exist', key: 'a' } } };

beforeAll(async () => {
  // The worker is drained; the dashboard and its volume stay on the other node.
  const place = '--set=api.nodeSelector.node-role\\.kubernetes\\.io/control-plane=,api.tolerations[0].operator=Exists';
  ({ dashboard } = await install([place]));
  kubectl(['create', 'namespace', NAMESPACE]);
  const items = [
    pod('gated', container(), { schedulingGates: [{ name: 'example.com/wait' }] }),
    pod('bad-name', container({ image: 'registry.example/UPPER/case:1' })),
    pod('never-pulled', container({ image: 'registry.example/none:1', imagePullPolicy: 'Never' })),
    pod('no-config', container({ env: [missing] })),
    pod('grows', container({ resources: { requests: { cpu: '50m' } } })),
    moving,
  ];
  kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
});
afterAll(() => {
  kubectl(['uncordon', WORKER]);
  kubectl(['delete', 'namespace', NAMESPACE]);
  remove();
});

interface PodEntry {
  pod_name: string;
  phase: string;
  reason: string | null;
  node_name: string | null;
  owner_name: string | null;
  resize: { state: string; message: string | null } | null;
  containers: { requests: { cpu_cores: number | null }; running: { requests: { cpu_cores: number | null } } | null }[];
}
const pods = async (): Promise<PodEntry[]> =>
  (await dashboard.get<{ pods: PodEntry[] }>(`/api/kubernetes/pods?namespace=${NAMESPACE}&limit=100`)).pods;

test.each([
  ['gated', 'SchedulingGated'],
  ['bad-name', 'InvalidImageName'],
  ['never-pulled', 'ErrImageNeverPull'],
  ['no-config', 'CreateContainerConfigError'],
])('pod %s is called %s, as the cluster calls it', async (name, reason) => {
  const seen = await until(`${name} is ${reason}`, 120, async () => {
    const found = (await pods()).find(({ pod_name }) => pod_name === name);
    return found?.reason === reason ? found : null;
  });
  expect(seen.phase).toBe('Pending');
});

test('a resize that the kubelet refuses says why, and what the pod runs with', async () => {
  kubectl(['-n', NAMESPACE, 'wait', 'pod/grows', '--for=condition=Ready', '--timeout=60s']);
  const patch = { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '500' } } }] } };
  kubectl(['-n', NAMESPACE, 'patch', 'pod', 'grows', '--subresource=resize', '--patch', JSON.stringify(patch)]);
  const seen = await until('the refusal is on the dashboard', 120, async () => {
    const found = (await pods()).find(({ pod_name }) => pod_name === 'grows');
    return found?.resize?.state === 'infeasible' ? found : null;
  });
  expect(seen.resize?.message).toMatch(/capacity|cpu/i);
  expect(seen.containers).toMatchObject([{ requests: { cpu_cores: 500 }, running: { requests: { cpu_cores: 0.05 } } }]);
});

test('a drained node is closed, not broken, and its pods are on the other one', async () => {
  kubectl(['-n', NAMESPACE, 'rollout', 'status', 'deployment/moves', '--timeout=60s']);
  // Drains these pods only: the collectors' budget keeps their last replica, which no other node takes.
  kubectl(['drain', WORKER, '--pod-selector=app=moves', '--timeout=120s']);
  interface NodeEntry {
    node_name: string;
    ready: boolean | null;
    unschedulable: boolean;
  }
  const worker = await until('the drained node is closed on the dashboard', 120, async () => {
    const { nodes } = await dashboard.get<{ nodes: NodeEntry[] }>('/api/kubernetes/nodes');
    const found = nodes.find(({ node_name }) => node_name === WORKER);
    const moved = (await pods()).filter(({ owner_name, phase }) => owner_name === 'moves' && phase === 'Running');
    const isMoved = moved.length === 2 && moved.every(({ node_name }) => node_name !== WORKER);
    return found?.unschedulable === true && isMoved ? found : null;
  });
  expect(worker.ready).toBe(true);
});
