import { notFound } from '../errors.ts';
import { requireServer } from '../servers/require-server.ts';
import { nameOf } from '../servers/fleet.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { applyHidden, type HidingDeps } from './apply-hidden.ts';
import type { HiddenPart } from './types.ts';

/** Shows a hidden part of a server again. Throws `not_found` for the server, and for a part that is not hidden. */
export async function showPart(
  deps: HidingDeps,
  { owner, by }: { owner: Owner; by: Actor },
  serverId: string,
  { kind, subject }: Pick<HiddenPart, 'kind' | 'subject'>,
): Promise<HiddenPart[]> {
  const hidden = await deps.storage.inTransaction(async ({ servers, hiddenParts, tenancy }) => {
    const found = await requireServer(servers, owner, serverId);
    if (!(await hiddenParts.show(found, { kind, subject }))) throw notFound('Hidden part');
    if (kind === 'filesystem') await hiddenParts.correctDisk(found);
    const detail = { id: serverId, server: nameOf(found.server), kind, subject };
    await tenancy.audit.record(by, 'part_shown', detail, deps.clock.now());
    return hiddenParts.of(found);
  });
  await applyHidden(deps, owner, serverId);
  return hidden;
}
