import { SILENCE_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import { CodedError } from '../../errors.ts';
import type { Stores } from '../../storage.ts';
import type { Owner } from '../../tenancy/owner.ts';

/**
 * Locks the organisation until the transaction ends, so that no other call creates silences after the count. Throws
 * `plan_limit`.
 */
export async function requireRoomForSilences(
  { tenancy, silences }: Pick<Stores, 'tenancy' | 'silences'>,
  owner: Owner,
  wanted: number,
  now: number,
): Promise<void> {
  await tenancy.teams.lock(owner);
  const count = await silences.count(owner, now);
  if (count + wanted > SILENCE_LIMITS.perAccount)
    throw new CodedError('plan_limit', `An account has at most ${String(SILENCE_LIMITS.perAccount)} silences`, {
      remedy: 'Delete silences, or use one with a tag or a metric in place of many.',
    });
}
