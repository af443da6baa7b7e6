import { redactText } from '@plimsoll/contract/redaction/text';
import type { EnrolAnswer } from '@plimsoll/contract/wire/install';
import { hashToken, newToken } from '../../accounts/tokens.ts';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { sanitizeText } from '../../reports/sanitize.ts';
import type { ClusterAgent } from '../types.ts';

/** The cluster's collector reports its nodes within seconds of its start. */
const NODE_RETRY_SECONDS = 10;
const HOSTNAME_CHARACTERS = 253;

/** Exchanges the cluster token for a token of a node's agent. Throws `node_not_known_yet`. */
export async function enrolNode(
  { storage, clock, changes, config }: Pick<Deps, 'storage' | 'clock' | 'changes' | 'config'>,
  cluster: ClusterAgent,
  given: { name: string; hostname: string },
): Promise<EnrolAnswer> {
  const token = newToken('agent');
  const hostname = sanitizeText(redactText(given.hostname), HOSTNAME_CHARACTERS);
  const node = { name: given.name, hostname, tokenHash: hashToken(token) };
  const enrolled = await storage.inTransaction(({ kubernetes }) =>
    kubernetes.reports.enrolNode(cluster, node, clock.now()),
  );
  if (enrolled === null)
    throw new CodedError('node_not_known_yet', 'node_name: no node of this name has been reported yet', {
      field: 'node_name',
      remedy: 'Try again in some seconds. If the error persists, check the log of the cluster collector.',
      retryAfterSeconds: NODE_RETRY_SECONDS,
    });
  changes.publish(cluster.organisationId, { topic: 'servers', serverId: enrolled.serverId });
  return { server_id: enrolled.serverId, agent_token: token, interval: config.reportIntervalSeconds };
}
