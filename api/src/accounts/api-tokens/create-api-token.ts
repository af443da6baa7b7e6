import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { Deps } from '../../deps.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import { hashToken, newToken } from '../tokens.ts';
import type { ApiToken, TokenScope } from '../types.ts';

interface Draft {
  name: string;
  scopes: readonly TokenScope[];
  /** Null: it does not expire. */
  days: number | null;
}

/** Creates a token of the caller, in place of the one of the same name, whose streams end. Returns the secret. */
export async function createApiToken(
  { storage, clock, streams }: Pick<Deps, 'storage' | 'clock' | 'streams'>,
  { by, personId }: { by: Actor; personId: PersonId },
  { name, scopes, days }: Draft,
): Promise<{ token: ApiToken; secret: string; isReplaced: boolean }> {
  const secret = newToken('api');
  const now = clock.now();
  const expiresAt = days === null ? null : now + days * DAY_MS;
  const entry = { name, scopes, tokenHash: hashToken(secret), lastFour: secret.slice(-4), expiresAt };
  const { token, replacedId } = await storage.inTransaction(async ({ identity, tenancy }) => {
    const made = await identity.apiTokens.replace(personId, entry, now);
    await tenancy.audit.record(by, 'token_created', { name, scopes: scopes.join(' ') }, now);
    return made;
  });
  if (replacedId !== null) streams.endSession(replacedId);
  return { token, secret, isReplaced: replacedId !== null };
}
