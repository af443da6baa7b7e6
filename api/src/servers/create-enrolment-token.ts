import type { Deps } from '../deps.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { issueEnrolmentToken, type IssuedEnrolmentToken } from './enrol.ts';

/** Creates the token of an install command. */
export const createEnrolmentToken = (
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
): Promise<IssuedEnrolmentToken> =>
  storage.inTransaction(async ({ enrolmentTokens, tenancy }) => {
    const issued = await issueEnrolmentToken({ enrolmentTokens, clock }, owner, { createdBy: by.person?.id ?? null });
    const detail = { id: issued.id, expires: new Date(issued.expiresAt).toISOString() };
    await tenancy.audit.record(by, 'enrolment_token_created', detail, clock.now());
    return issued;
  });
