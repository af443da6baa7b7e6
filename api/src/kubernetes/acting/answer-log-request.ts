import { POD_LOG_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { redactText } from '@plimsoll/contract/redaction/text';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { sanitizeText } from '../../reports/sanitize.ts';
import type { ClusterAgent } from '../types.ts';

const FAILURE_CHARACTERS = 1000;

/** Stores the log tail that a response to a report requested. Throws `not_found`. */
export async function answerLogRequest(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  cluster: ClusterAgent,
  { id, lines, failure }: { id: string; lines: readonly string[]; failure: string | null },
): Promise<void> {
  const clean = (text: string, most: number) => sanitizeText(redactText(text), most);
  const answer = {
    lines: lines.map((line) => clean(line, POD_LOG_LIMITS.lineLength)),
    failure: failure === null ? null : clean(failure, FAILURE_CHARACTERS),
  };
  const isWaited = await storage.inTransaction(({ kubernetes }) =>
    kubernetes.logs.answer(cluster, id, answer, clock.now()),
  );
  if (!isWaited) throw notFound('Log request');
  changes.publish(cluster.organisationId, { topic: 'kubernetes', serverId: null });
}
