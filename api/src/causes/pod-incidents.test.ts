import { ago, incident, minutes, noise, pod, type IncidentCluster, type IncidentPod } from './testing/incident.ts';
import { CPU, type ChangedServer, type Known, MB, namesTheCauses, NOW, until } from './testing/known-incidents.ts';
import { soundServer } from './testing/sound-server.ts';

const NODE: IncidentCluster['nodes'][number] = {
  name: 'node-1',
  hostname: 'node-1',
  ready: true,
  cpu_cores: 8,
  conditions: [{ type: 'Ready', status: 'True', since: ago(NOW, 9000), reason: 'KubeletReady', message: 'ready' }],
};
function inCluster(
  title: string,
  [kind, words]: readonly [string, RegExp],
  own: Partial<IncidentPod>,
  more: Partial<IncidentCluster> & { server?: ChangedServer } = {},
): Known {
  const asked = pod('shop', 'api-7c9d8f6b5-x2x4z', {
    node: 'node-1',
    owner: 'Deployment/api',
    image: 'shop/api:1.4',
    created_at: ago(NOW, 4000),
    memory_limit_bytes: 512 * MB,
    ready: false,
    ...own,
  });
  const { server, ...cluster } = more;
  return [
    title,
    kind,
    words,
    incident({
      title,
      cause: title,
      mentions: [words],
      ask: { about: 'pod', text: `Why is ${asked.name} not well?` },
      now: NOW,
      servers: [soundServer(NOW, 'node-1', server)],
      alerts: [],
      kubernetes: {
        nodes: [NODE],
        events: [],
        workload_changes: [],
        ...cluster,
        pods: [asked, ...(cluster.pods ?? [])],
      },
    }),
  ];
}
const told = (minutesAgo: number, reason: string, message: string, object = 'Pod shop/api-7c9d8f6b5-x2x4z') => ({
  at: ago(NOW, minutesAgo),
  type: 'Warning',
  reason,
  object,
  message,
});
const end = (minutesAgo: number, exit: number, reason = 'Error', message: string | null = null) => ({
  at: ago(NOW, minutesAgo),
  reason,
  exit_code: exit,
  message,
});

const KNOWN: readonly Known[] = [
  inCluster(
    'a bad liveness probe',
    ['probe_failure', /liveness probe.*\/healthz/],
    {
      restarts: [end(5, 137), end(12, 137), end(20, 137)],
      reason: 'CrashLoopBackOff',
    },
    {
      events: [
        told(5, 'Killing', 'Container api failed liveness probe, will be restarted'),
        told(6, 'Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 404 for /healthz'),
      ],
    },
  ),
  inCluster(
    'a missing secret',
    ['container_config_error', /secret "api-keys" not found/],
    {
      phase: 'Pending',
      reason: 'CreateContainerConfigError',
    },
    { events: [told(3, 'Failed', 'Error: secret "api-keys" not found')] },
  ),
  inCluster(
    'no room',
    ['unschedulable', /enough memory/],
    { phase: 'Pending', reason: 'Unschedulable', node: null },
    {
      events: [told(3, 'FailedScheduling', '0/4 nodes are available: 4 Insufficient memory.')],
    },
  ),
  inCluster('a full volume', ['volume_full', /api-data/], {
    reason: 'CrashLoopBackOff',
    restarts: [end(4, 1, 'Error', 'write /data/wal: no space left on device'), end(9, 1), end(15, 1)],
    volumes: [{ claim: 'api-data', phase: 'Bound', used_percent: 100 }],
  }),
  inCluster(
    'a volume that cannot be mounted',
    ['volume_mount_failure', /Multi-Attach/],
    { phase: 'Pending', reason: 'ContainerCreating' },
    {
      events: [told(4, 'FailedAttachVolume', 'Multi-Attach error for volume "pvc-1": already used by another node')],
    },
  ),
  inCluster(
    'throttled',
    ['cpu_limit_reached', /0\.49 of 0\.5 cores/],
    {
      cpu_limit_cores: 0.5,
      series: { cpu_cores: minutes(NOW, 12, (t) => (t < -60 ? 0.2 : 0.49)) },
    },
    { events: [told(3, 'Unhealthy', 'Readiness probe failed: context deadline exceeded')] },
  ),
  inCluster(
    'a neighbour',
    ['noisy_neighbour', /batch\/crunch-abcde/],
    {},
    {
      server: { series: { cpu_percent: until(40, CPU, (t) => 98 + noise(t, 1)) } },
      pods: [
        pod('batch', 'crunch-abcde', {
          node: 'node-1',
          owner: 'Job/crunch',
          image: 'batch:1',
          created_at: ago(NOW, 41),
          series: { cpu_cores: minutes(NOW, 0.6, () => 6.4) },
        }),
      ],
      events: [told(3, 'Unhealthy', 'Readiness probe failed: context deadline exceeded')],
    },
  ),
  inCluster(
    'a node that is gone',
    ['node_not_ready', /node-1/],
    { phase: 'Running' },
    {
      nodes: [
        {
          ...NODE,
          ready: false,
          conditions: [
            {
              type: 'Ready',
              status: 'Unknown',
              since: ago(NOW, 9),
              reason: 'NodeStatusUnknown',
              message: 'Kubelet stopped posting node status.',
            },
          ],
        },
      ],
    },
  ),
  inCluster(
    'a quota',
    ['quota_exceeded', /exceeded quota/],
    { phase: 'Pending', node: null },
    {
      events: [
        told(3, 'FailedCreate', 'pods "api-x" is forbidden: exceeded quota: compute', 'ReplicaSet shop/api-7c9d8f6b5'),
      ],
    },
  ),
  inCluster('an untrusted certificate', ['certificate', /x509/], {
    reason: 'CrashLoopBackOff',
    restarts: [end(4, 1, 'Error', 'dial: x509: certificate signed by unknown authority'), end(9, 1), end(15, 1)],
  }),
];

namesTheCauses(KNOWN);
