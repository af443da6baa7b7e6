import { MOST_HIDDEN_PARTS } from '@plimsoll/contract/rules/servers/hidden-parts';
import { CodedError } from '../errors.ts';
import { requireServer } from '../servers/require-server.ts';
import { nameOf } from '../servers/fleet.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { applyHidden, type HidingDeps } from './apply-hidden.ts';
import type { HiddenPart } from './types.ts';

/**
 * Hides a part of a server: it neither alerts nor counts in the headroom. Throws `not_found` and `plan_limit`. A part that
 * the server does not report may be hidden too, such as a disk that is gone for now.
 */
export async function hidePart(
  deps: HidingDeps,
  { owner, by }: { owner: Owner; by: Actor },
  serverId: string,
  { kind, subject }: Pick<HiddenPart, 'kind' | 'subject'>,
): Promise<HiddenPart[]> {
  const hidden = await deps.storage.inTransaction(async ({ servers, hiddenParts, tenancy }) => {
    const found = await requireServer(servers, owner, serverId);
    await tenancy.teams.lock(owner);
    const before = await hiddenParts.of(found);
    const isHidden = before.some((part) => part.kind === kind && part.subject === subject);
    if (!isHidden && before.length >= MOST_HIDDEN_PARTS)
      throw new CodedError('plan_limit', `A server has at most ${String(MOST_HIDDEN_PARTS)} hidden parts`, {
        remedy: 'Show parts again, or exclude them in the settings of the collector.',
      });
    const now = deps.clock.now();
    await hiddenParts.hide(found, { kind, subject, hiddenAt: now });
    if (kind === 'filesystem') await hiddenParts.correctDisk(found);
    const detail = { id: serverId, server: nameOf(found.server), kind, subject };
    await tenancy.audit.record(by, 'part_hidden', detail, now);
    return hiddenParts.of(found);
  });
  await applyHidden(deps, owner, serverId);
  return hidden;
}
