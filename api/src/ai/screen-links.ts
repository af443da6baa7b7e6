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

/** Shown around a moment. */
const AROUND_SECONDS = 1800;

interface Range {
  from: number;
  to: number;
}
/** `null` or absent: not filtered by it, and no range is the screen's own. */
type Optional<T> = T | null | undefined;

export const screens = {
  servers: (
    filter: { status?: Optional<string>; search?: Optional<string>; sort?: Optional<string> } = {},
  ): AnswerSource => ({
    title: 'Servers',
    href: `/servers${query({ view: 'table', ...filter })}`,
  }),
  compared: (ids: readonly string[], range: Range): AnswerSource => ({
    title: 'Comparison',
    href: `/servers${query({ compare: ids.join(','), show: 'charts', ...whole(range) })}`,
  }),
  /** CPU, memory and disk over all servers: the chart of the alerts page is the one with a range. */
  fleetChart: (range: Range): AnswerSource => ({
    title: 'Chart of all servers',
    href: `/alerts${query(whole(range))}`,
  }),
  /** `chart` is the one that a phone shows. */
  server: (id: string, hostname: string, range?: Range, chart?: string): AnswerSource => ({
    title: hostname,
    href: `/servers/${encodeURIComponent(id)}${query({ chart, ...(range && whole(range)) })}`,
  }),
  /** The future has no figures. */
  serverAt: (id: string, hostname: string, at: number, now: number): AnswerSource => {
    const second = Math.ceil(at);
    const to = Math.max(second, Math.min(second + AROUND_SECONDS, Math.floor(now)));
    return {
      title: `${hostname}, what ran then`,
      href: `/servers/${encodeURIComponent(id)}${query({ from: second - AROUND_SECONDS, to, at: second })}`,
    };
  },
  alerts: (serverId: string | null, range?: Optional<Range>): AnswerSource => ({
    title: 'Alerts',
    href: `/alerts${query({ server: serverId, ...(range && whole(range)) })}`,
  }),
  changes: (serverId: string | null, range: Range): AnswerSource => ({
    title: 'Changes',
    href: `/changes${query({ server: serverId, ...whole(range) })}`,
  }),
  activeAlerts: (serverId: string | null): AnswerSource => ({
    title: 'Active alerts',
    href: `/alerts${query({ server: serverId, show: 'active' })}`,
  }),
  alert: (alertId: string, title: string): AnswerSource => ({ title, href: `/alerts${query({ alert: alertId })}` }),
  rules: (): AnswerSource => ({ title: 'Alert rules', href: '/alerts/rules' }),
  activity: (serverId: string | null, range: Range, type?: string): AnswerSource => ({
    title: 'Activity',
    href: `/activity${query({ server: serverId, type, ...whole(range) })}`,
  }),
  processes: (serverId: string | null, by: 'cpu' | 'memory'): AnswerSource => ({
    title: 'Processes',
    // The page ranks by CPU by itself.
    href: `/processes${query({ server: serverId, rank: by === 'memory' ? by : null })}`,
  }),
  network: (serverId: string | null, range?: Range): AnswerSource => ({
    title: 'Network',
    href: `/network${query({ server: serverId, ...(range && whole(range)) })}`,
  }),
  silences: (): AnswerSource => ({ title: 'Silences', href: '/alerts/silences' }),
  checks: (): AnswerSource => ({ title: 'Checks', href: '/servers/checks' }),
  check: (checkId: string, name: string): AnswerSource => ({ title: name, href: `/servers/checks/${checkId}` }),
  containers: (): AnswerSource => ({ title: 'Containers', href: '/servers/containers' }),
  capacity: (clusterId: Optional<string>): AnswerSource => ({
    title: 'Capacity',
    href: `/kubernetes/capacity${query({ cluster: clusterId })}`,
  }),
  cluster: (clusterId: Optional<string>): AnswerSource => ({
    title: 'Kubernetes',
    href: `/kubernetes${query({ cluster: clusterId })}`,
  }),
  nodes: (clusterId: Optional<string>): AnswerSource => ({
    title: 'Nodes',
    href: `/kubernetes/nodes${query({ cluster: clusterId })}`,
  }),
  node: (serverId: string, name: string, range?: Range): AnswerSource => ({
    title: name,
    href: `/kubernetes/nodes/${encodeURIComponent(serverId)}/${encodeURIComponent(name)}${range === undefined ? '' : query(whole(range))}`,
  }),
  /** The list with this pod open. */
  pod: (pod: { cluster_id: string; namespace: string; pod_name: string }): AnswerSource => ({
    title: `Pod ${pod.pod_name}`,
    href: `/kubernetes/pods${query({ pod: `${pod.cluster_id}/${pod.namespace}/${pod.pod_name}` })}`,
  }),
  /** In the order of the tool. */
  pods: (filter: {
    cluster?: Optional<string>;
    namespace?: Optional<string>;
    phase?: Optional<string>;
    search?: Optional<string>;
  }): AnswerSource => ({
    title: filter.search == null ? 'Pods' : `Pods, ${filter.search}`,
    href: `/kubernetes/pods${query({ ...filter, sort: 'restarts_24h', order: 'desc' })}`,
  }),
  workloads: (clusterId: Optional<string>): AnswerSource => ({
    title: 'Workloads',
    href: `/kubernetes/workloads${query({ cluster: clusterId })}`,
  }),
};
