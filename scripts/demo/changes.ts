import { DAY_SECONDS, HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import type { DescribedKind } from '@plimsoll/contract/rules/described-kinds';
import type { DescribedObject, HostSectionPart } from '@plimsoll/contract/wire/described-object';
import { addDeployMark } from '../../api/src/changes/add-deploy-mark.ts';
import type { Deps } from '../../api/src/deps.ts';
import type { Owner } from '../../api/src/tenancy/owner.ts';
import type { DemoHost } from './fleet.ts';
import { isCrashing, WORKLOADS, type Cluster } from './pods.ts';
import { CRASHING, type Stories } from './stories.ts';

type Fields = Record<string, string>;
/** The autoscaler of the frontend, in the form of `spec.metrics`. */
const FRONTEND_METRICS = JSON.stringify([
  { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 70 } } },
]);

/** The state of an object from a moment on, over the states before it. */
interface Step {
  at: number;
  by: string;
  fields: Fields;
  /** Values that a real collector would send as digests. */
  digests?: Fields;
}

const image = (namespace: string, name: string, tag: string): string =>
  `registry.example.net/${namespace}/${name}:${tag}`;

/** Every fourth workload had a rollout in the last days; the one that crashes had three changes. */
function stepsOf(cluster: Cluster, workload: (typeof WORKLOADS)[number], index: number, stories: Stories): Step[] {
  const [namespace, name, replicas] = workload;
  const { now, deployedAt } = stories;
  const container = `containers.${name}`;
  const start: Step = {
    at: now - 41 * DAY_SECONDS,
    by: 'helm',
    fields: {
      replicas: String(replicas),
      [`${container}.image`]: image(namespace, name, '2.13.4'),
      [`${container}.resources.limits.memory`]: '512Mi',
      [`${container}.readinessProbe`]: '{"httpGet":{"path":"/ready","port":8080}}',
      serviceAccountName: name,
      'template.labels.app': name,
    },
  };
  if (isCrashing(cluster, workload)) {
    start.fields = { ...start.fields, replicas: '6', [`${container}.image`]: image(namespace, name, '1.8.2') };
    return [
      start,
      {
        at: deployedAt - 26 * HOUR_SECONDS,
        by: 'ci-deploy',
        fields: { [`${container}.image`]: image(namespace, name, '1.8.3') },
      },
      {
        at: deployedAt,
        by: 'ci-deploy',
        fields: {
          [`${container}.image`]: image(namespace, name, '1.9.0'),
          [`${container}.resources.limits.memory`]: '256Mi',
        },
        digests: { [`${container}.env.FEATURE_CART_V2`]: 'c0ffee0123456789' },
      },
      { at: now - 90 * 60, by: 'mira', fields: { replicas: '8' } },
    ];
  }
  if (index % 4 !== 0) return [start];
  return [
    start,
    {
      at: now - ((index * 7) % 130) * HOUR_SECONDS - 9 * HOUR_SECONDS,
      by: 'ci-deploy',
      fields: { [`${container}.image`]: image(namespace, name, '2.14.0') },
    },
  ];
}

interface Described {
  kind: DescribedKind;
  namespace: string | null;
  name: string;
  steps: Step[];
}

/** The objects that act on the shop: the Service that sends to it, its autoscaler, and a policy. */
const neighbours = ({ now, deployedAt }: Stories): Described[] => [
  {
    kind: 'Service',
    namespace: CRASHING.namespace,
    name: CRASHING.name,
    steps: [
      {
        at: now - 41 * DAY_SECONDS,
        by: 'helm',
        fields: { ports: '80→8080/TCP', 'selector.app': CRASHING.name, type: 'ClusterIP' },
      },
      { at: deployedAt - 5 * DAY_SECONDS, by: 'helm', fields: { ports: '80→http/TCP' } },
    ],
  },
  {
    kind: 'HorizontalPodAutoscaler',
    namespace: CRASHING.namespace,
    name: 'frontend',
    steps: [
      {
        at: now - 41 * DAY_SECONDS,
        by: 'helm',
        fields: { minReplicas: '12', maxReplicas: '24', target: 'Deployment/frontend', metrics: FRONTEND_METRICS },
      },
      { at: deployedAt - 2 * HOUR_SECONDS, by: 'ada', fields: { maxReplicas: '32' } },
    ],
  },
  {
    kind: 'NetworkPolicy',
    namespace: 'payments',
    name: 'gateway',
    steps: [
      { at: now - 41 * DAY_SECONDS, by: 'argocd-controller', fields: { policyTypes: '["Ingress"]' } },
      { at: now - 50 * HOUR_SECONDS, by: 'argocd-controller', fields: { policyTypes: '["Ingress","Egress"]' } },
    ],
  },
];

export const DEMO_KINDS = ['Deployment', 'Service', 'HorizontalPodAutoscaler', 'NetworkPolicy'] as const;

/** The described objects of a cluster at a moment, as its collector would send them. */
export function objectsAt(cluster: Cluster, at: number, stories: Stories): DescribedObject[] {
  const workloads = WORKLOADS.map((workload, index): Described => {
    const [namespace, name] = workload;
    return { kind: 'Deployment', namespace, name, steps: stepsOf(cluster, workload, index, stories) };
  });
  const all = cluster.name === CRASHING.cluster ? [...workloads, ...neighbours(stories)] : workloads;
  return all.map(({ kind, namespace, name, steps }) => {
    const past = steps.filter((step) => step.at <= at);
    const last = past.at(-1);
    return {
      uid: `${cluster.uid}-${kind}-${namespace ?? ''}-${name}`,
      kind,
      namespace,
      name,
      form: 1,
      digest_key: '0'.repeat(8),
      by: last?.by ?? null,
      edited_at: last?.at ?? null,
      fields: Object.assign({}, ...past.map(({ fields }) => fields)) as Fields,
      digests: Object.assign({}, ...past.map(({ digests = {} }) => digests)) as Fields,
    };
  });
}

const UPDATED_SECONDS = 260;

/** Packages and ports of the hosts of the shop: an update some minutes ago. */
export function sectionsAt(host: DemoHost, at: number, { now }: Stories): HostSectionPart[] {
  if (host.cluster !== null || host.role !== 'web') return [];
  const isUpdated = at >= now - UPDATED_SECONDS;
  const nginx = isUpdated ? '1.26.3-1' : '1.26.0-3';
  return [
    { section: 'packages', form: 1, entries: { nginx, 'nginx-common': nginx, openssl: '3.0.16-1' } },
    {
      section: 'ports',
      form: 1,
      entries: { '22/tcp': 'listening', '443/tcp': 'listening', ...(isUpdated && { '8081/tcp': 'listening' }) },
    },
  ];
}

/** Marks that a pipeline left, each at its time. */
export async function addDeployMarks(deps: Deps, owner: Owner, { now, deployedAt }: Stories): Promise<void> {
  const cluster = (await deps.storage.kubernetes.views.clusters(owner)).find(({ name }) => name === CRASHING.cluster);
  await addDeployMark(deps, owner, {
    title: 'checkout 1.9.0',
    key: 'demo-1',
    at: deployedAt * 1000 - 4000,
    by: 'mira',
    link: 'https://ci.example.net/shop/checkout/runs/1412',
    before: '1.8.3',
    after: '1.9.0',
    namespace: CRASHING.namespace,
    kind: 'Deployment',
    name: CRASHING.name,
    ...(cluster === undefined ? {} : { cluster_id: cluster.id }),
  });
  await addDeployMark(deps, owner, {
    title: 'mobile app 8.2',
    key: 'demo-2',
    at: (now - 31 * HOUR_SECONDS) * 1000,
    by: 'noor',
  });
}
