import { redactText } from '@plimsoll/contract/redaction/text';
import type { EnrolAnswer } from '@plimsoll/contract/wire/install';
import { hashToken, newToken } from '../../accounts/tokens.ts';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { sanitizeText } from '../../reports/sanitize.ts';
import { isAnotherNode } from '../same-node.ts';
import type { ClusterAgent } from '../types.ts';

/** The cluster's collector reports its nodes within seconds of its start. */
const NODE_RETRY_SECONDS = 10;
const HOSTNAME_CHARACTERS = 253;

/**
 * Exchanges the cluster token for a token of a node's agent. Throws `node_not_known_yet`, also for a node of a copied
 * cluster whose name a node that reports has.
 */
export async function enrolNode(
  { storage, clock, changes, config }: Pick<Deps, 'storage' | 'clock' | 'changes' | 'config'>,
  cluster: ClusterAgent,
  given: { name: string; hostname: string; bootId: string },
): Promise<EnrolAnswer> {
  const token = newToken('agent');
  const hostname = sanitizeText(redactText(given.hostname), HOSTNAME_CHARACTERS);
  const node = { name: given.name, hostname, tokenHash: hashToken(token) };
  const now = clock.now();
  const enrolled = await storage.inTransaction(async ({ kubernetes: { reports } }) => {
    const running = await reports.findRunningNode(cluster, node.name);
    const { reportIntervalSeconds } = config;
    if (running !== null && isAnotherNode(running, given.bootId, { now, reportIntervalSeconds }))
      throw new CodedError('node_not_known_yet', 'boot_id: another machine reports as the node of this name', {
        field: 'boot_id',
        remedy:
          'A node that was restarted is known again within a minute. A node of a copied cluster reports once an admin separates the copy: Kubernetes, Permissions, "This is another cluster".',
        retryAfterSeconds: NODE_RETRY_SECONDS,
      });
    return reports.enrolNode(cluster, node, now);
  });
  if (enrolled === null)
    throw new CodedError('node_not_known_yet', 'node_name: no node of this name has been reported yet', {
      field: 'node_name',
      remedy: 'Try again in some seconds. If the error persists, check the log of the cluster collector.',
      retryAfterSeconds: NODE_RETRY_SECONDS,
    });
  changes.publish(cluster.organisationId, { topic: 'servers', serverId: enrolled.serverId });
  return { server_id: enrolled.serverId, agent_token: token, interval: config.reportIntervalSeconds };
}
