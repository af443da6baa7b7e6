import type { Clock } from '../../clock.ts';
import { notFound } from '../../errors.ts';
import type { Stores } from '../../storage.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import { rememberDevice } from '../remembered-device.ts';
import { openSession, type OpenedSession } from '../session.ts';

/** The client that signs in. */
export interface Browser {
  userAgent: string | null;
  address: string;
}

export interface StartedSession extends OpenedSession {
  personId: PersonId;
  /** The secret that the browser keeps, so that its next sign-in is not counted with those of strangers. */
  device: string;
}

type StartStores = Pick<Stores, 'accounts' | 'sessions' | 'identity' | 'tenancy'>;

/** Starts the session of a person who proved who they are, within the transaction of the proof. Throws `not_found`. */
export async function startSession(
  { accounts, sessions, identity, tenancy }: StartStores,
  clock: Clock,
  { personId, method }: { personId: PersonId; method: 'local' | 'code' | 'invitation' },
  { userAgent, address }: Browser,
): Promise<StartedSession> {
  const now = clock.now();
  await accounts.recordLogin(personId, now);
  const member = await tenancy.teams.memberOf(personId);
  if (member === null) throw notFound('Account');
  const opened = await openSession({ sessions, clock }, personId, { userAgent, address, method });
  const device = await rememberDevice({ devices: identity.devices, clock }, personId);
  const { organisationId, name } = member;
  const by = { organisationId, person: { id: personId, name }, token: null, address };
  await tenancy.audit.record(by, 'signed_in', { method }, now);
  return { ...opened, personId, device };
}
