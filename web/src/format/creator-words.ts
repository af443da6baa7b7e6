import type { CreatorOnWire } from '@plimsoll/contract/wire/creator';
import { escapeInvisible } from './escape-invisible.ts';

/** Returns who made something. An earlier version did not store it. */
export function creatorWords(creator: CreatorOnWire): string {
  if (creator === null) return 'unknown';
  return creator.name === null ? 'a deleted account' : escapeInvisible(creator.name);
}
