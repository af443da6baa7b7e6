import type { RecentNodesAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { ServersAnswer } from '@plimsoll/contract/wire/servers';
import { enrolledNodesQuery, enrolledServersQuery } from '../../api/install.ts';
import { useQuery } from '../../api/query.ts';
import { momentMs } from '../../time/age.ts';
import { paths } from '../../paths.ts';
import type { Connection } from './connection.ts';
import type { Target } from './install-progress.ts';

const NONE: Connection = { arrivals: [], total: 0 };
/** The same function on every render, or a check under way would begin anew. */
const nothingToCheck = (): Promise<unknown> => Promise.resolve();

/** Polls what enrolled with this token; `check` refetches at once. Null: no token exists yet. */
export function useConnection(
  target: Target,
  tokenId: string | null,
): { connection: Connection; check: () => Promise<unknown> } {
  const cluster = target === 'kubernetes';
  const servers = useQuery(enrolledServersQuery(tokenId ?? '', !cluster && tokenId !== null));
  const nodes = useQuery(enrolledNodesQuery(tokenId ?? '', cluster && tokenId !== null));
  if (tokenId === null) return { connection: NONE, check: nothingToCheck };
  if (cluster) return { connection: ofNodes(nodes.data), check: nodes.refetch };
  return { connection: ofServers(servers.data), check: servers.refetch };
}

function ofServers(answer: ServersAnswer | undefined): Connection {
  if (answer === undefined) return NONE;
  return {
    total: answer.total,
    arrivals: answer.servers.map((server) => ({
      name: server.display_name ?? server.hostname,
      // A reinstalled machine is known from before: only a fresh report counts.
      reportedAt: server.status === 'active' ? momentMs(server.last_seen_at) : null,
      path: paths.server(server.id),
      note: [server.os_name ?? server.platform, server.architecture].filter(Boolean).join(' · ') || null,
    })),
  };
}

function ofNodes(answer: RecentNodesAnswer | undefined): Connection {
  if (answer === undefined) return NONE;
  return {
    total: answer.total,
    arrivals: answer.nodes.map((node) => ({
      name: node.node_name,
      reportedAt: momentMs(node.agent?.last_seen_at),
      path: paths.kubernetesNode(node.server_id, node.node_name),
      note: [node.cluster_name === null ? null : `cluster ${node.cluster_name}`, node.kubelet_version]
        .filter(Boolean)
        .join(', '),
    })),
  };
}
