import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { loggedPage } from './types.ts';

/** Deletes a status page; its address stops working at once. Throws `not_found`. */
export async function deletePage(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
): Promise<void> {
  await storage.inTransaction(async ({ statusPages, tenancy }) => {
    const now = clock.now();
    const page = await statusPages.get(owner, id);
    if (page === null || !(await statusPages.delete(owner, id))) throw notFound('Status page');
    await tenancy.audit.record(by, 'status_page_deleted', loggedPage({ ...page, isPublished: false }, now), now);
  });
}
