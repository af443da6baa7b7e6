import type { ClusterEnvelope } from '@plimsoll/contract/wire/cluster-report';
import type { Connection } from '../watch/connection.ts';
import { clip } from '../watch/fields.ts';

interface NamespaceList {
  items?: { metadata?: { uid?: string } }[];
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
