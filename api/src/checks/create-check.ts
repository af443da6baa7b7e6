import { randomBytes, randomUUID, hash } from 'node:crypto';
import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';
import type { CheckRequest } from '@plimsoll/contract/wire/checks/checks';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireDraft } from './require-draft.ts';
import type { Check } from './types.ts';

/** 256 random bits: whoever has the key may call the heartbeat. */
const KEY_BYTES = 32;
/** At rest only the hash of a key is kept: 256 random bits need no slow one. */
export const hashHeartbeatKey = (key: string): Buffer => hash('sha256', key, 'buffer');

/**
 * Creates a check. The key of a heartbeat is returned this once. Throws `invalid_parameter` with the field, `not_found` for a
 * server, `role_insufficient`, `plan_limit`.
 */
export async function createCheck(
  { storage, clock, secretBox, config }: Pick<Deps, 'storage' | 'clock' | 'secretBox' | 'config'>,
  { owner, by }: { owner: Owner; by: Actor },
  request: CheckRequest,
): Promise<{ check: Check; heartbeatKey: string | null }> {
  const id = randomUUID();
  const heartbeatKey = request.heartbeat === null ? null : randomBytes(KEY_BYTES).toString('base64url');
  return storage.inTransaction(async ({ servers, checks, tenancy }) => {
    const now = clock.now();
    await tenancy.teams.lock(owner);
    const saved = await requireDraft(
      { servers, checks, secretBox, checkNetworks: config.checkNetworks },
      owner,
      id,
      request,
      null,
    );
    if ((await checks.count(owner)) >= CHECK_LIMITS.perAccount)
      throw new CodedError('plan_limit', `An account has at most ${String(CHECK_LIMITS.perAccount)} checks`, {
        remedy: 'Delete a check.',
      });
    const keyHash = heartbeatKey === null ? null : hashHeartbeatKey(heartbeatKey);
    const check = await checks.create(owner, saved, { id, createdBy: by.person?.id ?? null, keyHash }, now);
    await checks.bumpConfig(owner);
    await tenancy.audit.record(by, 'check_created', { id, name: check.name, kind: check.kind }, now);
    return { check, heartbeatKey };
  });
}
