import type { Checks } from '../checks/store.ts';
import { CodedError, notFound } from '../errors.ts';
import type { Servers } from '../servers/store.ts';
import type { Owner } from '../tenancy/owner.ts';
import { serversOf, type StatusPageDraft } from './types.ts';

/** Throws `invalid_parameter` for an end in the past, `not_found` for a server or check that the owner does not have. */
export async function requireDraft(
  { servers, checks }: { servers: Pick<Servers, 'list'>; checks: Pick<Checks, 'list'> },
  owner: Owner,
  draft: StatusPageDraft,
  now: number,
): Promise<void> {
  if (draft.expiresAt !== null && draft.expiresAt <= now)
    throw new CodedError('invalid_parameter', 'expires_at: must be in the future', {
      field: 'expires_at',
      remedy: 'Send a later time, or null for a page that does not expire.',
    });
  const ids = serversOf([draft]);
  if (ids.length > 0) {
    const own = await servers.list(owner, { ids, limit: ids.length, offset: 0 });
    if (own.servers.length < ids.length) throw notFound('Server');
  }
  if (draft.checks.length === 0) return;
  const own = new Set((await checks.list(owner)).map(({ id }) => id));
  if (draft.checks.some(({ checkId }) => !own.has(checkId))) throw notFound('Check');
}
