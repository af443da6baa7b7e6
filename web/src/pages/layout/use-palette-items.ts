import type { Server } from '@plimsoll/contract/wire/servers';
import { useColorScheme } from '@mui/material/styles';
import { useDeferredValue } from 'react';
import { allClustersQuery, clusterOverviewQuery, nodesQuery, podsQuery } from '../../api/kubernetes.ts';
import { useQuery, useQueryClient } from '../../api/query.ts';
import { sidebarAlertsQuery } from '../../api/alerts.ts';
import { allServersQuery } from '../../api/servers.ts';
import { useIsOperator, useMayEdit } from '../../api/user.ts';
import { copyText } from '../../components/form/copy-text.ts';
import { serverName } from '../../format/server-facts.ts';
import { sortServers } from '../../format/server-sort.ts';
import { useStored } from '../../state/use-stored.ts';
import { useAt } from '../../state/use-at.ts';
import { useScope } from '../../state/use-scope.ts';
import { typedMoment } from '../../time/typed-moment.ts';
import { useMinute } from '../../state/use-minute.ts';
import { scopeGroups } from './scope-options.ts';
import { liveness } from '../../state/liveness.ts';
import type { PaletteItem } from './palette-match.ts';
import { paletteQuery } from './palette-query.ts';
import { sinceMoment } from '../../time/since-moment.ts';
import { GO_TO } from './shortcuts.ts';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';

/** As many as fit on a screen beside the rest. */
const MOST_PODS = 20;
/** The most that one call gives. */
const MOST_LOOSE_PODS = 1000;
/** Servers with the least headroom, while nothing is typed. */
const NEAREST = 6;

export interface PaletteEntry extends PaletteItem {
  run: () => void;
  /** The palette stays open: the entry needs more text. */
  stays?: true;
}

/** "What ran at 03:12?" for a typed time, or for the moment that the pages show; else the way to type one. */
function useWhatRan(typed: string, go: (to: string) => void): PaletteEntry[] {
  const [shown] = useAt();
  const now = useMinute() * 1000;
  const at = typedMoment(typed, now) ?? (typed.trim() === '' ? shown : null);
  if (at === null)
    return [
      {
        id: 'what-ran',
        kind: 'Processes',
        name: 'What ran at a time, such as 03:12',
        stays: true,
        run: () => paletteQuery.set('What ran at '),
      },
    ];
  const name = `What ran at ${sinceMoment(at * 1000)}?`;
  return [{ id: 'what-ran', kind: 'Processes', name, also: typed, run: () => go(paths.processesAt(at)) }];
}

function useActions(go: (to: string) => void): PaletteEntry[] {
  const queries = useQueryClient();
  const [live, setLive] = useStored(liveness);
  const { setMode } = useColorScheme();
  const mayEdit = useMayEdit();
  const action = (name: string, run: () => void): PaletteEntry => ({ id: `action/${name}`, kind: 'Action', name, run });
  return [
    action('Install agent', () => go(paths.setup)),
    ...(mayEdit ? [action('Create alert rule', () => go(paths.alertRule('new')))] : []),
    action('Refresh now', () => void queries.invalidateQueries()),
    action(live ? 'Pause updates' : 'Resume updates', () => setLive(!live)),
    action('Dark theme', () => setMode('dark')),
    action('Light theme', () => setMode('light')),
    action('System theme', () => setMode('system')),
    action('Copy link to this page', () => void copyText(window.location.href)),
    action('Print this page', () => window.print()),
  ];
}

/** Pages without a letter of their own. */
const MORE_PAGES = [
  { name: 'Kubernetes nodes', to: paths.kubernetesNodes },
  { name: 'Kubernetes pods', to: paths.kubernetesPods },
  { name: 'Kubernetes namespaces', to: paths.kubernetesNamespaces },
  { name: 'Kubernetes events', to: paths.kubernetesEvents },
  { name: 'Kubernetes capacity', to: paths.kubernetesCapacity },
  { name: 'Kubernetes clusters', to: paths.kubernetesClusters },
  { name: 'Kubernetes workloads', to: paths.kubernetesWorkloads },
  { name: 'Alert rules', to: paths.alertRules },
  { name: 'Alert silences', to: paths.alertSilences },
  { name: 'Alert channels', to: paths.alertChannels },
  { name: 'Status pages', to: paths.statusPages },
  { name: 'Team', to: paths.team },
];

/** The page of those who may open it. */
const OPERATOR_PAGES = [{ name: 'Installation health', to: paths.health }];

/**
 * Returns the pods whose name holds what is typed, because a cluster has too many to list them all. If there is none,
 * returns those with its first letter, in which the palette looks for the other letters.
 */
function usePods(search: string, enabled: boolean) {
  const exact = useQuery({ ...podsQuery({ search, limit: MOST_PODS }), enabled: enabled && search !== '' });
  const isLoose = enabled && search.length > 1 && exact.data?.pods.length === 0;
  const loose = useQuery({ ...podsQuery({ search: search.slice(0, 1), limit: MOST_LOOSE_PODS }), enabled: isLoose });
  if (search === '') return [];
  return (isLoose ? loose.data?.pods : exact.data?.pods) ?? [];
}

/** Nodes with the least headroom first, every namespace, and the pods named like what is typed. */
function useCluster(typed: string, go: (to: string) => void): PaletteEntry[] {
  const nodes = useQuery(nodesQuery({})).data?.nodes ?? [];
  const namespaces = useQuery(clusterOverviewQuery()).data?.summary.namespace_names ?? [];
  const search = useDeferredValue(typed.trim());
  const pods = usePods(search, nodes.length > 0);
  const nodeOf = ({ server_id, node_name }: (typeof nodes)[number]) => paths.kubernetesNode(server_id, node_name);
  return [
    ...nodes.map((node) => ({
      id: `node/${node.server_id}`,
      kind: 'Node',
      name: node.node_name,
      run: () => go(nodeOf(node)),
    })),
    ...namespaces.map((name) => ({
      id: `namespace/${name}`,
      kind: 'Namespace',
      name,
      run: () => go(`${paths.kubernetesPods}?namespace=${encodeURIComponent(name)}`),
    })),
    ...pods.map(({ cluster_id, namespace, pod_name }) => ({
      id: `pod/${cluster_id}/${namespace}/${pod_name}`,
      kind: `Pod in ${namespace}`,
      name: pod_name,
      many: true,
      run: () => go(paths.kubernetesPod(`${cluster_id}/${namespace}/${pod_name}`)),
    })),
  ];
}

/** The tags, regions and clusters that narrow every page; each adds to the scope or takes itself away. */
function useScopeItems(): PaletteEntry[] {
  const servers = useQuery({ ...allServersQuery(), refetchInterval: false });
  const clusters = useQuery({ ...allClustersQuery(), refetchInterval: false });
  const { scope, has, toggle, setScope } = useScope();
  const groups = scopeGroups(servers.data?.servers ?? [], clusters.data?.clusters ?? []);
  const clear = { id: 'scope/clear', kind: 'Action', name: 'Clear the scope', run: () => setScope([]) };
  const items = groups.flatMap(({ key, options }) =>
    options.map(({ term }) => ({
      id: `scope/${key}/${term.value}`,
      kind: has(term) ? `Scope: remove ${key}` : `Scope: ${key}`,
      name: term.value,
      run: () => toggle(term),
    })),
  );
  return scope.length === 0 ? items : [clear, ...items];
}

/** "env=prod", or the name of a tag that has no value. */
const tagWords = ({ tags }: Pick<Server, 'tags'>): string[] =>
  Object.entries(tags).map(([name, value]) => (value === '' || value === 'true' ? name : `${name}=${value}`));

/**
 * Everything the palette can reach: pages, actions, servers with the least headroom first, scopes, nodes, namespaces,
 * active alerts, and pods named like what is typed.
 */
export function usePaletteItems(typed: string): PaletteEntry[] {
  const navigate = useNavigate();
  const go = (to: string) => void navigate(to);
  const listed = useQuery({ ...allServersQuery(), refetchInterval: false });
  const servers = sortServers(listed.data?.servers ?? [], 'headroom');
  const alerts = useQuery(sidebarAlertsQuery()).data?.alerts ?? [];
  const actions = useActions(go);
  const cluster = useCluster(typed, go);
  const scope = useScopeItems();
  const whatRan = useWhatRan(typed, go);
  const isOperator = useIsOperator();
  const pages = [...GO_TO, ...MORE_PAGES, ...(isOperator ? OPERATOR_PAGES : [])].map(({ name, to }) => ({
    id: `page/${to}`,
    kind: 'Page',
    name,
    run: () => go(to),
  }));
  const machines = servers.map((server) => ({
    id: `server/${server.id}`,
    kind: 'Server',
    name: serverName(server),
    also: [server.hostname, server.region ?? '', ...tagWords(server)].join('\n'),
    run: () => go(paths.server(server.id)),
  }));
  // Nothing typed: the way to the pages, and the servers that need someone.
  if (typed.trim() === '') return [...pages, ...machines.slice(0, NEAREST), ...whatRan, ...actions, ...scope];
  return [
    ...whatRan,
    ...pages,
    ...actions,
    ...machines,
    ...cluster,
    ...alerts
      .filter(({ status }) => status === 'active')
      .map((alert) => ({
        id: `alert/${alert.alert_id}`,
        kind: `Alert on ${alert.tags.hostname}`,
        name: alert.message,
        also: alert.tags.hostname,
        run: () => go(`${paths.alerts}?alert=${encodeURIComponent(alert.alert_id)}`),
      })),
    ...scope,
  ];
}
