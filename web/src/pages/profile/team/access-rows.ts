import type { MemberAccess } from '@plimsoll/contract/wire/accounts/team';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { ROLE_NAME } from '../../../format/role-words.ts';
import { ageText, momentMs } from '../../../time/age.ts';
import { dayAndTime, zoneName } from '../../../time/zone.ts';

export type End = 'revoke' | 'replace' | 'keep';

/** One thing that a member made and that still works. */
export interface AccessRow {
  id: string;
  name: string;
  fact: string;
  proposed: End;
  /** The first one is the proposed end. */
  ends: readonly { value: End; label: string }[];
}

const KEEP = { value: 'keep', label: 'Keep' } as const;
const momentWords = (iso: string): string => {
  const at = momentMs(iso) ?? Number.NaN;
  return `${dayAndTime(at)} ${zoneName(at)}`;
};
const ago = (iso: string): string => `${ageText((Date.now() - (momentMs(iso) ?? Number.NaN)) / 1000)} ago`;

const tokenName = ({ name, cluster_name: cluster, last_four: end }: MemberAccess['cluster_tokens'][number]): string =>
  `Cluster token ${escapeInvisible(cluster ?? name ?? `••••${end}`)}`;

const tokenFact = ({ last_used_at: used, expires_at: end }: MemberAccess['cluster_tokens'][number]): string =>
  [
    used === null ? 'never used' : `last report ${ago(used)}`,
    ...(end === null ? [] : [`ends ${momentWords(end)}`]),
  ].join(', ');

/** Returns the rows of the list, each with the ends that it can have. */
export const accessRows = (access: MemberAccess): AccessRow[] => [
  ...access.cluster_tokens.map((token) => ({
    id: token.id,
    name: tokenName(token),
    fact: tokenFact(token),
    proposed: token.proposed,
    ends: [
      { value: 'revoke', label: 'Revoke now' },
      // Another token replaces one that has `keep`, and one that no collector uses needs no successor.
      ...(token.last_used_at === null || token.proposed === 'keep'
        ? []
        : [{ value: 'replace', label: 'Replace, end in 7 days' } as const]),
      KEEP,
    ] as const,
  })),
  ...access.enrolment_tokens.map(({ id, expires_at: end, servers, proposed }) => ({
    id,
    name: 'Install command',
    fact: `${servers === 1 ? '1 server' : `${String(servers)} servers`} enrolled, ends ${momentWords(end)}`,
    proposed,
    ends: [{ value: 'revoke', label: 'Revoke' }, KEEP] as const,
  })),
  ...access.invitations.map(({ id, role, email, expires_at: end, proposed }) => ({
    id,
    name: `Invitation of ${email === null ? 'whoever has the link' : escapeInvisible(email)}`,
    fact: `${ROLE_NAME[role]}, ends ${momentWords(end)}`,
    proposed,
    ends: [{ value: 'revoke', label: 'Withdraw' }, KEEP] as const,
  })),
  ...access.status_pages.map(({ id, title, proposed }) => ({
    id,
    name: `Status page ${escapeInvisible(title)}`,
    fact: 'public',
    proposed,
    ends: [{ value: 'revoke', label: 'Switch off' }, KEEP] as const,
  })),
];

/** Returns the body of the call for the chosen ends; a row without a choice has its proposed end. */
export function choicesOf(rows: readonly AccessRow[], chosen: ReadonlyMap<string, End>) {
  const idsOf = (end: End) =>
    rows.filter(({ id, proposed }) => (chosen.get(id) ?? proposed) === end).map(({ id }) => id);
  return { revoke: idsOf('revoke'), replace: idsOf('replace') };
}
