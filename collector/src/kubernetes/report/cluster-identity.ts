import { MOST_ADDRESSES } from '@plimsoll/contract/rules/api-server-addresses';
import type { ClusterEnvelope } from '@plimsoll/contract/wire/cluster-report';
import type { Connection } from '../watch/connection.ts';
import { clip } from '../watch/fields.ts';

interface NamespaceList {
  items?: { metadata?: { uid?: string } }[];
}

interface ApiVersions {
  serverAddressByClientCIDRs?: { serverAddress?: string }[];
}
const isAddress = (address: unknown): address is string =>
  typeof address === 'string' && address.length > 0 && address.length <= 253;

/**
 * Returns the addresses at which this API server advertises itself. Every service account may read the discovery
 * document. A copy of a cluster has the same uids and the same authority, but another API server. The Service's address
 * (KUBERNETES_SERVICE_HOST) is the same in most clusters. Empty where the document cannot be read.
 */
export async function apiAddresses(connection: Connection): Promise<string[]> {
  const versions = await connection.json<ApiVersions>({ path: '/api' }).catch((): ApiVersions => ({}));
  const found = versions.serverAddressByClientCIDRs;
  if (!Array.isArray(found)) return [];
  return [...new Set(found.map((one) => one?.serverAddress).filter(isAddress))].slice(0, MOST_ADDRESSES);
}

/** A cluster is known by the uid of its namespace kube-system: it lives as long as the cluster does. */
export async function identifyCluster(
  connection: Connection,
  name: string | null,
): Promise<ClusterEnvelope['cluster']> {
  const path = '/api/v1/namespaces?fieldSelector=metadata.name%3Dkube-system';
  const { items } = await connection.json<NamespaceList>({ path });
  const uid = items?.[0]?.metadata?.uid;
  if (!uid) throw new Error('the cluster shows no namespace kube-system: grant "list namespaces"');
  const { gitVersion } = await connection.json<{ gitVersion?: string }>({ path: '/version' });
  return { uid, name, version: clip(gitVersion, 64) };
}
