import type { ScopedSubject } from '@plimsoll/contract/rules/scope';
import { serverStatus } from './server-status.ts';
import type { ScopeFacts } from './types.ts';

export const subjectOf = (facts: ScopeFacts, now: number): ScopedSubject => ({
  tags: facts.tags,
  region: facts.region,
  clusters: facts.clusters,
  status: serverStatus(facts, now),
});
