import type { AnswerSource } from '@plimsoll/contract/wire/ai';

/** Links to the screens that show what a tool read. Times are epoch seconds; the addresses are those of web/src/paths.ts. */

const query = (values: Record<string, string | number | null | undefined>): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};
const whole = (range: { from: number; to: number }): { from: number; to: number } => ({
  from: Math.floor(range.from),
  to: Math.ceil(range.to),
});

/** Several tools may read the same screen. */
export const distinct = <T extends { href: string }>(sources: readonly T[]): T[] => [
  ...new Map(sources.map((source) => [source.href, source])).values(),
];

export const screens = {
  servers: (): AnswerSource => ({ title: 'Servers', href: '/servers' }),
  dashboard: (): AnswerSource => ({ title: 'Dashboard', href: '/' }),
  server: (id: string, hostname: string, range?: { from: number; to: number }): AnswerSource => ({
    title: hostname,
    href: `/servers/${encodeURIComponent(id)}${range === undefined ? '' : query(whole(range))}`,
  }),
  serverAt: (id: string, hostname: string, at: number): AnswerSource => ({
    title: `${hostname}, what ran then`,
    href: `/servers/${encodeURIComponent(id)}${query({ ...whole({ from: at - 1800, to: at + 1800 }), at: Math.ceil(at) })}`,
  }),
  alerts: (serverId: string | null): AnswerSource => ({
    title: 'Alerts',
    href: `/alerts${query({ server: serverId })}`,
  }),
  alert: (alertId: string, title: string): AnswerSource => ({ title, href: `/alerts${query({ alert: alertId })}` }),
  rules: (): AnswerSource => ({ title: 'Alert rules', href: '/alerts/rules' }),
  activity: (serverId: string | null, range: { from: number; to: number }): AnswerSource => ({
    title: 'Activity',
    href: `/activity${query({ server: serverId, ...whole(range) })}`,
  }),
  processes: (serverId: string | null): AnswerSource => ({
    title: 'Processes',
    href: `/processes${query({ server: serverId })}`,
  }),
  network: (serverId: string | null): AnswerSource => ({
    title: 'Network',
    href: `/network${query({ server: serverId })}`,
  }),
  cluster: (clusterId: string | null): AnswerSource => ({
    title: 'Kubernetes',
    href: `/kubernetes${query({ cluster: clusterId })}`,
  }),
  nodes: (clusterId: string | null): AnswerSource => ({
    title: 'Nodes',
    href: `/kubernetes/nodes${query({ cluster: clusterId })}`,
  }),
  node: (serverId: string, name: string): AnswerSource => ({
    title: name,
    href: `/kubernetes/nodes/${encodeURIComponent(serverId)}/${encodeURIComponent(name)}`,
  }),
  /** The list with this pod open. */
  pod: (pod: { cluster_id: string; namespace: string; pod_name: string }): AnswerSource => ({
    title: `Pod ${pod.pod_name}`,
    href: `/kubernetes/pods${query({ pod: `${pod.cluster_id}/${pod.namespace}/${pod.pod_name}` })}`,
  }),
  pods: (filter: { namespace?: string | undefined; search?: string | undefined }): AnswerSource => ({
    title: filter.search === undefined ? 'Pods' : `Pods, ${filter.search}`,
    href: `/kubernetes/pods${query(filter)}`,
  }),
};
