import type { PersonId } from './ids.ts';
import { personIdOf } from './ids.ts';

/** The author of a token, an invitation or a status page. Null: unknown, because an earlier version did not store it. */
export type Creator = PersonId | 'plimsoll' | null;

interface CreatorColumns {
  createdBy: string | null;
  byPlimsoll: boolean;
}
export const creatorOf = ({ createdBy, byPlimsoll }: CreatorColumns): Creator =>
  byPlimsoll ? 'plimsoll' : createdBy === null ? null : personIdOf(createdBy);
export const creatorColumns = (creator: Creator): CreatorColumns => ({
  createdBy: creator === 'plimsoll' ? null : creator,
  byPlimsoll: creator === 'plimsoll',
});

/** Returns the creator for an answer. `names` lacks accounts that are deleted. */
export function shapeCreator(
  creator: Creator,
  names: ReadonlyMap<string, string>,
): { account_id: string | null; name: string | null } | null {
  if (creator === null) return null;
  return creator === 'plimsoll'
    ? { account_id: null, name: 'Plimsoll' }
    : { account_id: creator, name: names.get(creator) ?? null };
}

/** Returns the people among creators. */
export const peopleOf = (entries: readonly { createdBy: Creator }[]): PersonId[] => [
  ...new Set(entries.flatMap(({ createdBy }) => (createdBy === null || createdBy === 'plimsoll' ? [] : [createdBy]))),
];
