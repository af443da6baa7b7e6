import type { Deps } from '../../deps.ts';
import { sanitizeText } from '../../reports/sanitize.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { issueClusterToken } from '../cluster-tokens.ts';
import { nameOfToken } from '../token-name.ts';

const NAME_CHARACTERS = 120;

/** Creates a token for the collectors of one cluster. It is shown once. */
export const createClusterToken = (
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  given: string | null,
): Promise<{ id: string; token: string }> =>
  storage.inTransaction(async ({ kubernetes: { tokens }, tenancy }) => {
    const name = given === null ? null : sanitizeText(given, NAME_CHARACTERS);
    const issued = await issueClusterToken({ tokens, clock }, owner, { name, createdBy: by.person?.id ?? null });
    const detail = { id: issued.id, name: nameOfToken({ name, lastFour: issued.token.slice(-4) }) };
    await tenancy.audit.record(by, 'cluster_token_created', detail, clock.now());
    return issued;
  });
