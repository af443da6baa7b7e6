import { notFound } from '../errors.ts';
import type { Authorized, Owner } from '../tenancy/owner.ts';
import type { Servers } from './store.ts';
import type { ServerWithLatest } from './types.ts';

/** A server of the caller, or `not_found`: a foreign id answers like an unknown one. */
export async function requireServer(servers: Servers, owner: Owner, id: string): Promise<Authorized<ServerWithLatest>> {
  const found = await servers.get(owner, id);
  if (found === null) throw notFound('Server');
  return found;
}
