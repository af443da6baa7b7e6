import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireDraft } from './require-draft.ts';
import { loggedPage, type StatusPage, type StatusPageDraft } from './types.ts';

/** Replaces a status page; its address stays. Throws `invalid_parameter`, `not_found` for page, server and check. */
export async function changePage(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
  draft: StatusPageDraft,
): Promise<StatusPage> {
  return storage.inTransaction(async ({ servers, checks, statusPages, tenancy }) => {
    const now = clock.now();
    if ((await statusPages.get(owner, id)) === null) throw notFound('Status page');
    await requireDraft({ servers, checks }, owner, draft, now);
    const page = await statusPages.update(owner, id, draft, now);
    if (page === null) throw notFound('Status page');
    await tenancy.audit.record(by, 'status_page_changed', loggedPage(page, now), now);
    return page;
  });
}
