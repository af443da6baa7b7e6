import type { MaintenanceRequest } from '@plimsoll/contract/wire/checks/maintenance';
import { CodedError, notFound } from '../errors.ts';
import type { Stores } from '../storage.ts';
import type { Owner } from '../tenancy/owner.ts';
import { recurrenceProblem } from './periods.ts';
import type { MaintenanceDraft } from './types.ts';

/**
 * Checks what a user writes. Throws `invalid_parameter` with the field, and `not_found` for a server, check or cluster that
 * the owner does not have.
 */
export async function requireDraft(
  { servers, checks, kubernetes }: Pick<Stores, 'servers' | 'checks' | 'kubernetes'>,
  owner: Owner,
  request: MaintenanceRequest,
  now: number,
): Promise<MaintenanceDraft> {
  const draft: MaintenanceDraft = {
    name: request.name,
    schedule: request.schedule,
    zone: request.zone,
    durationSeconds: request.duration_seconds,
    lastDay: request.last_day,
    serverIds: [...new Set(request.server_ids)],
    checkIds: [...new Set(request.check_ids)],
    clusterIds: [...new Set(request.cluster_ids)],
  };
  const problem = recurrenceProblem(draft, now);
  if (problem !== null)
    throw new CodedError('invalid_parameter', `${problem.field}: ${problem.problem}`, {
      field: problem.field,
      remedy: 'Correct the schedule.',
    });
  const { serverIds: ids, checkIds, clusterIds } = draft;
  if (ids.length > 0) {
    const own = await servers.list(owner, { ids, limit: ids.length, offset: 0 });
    if (own.servers.length < ids.length) throw notFound('Server');
  }
  if (checkIds.length > 0) {
    const own = new Set((await checks.list(owner)).map(({ id }) => id));
    if (!checkIds.every((id) => own.has(id))) throw notFound('Check');
  }
  // It throws for a cluster of another account.
  for (const clusterId of clusterIds) await kubernetes.views.clusterStates({ owner, clusterId });
  return draft;
}
