import { expect, it } from 'vitest';
import { explain } from './explain.ts';
import { wordsOf } from './testing/words-of.ts';
import { evidenceOf } from './testing/incident-evidence.ts';
import {
  ago,
  at,
  incident,
  minutes,
  noise,
  pod,
  type Incident,
  type IncidentCluster,
  type IncidentPod,
} from './testing/incident.ts';
import { dayWave, soundServer } from './testing/sound-server.ts';

/** An incident of each class of causes that an operator meets, on a machine that is sound apart from it. */

const NOW = at('2026-11-20 14:20');
const MB = 2 ** 20;
type Server = Parameters<typeof soundServer>[2];
type Known = readonly [title: string, kind: string, words: RegExp, incident: Incident];

const wave =
  (low: number, high: number, size: number) =>
  (t: number): number =>
    low + (high - low) * dayWave(NOW, t) + noise(t, size);
/** The usual wave until `from` minutes ago, and then something else. */
const until = (from: number, usual: (t: number) => number, then: (t: number) => number | null, step = 5) =>
  minutes(NOW, 168, (t) => (t < -from ? usual(t) : then(t)), step);
const CPU = wave(12, 34, 3);

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
  more: Partial<IncidentCluster> & { server?: Server } = {},
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

it.each(KNOWN)('names the cause of %s', (_title, kind, words, recorded) => {
  const { causes, ruled_out: others } = explain(evidenceOf(recorded));
  const [cause] = causes;
  const shown = wordsOf(cause);
  expect([cause?.mechanism, shown, others.map(({ text }) => text)]).toEqual([
    kind,
    expect.stringMatching(words),
    expect.anything(),
  ]);
});
