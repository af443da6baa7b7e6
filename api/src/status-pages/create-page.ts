import { randomBytes } from 'node:crypto';
import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireDraft } from './require-draft.ts';
import { loggedPage, type StatusPage, type StatusPageDraft } from './types.ts';

const SLUG_BYTES = 16;

/** Creates a status page. Throws `invalid_parameter`, `not_found` for a server or check of another account, `plan_limit`. */
export async function createPage(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  draft: StatusPageDraft,
): Promise<StatusPage> {
  return storage.inTransaction(async ({ servers, checks, statusPages, tenancy }) => {
    const now = clock.now();
    await tenancy.teams.lock(owner);
    await requireDraft({ servers, checks }, owner, draft, now);
    if ((await statusPages.list(owner)).length >= STATUS_PAGE_LIMITS.perAccount)
      throw new CodedError('plan_limit', `An account has at most ${String(STATUS_PAGE_LIMITS.perAccount)} pages`, {
        remedy: 'Delete a status page.',
      });
    const slug = randomBytes(SLUG_BYTES).toString('base64url');
    const page = await statusPages.create(owner, draft, { slug, createdBy: by.person?.id ?? null }, now);
    await tenancy.audit.record(by, 'status_page_created', loggedPage(page, now), now);
    return page;
  });
}
