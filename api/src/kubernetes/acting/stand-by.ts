import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import { redactText } from '@plimsoll/contract/redaction/text';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { sanitizeText } from '../../reports/sanitize.ts';
import type { ClusterAgent } from '../types.ts';

const DETAIL_CHARACTERS = 1000;

/** Stores why no replica of a cluster collector can lead. Throws `not_found`. */
export async function standBy(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  cluster: ClusterAgent,
  lease: ReaderStatePart,
): Promise<void> {
  const detail = lease.detail === null ? null : sanitizeText(redactText(lease.detail), DETAIL_CHARACTERS);
  const isKnown = await storage.inTransaction(({ kubernetes }) =>
    kubernetes.reports.standBy(cluster, { ...lease, detail }, clock.now()),
  );
  if (!isKnown) throw notFound('Cluster');
  changes.publish(cluster.organisationId, { topic: 'kubernetes', serverId: null });
}
