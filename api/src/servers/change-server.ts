import type { Deps } from '../deps.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireServer } from './require-server.ts';

interface ServerChange {
  displayName?: string | null | undefined;
  tags?: Record<string, string> | undefined;
}

/** Changes the name and the tags of a server; what is undefined stays. Throws `not_found`. */
export async function changeServer(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  { owner, by }: { owner: Owner; by: Actor },
  serverId: string,
  { displayName, tags }: ServerChange,
): Promise<void> {
  await storage.inTransaction(async ({ servers, tenancy }) => {
    const found = await requireServer(servers, owner, serverId);
    const { server } = found;
    const name = displayName === undefined ? server.displayName : displayName;
    await servers.update(found, { displayName: name, tags: tags ?? server.tags });
    const fields = [...(displayName === undefined ? [] : ['name']), ...(tags === undefined ? [] : ['tags'])];
    const detail = { id: server.id, server: name ?? server.hostname, fields: fields.join(', ') };
    await tenancy.audit.record(by, 'server_changed', detail, clock.now());
  });
  changes.publish(owner.organisationId, { topic: 'servers', serverId });
}
