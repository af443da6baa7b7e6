import { formatScope } from '@plimsoll/contract/rules/scope';
import { momentParameter } from './time/moment.ts';

/** Shown around a moment, in seconds. */
const AROUND_SECONDS = 1800;
const server = (id: string) => `/servers/${encodeURIComponent(id)}`;

/** Every address of the interface. */
export const paths = {
  landing: '/landing',
  login: '/login',
  callback: '/auth/callback',
  terms: '/terms',
  privacy: '/privacy',
  dashboard: '/',
  servers: '/servers',
  containers: '/servers/containers',
  checks: '/servers/checks',
  check: (id: string) => `/servers/checks/${encodeURIComponent(id)}`,
  server,
  /** A server at a moment (epoch seconds): what ran then beside its charts around it. */
  serverAt(id: string, at: number, nowMs: number = Date.now()) {
    // Up to the next second: what was kept at that very moment is not after it.
    const second = Math.ceil(at);
    // The future has no figures.
    const to = Math.max(second, Math.min(second + AROUND_SECONDS, Math.floor(nowMs / 1000)));
    return `${server(id)}?from=${second - AROUND_SECONDS}&to=${to}&at=${momentParameter(second)}`;
  },
  kubernetes: '/kubernetes',
  kubernetesNodes: '/kubernetes/nodes',
  kubernetesNode: (serverId: string, nodeName?: string) =>
    `/kubernetes/nodes/${encodeURIComponent(serverId)}${nodeName === undefined ? '' : `/${encodeURIComponent(nodeName)}`}`,
  kubernetesPods: '/kubernetes/pods',
  /** The list of pods with this one open; the key is cluster/namespace/name. */
  kubernetesPod: (key: string) => `/kubernetes/pods?pod=${encodeURIComponent(key)}`,
  /** The pods of a workload, or those of a namespace whose volume has this name. */
  podsOf: (namespace: string, name: string) =>
    `/kubernetes/pods?namespace=${encodeURIComponent(namespace)}&search=${encodeURIComponent(name)}`,
  /** Kubernetes with only this cluster in the scope. */
  cluster: (clusterId: string) =>
    `/kubernetes?scope=${encodeURIComponent(formatScope([{ key: 'cluster', value: clusterId }]))}`,
  kubernetesNamespaces: '/kubernetes/namespaces',
  kubernetesWorkloads: '/kubernetes/workloads',
  kubernetesWorkload: (of: { cluster_id: string; namespace: string; owner_kind: string; owner_name: string }) =>
    `/kubernetes/workloads/${[of.cluster_id, of.namespace, of.owner_kind, of.owner_name].map(encodeURIComponent).join('/')}`,
  kubernetesEvents: '/kubernetes/events',
  kubernetesCapacity: '/kubernetes/capacity',
  kubernetesClusters: '/kubernetes/clusters',
  alerts: '/alerts',
  /** The list with this alert open. */
  alert: (id: string) => `/alerts?alert=${encodeURIComponent(id)}`,
  alertRules: '/alerts/rules',
  /** The editor of a rule; `default-…` is that of a default rule, `new` an empty one. */
  alertRule: (id: string) => `/alerts/rules/${encodeURIComponent(id)}`,
  alertChannels: '/alerts/channels',
  alertSilences: '/alerts/silences',
  activity: '/activity',
  changes: '/changes',
  /** The changes of one place, or of a range. The page names a server as the other pages do. */
  changesOf({ server_id: server, ...place }: Record<string, string | number | boolean | null | undefined>) {
    const parts = Object.entries({ server, ...place }).flatMap(([key, value]) =>
      value == null ? [] : [[key, String(value)]],
    );
    return `/changes?${new URLSearchParams(parts).toString()}`;
  },
  network: '/network',
  processes: '/processes',
  /** The processes of every server in scope at a moment, epoch seconds. */
  processesAt: (at: number) => `/processes?at=${momentParameter(at)}`,
  setup: '/setup',
  profile: '/profile',
  team: '/profile/team',
  /** The page of an invitation; its code is in the fragment. */
  join: '/join',
  statusPages: '/profile/status-pages',
  /** The incidents of a status page, for those who write them. */
  statusIncidents: (id: string) => `/profile/status-pages/${encodeURIComponent(id)}`,
  health: '/profile/health',
  aiChat: '/ai-chat',
} as const;
