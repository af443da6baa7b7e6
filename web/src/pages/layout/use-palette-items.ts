import { useColorScheme } from '@mui/material/styles';
import { useDeferredValue } from 'react';
import { nodesQuery, podsQuery } from '../../api/kubernetes.ts';
import { useQuery, useQueryClient } from '../../api/query.ts';
import { useServerNames } from '../../api/server-names.ts';
import { useStored } from '../../state/use-stored.ts';
import { liveness } from '../../state/liveness.ts';
import type { PaletteItem } from './palette-match.ts';
import { GO_TO } from './shortcuts.ts';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';

/** As many as fit on a screen beside the rest. */
const MOST_PODS = 20;

export interface PaletteEntry extends PaletteItem {
  run: () => void;
}

function useActions(go: (to: string) => void): PaletteEntry[] {
  const queries = useQueryClient();
  const [live, setLive] = useStored(liveness);
  const { setMode } = useColorScheme();
  const action = (name: string, run: () => void): PaletteEntry => ({ id: `action/${name}`, kind: 'Action', name, run });
  return [
    action('Install agent', () => go(paths.setup)),
    action('Refresh now', () => void queries.invalidateQueries()),
    action(live ? 'Pause updates' : 'Resume updates', () => setLive(!live)),
    action('Dark theme', () => setMode('dark')),
    action('Light theme', () => setMode('light')),
    action('System theme', () => setMode('system')),
  ];
}

/** Nodes, and the pods whose name holds what is typed: a cluster has too many to list them all. */
function useCluster(typed: string, go: (to: string) => void): PaletteEntry[] {
  const nodes = useQuery(nodesQuery({})).data?.nodes ?? [];
  const search = useDeferredValue(typed.trim());
  const pods = useQuery({ ...podsQuery({ search, limit: MOST_PODS }), enabled: nodes.length > 0 && search !== '' });
  const nodeOf = ({ server_id, node_name }: (typeof nodes)[number]) => paths.kubernetesNode(server_id, node_name);
  return [
    ...nodes.map((node) => ({
      id: `node/${node.server_id}`,
      kind: 'Node',
      name: node.node_name,
      run: () => go(nodeOf(node)),
    })),
    ...(search === '' ? [] : (pods.data?.pods ?? [])).map(({ cluster_id, namespace, pod_name }) => ({
      id: `pod/${cluster_id}/${namespace}/${pod_name}`,
      kind: `Pod in ${namespace}`,
      name: pod_name,
      run: () => go(`${paths.kubernetesPods}?pod=${encodeURIComponent(`${cluster_id}/${namespace}/${pod_name}`)}`),
    })),
  ];
}

/** Everything the palette can reach: pages, actions, servers, nodes, and pods named like what is typed. */
export function usePaletteItems(typed: string): PaletteEntry[] {
  const navigate = useNavigate();
  const go = (to: string) => void navigate(to);
  const servers = useServerNames();
  const actions = useActions(go);
  const cluster = useCluster(typed, go);
  return [
    ...GO_TO.map(({ name, to }) => ({ id: `page/${to}`, kind: 'Page', name, run: () => go(to) })),
    ...actions,
    ...servers.map(({ id, name }) => ({ id: `server/${id}`, kind: 'Server', name, run: () => go(paths.server(id)) })),
    ...cluster,
  ];
}
