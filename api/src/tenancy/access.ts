import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { ClusterToken } from '../kubernetes/types.ts';
import type { EnrolmentToken } from '../servers/types.ts';
import type { StatusPage } from '../status-pages/types.ts';
import { peopleOf, type Creator } from './creator.ts';
import type { Invitation } from './types.ts';

/** Access that works without the session of its creator and has not ended. Times are epoch milliseconds. */
export interface Access {
  enrolmentTokens: readonly EnrolmentToken[];
  clusterTokens: readonly ClusterToken[];
  invitations: readonly Invitation[];
  /** Only pages that strangers can read. */
  statusPages: readonly StatusPage[];
}
export type ProposedEnd = 'revoke' | 'replace' | 'keep';

/** A replaced token goes on until its cluster has the new one. */
export const REPLACED_WORKS_MS = 7 * DAY_MS;

/** Returns the end that harms least: a cluster that reported within a day keeps reporting. */
export function proposedEnd({ isReplaced, lastUsedAt }: ClusterToken, now: number): ProposedEnd {
  if (isReplaced) return 'keep';
  return lastUsedAt !== null && now - lastUsedAt <= DAY_MS ? 'replace' : 'revoke';
}

/** Returns what one person made. */
export function accessOf(every: Access, person: string): Access {
  const isTheirs = ({ createdBy }: { createdBy: Creator }): boolean => createdBy === person;
  return {
    enrolmentTokens: every.enrolmentTokens.filter(isTheirs),
    clusterTokens: every.clusterTokens.filter(isTheirs),
    invitations: every.invitations.filter(isTheirs),
    statusPages: every.statusPages.filter(isTheirs),
  };
}

const entriesOf = (access: Access): readonly { createdBy: Creator }[] => [
  ...access.enrolmentTokens,
  ...access.clusterTokens,
  ...access.invitations,
  ...access.statusPages,
];
export const countOf = (access: Access): number => entriesOf(access).length;

/** Returns the people who are no members and whose access still works, with the number of what works. */
export const formerMakers = (every: Access, members: ReadonlySet<string>): { personId: string; works: number }[] =>
  peopleOf(entriesOf(every))
    .filter((person) => !members.has(person))
    .map((personId) => ({ personId, works: countOf(accessOf(every, personId)) }));
