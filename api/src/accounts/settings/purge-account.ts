import type { Identity } from '../store.ts';
import type { Servers } from '../../servers/store.ts';
import type { PersonId } from '../../tenancy/ids.ts';

export interface PurgeDeps {
  servers: Pick<Servers, 'purge'>;
  identity: Pick<Identity, 'accountDeletion'>;
}

/** Deletes an account, its organisation and its servers at once. The next response stops their agents. */
export async function purgeAccount(
  { servers, identity: { accountDeletion } }: PurgeDeps,
  personId: PersonId,
  now: number,
): Promise<void> {
  // Server by server, so that no transaction grows with the account; a cut-off deletion is simply begun again.
  for (const key of await accountDeletion.serverKeys(personId)) await servers.purge(key, now);
  await accountDeletion.delete(personId);
}
