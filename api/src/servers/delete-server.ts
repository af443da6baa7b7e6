import type { Deps } from '../deps.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireServer } from './require-server.ts';

/** Deletes a server and everything it reported; its agent stops. Throws `not_found`. */
export async function deleteServer(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  { owner, by }: { owner: Owner; by: Actor },
  serverId: string,
): Promise<void> {
  await storage.inTransaction(async ({ servers, tenancy }) => {
    const found = await requireServer(servers, owner, serverId);
    await servers.delete(found, clock.now());
    const { id, hostname, displayName } = found.server;
    await tenancy.audit.record(by, 'server_deleted', { id, server: displayName ?? hostname }, clock.now());
  });
  changes.publish(owner.organisationId, { topic: 'servers', serverId });
}
