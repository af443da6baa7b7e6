import { randomBytes } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { Stores } from '../storage.ts';
import { type GroupRoles, roleOfGroups } from './group-role.ts';
import type { Role } from '../tenancy/role.ts';
import { invalidInvitation } from '../tenancy/invalid-invitation.ts';
import { normaliseEmail } from './normalise-email.ts';
import type { Person, SignInProvider } from './provider.ts';
import { createMember } from './sign-up-invited.ts';
import { hashToken, newToken } from './tokens.ts';
import type { SignInFlow } from './types.ts';
import type { PersonId } from '../tenancy/ids.ts';

/** Time to sign in at the provider. */
const FLOW_MS = 10 * 60 * 1000;
/** Time for our own page to exchange the code. */
const CODE_MS = 5 * 60 * 1000;

export interface SignUpRules {
  emails: readonly string[];
  domains: readonly string[];
  githubOrganisations: readonly string[];
}
interface Rules {
  signUp: SignUpRules;
  /** Null: groups mean nothing. */
  groupRoles: GroupRoles | null;
}
export type ExternalDeps = Rules & Pick<Deps, 'storage' | 'clock'> & { streams: Pick<Deps['streams'], 'endSession'> };

const secret = (): string => randomBytes(32).toString('base64url');

export interface Begun {
  url: string;
  /** For an HttpOnly cookie: the callback counts only in the browser that has it. */
  binding: string;
}

/**
 * Begins a sign-in at a provider. State, nonce and verifier stay here; only their use goes over the wire. An invitation
 * lets somebody new create an account.
 */
export async function beginSignIn(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  provider: SignInProvider,
  redirectUri: string,
  invitationHash: Buffer | null,
): Promise<Begun> {
  const secrets = { state: secret(), nonce: secret(), verifier: secret() };
  const binding = secret();
  const { nonce, verifier } = secrets;
  const flow = { provider: provider.id, nonce, verifier, bindingHash: hashToken(binding), invitationHash };
  const url = await provider.authorizationUrl(secrets, redirectUri);
  await storage.identity.flows.create(hashToken(secrets.state), { ...flow, expiresAt: clock.now() + FLOW_MS });
  return { url, binding };
}

export interface Finished {
  /** For our own page, which exchanges it for the session. */
  code: string;
  /** For an HttpOnly SameSite=Strict cookie: the code works only beside it. */
  binding: string;
  personId: PersonId;
  /** True if an invitation was used up for a new account. */
  isInvited: boolean;
}

/**
 * Finishes a sign-in whose browser is back. The state is used up first, whatever follows. Throws `state_invalid` (unknown, used, expired,
 * another provider's or another browser's), `provider_failed`, `sign_up_closed`, `email_taken`, `invitation_invalid`,
 * `invitation_other_address`.
 */
export async function finishSignIn(
  deps: ExternalDeps,
  provider: SignInProvider,
  callback: URL,
  binding: string | undefined,
): Promise<Finished> {
  const { storage, clock, streams } = deps;
  const state = callback.searchParams.get('state') ?? '';
  const now = clock.now();
  const flow = state === '' ? null : await storage.identity.flows.consume(hashToken(state), now);
  const bound = flow !== null && binding !== undefined && flow.bindingHash.equals(hashToken(binding));
  if (!bound || flow.provider !== provider.id)
    throw new CodedError('state_invalid', 'This sign-in was started elsewhere, has expired or was used', {
      remedy: 'Start the sign-in again.',
    });
  if (callback.searchParams.has('error'))
    throw new CodedError('provider_refused', 'The provider did not let you sign in');
  const person = await provider.identify(callback, { state, nonce: flow.nonce, verifier: flow.verifier });
  const arriving = { ...person, provider: provider.id, role: groupRoleOf(deps, person) };
  const issued = { code: newToken('code'), binding: secret() };
  const { ended, ...finished } = await storage.inTransaction(async (stores) => {
    const arrived = await accountOf(deps, stores, arriving, { flow, now });
    const { personId } = arrived;
    const left = await settleMembership(deps, stores, { ...arriving, personId }, now);
    const code = { codeHash: hashToken(issued.code), personId, bindingHash: hashToken(issued.binding) };
    await stores.signInCodes.create({ ...code, expiresAt: now + CODE_MS }, now);
    return { ...arrived, ended: left };
  });
  for (const reader of ended) streams.endSession(reader);
  return { ...issued, ...finished };
}

/** A person as the provider describes them, with the role that the groups give; null: none. */
type Arriving = Person & { provider: SignInProvider['id']; role: Role | null };

const groupRoleOf = ({ groupRoles }: Rules, { groups }: Person): Role | null =>
  groupRoles === null || groups === undefined ? null : roleOfGroups(groupRoles, groups);

/** Makes the groups true: joins with their role, or ends what they gave before. Returns readers whose streams must end. */
async function settleMembership(
  { groupRoles }: Rules,
  { tenancy: { teams } }: Stores,
  { personId, groups, role }: Arriving & { personId: PersonId },
  now: number,
): Promise<string[]> {
  if (groupRoles === null || groups === undefined) return [];
  if (role === null) return teams.leaveByGroups(personId);
  await teams.joinByGroups(personId, role, now);
  return [];
}

interface Arrival {
  flow: Pick<SignInFlow, 'invitationHash'>;
  now: number;
}

async function accountOf(
  rules: Rules,
  stores: Stores,
  person: Arriving,
  { flow: { invitationHash }, now }: Arrival,
): Promise<{ personId: PersonId; isInvited: boolean }> {
  const { accounts, identity } = stores;
  const { identities } = identity;
  const known = await identities.find(person.provider, person.subject);
  if (known !== null && (await accounts.get(known))?.isActive === false)
    throw new CodedError('sign_up_closed', 'This account is disabled');
  const isInvited = known === null && invitationHash !== null;
  const personId =
    known ??
    (isInvited ? await useInvitation(stores, invitationHash, person, now) : await signUp(rules, stores, person, now));
  const { name, avatarUrl, githubUsername } = person;
  await identities.describe(personId, { name, avatarUrl, ...(githubUsername !== undefined && { githubUsername }) });
  return { personId, isInvited };
}

/** Creates an account by an invitation, whether anybody may sign up or not. The provider must have verified the address. */
async function useInvitation(
  stores: Stores,
  invitationHash: Buffer,
  { email, name, provider, subject }: Arriving,
  now: number,
): Promise<PersonId> {
  const invitation = await stores.tenancy.teams.peek(invitationHash, now);
  if (invitation === null) throw invalidInvitation();
  const own = email === null ? null : normaliseEmail(email);
  if (own === null || (invitation.email !== null && invitation.email !== own))
    throw new CodedError(
      'invitation_other_address',
      'The invitation is for another e-mail address, or yours is not verified',
      {
        remedy: 'Sign in with the address that was invited.',
      },
    );
  const account = { email: own, name, passwordHash: null, identity: { provider, subject } };
  return createMember(stores, invitationHash, account, now);
}

async function signUp(
  { signUp: rules }: Rules,
  { accounts }: Stores,
  { provider, subject, ...person }: Arriving,
  now: number,
): Promise<PersonId> {
  if (person.email === null || (person.role === null && !maySignUp(rules, provider, { subject, ...person })))
    throw new CodedError('sign_up_closed', 'No account exists for this sign-in, and it may not create one', {
      remedy: 'Ask the operator to allow your address, domain, group or GitHub organisation.',
    });
  const { email, name } = person;
  return (await accounts.create({ email, name, passwordHash: null, identity: { provider, subject } }, now)).id;
}

/** Closed unless a rule names the verified address, its domain, or a GitHub organisation of the person. */
export function maySignUp(rules: SignUpRules, provider: SignInProvider['id'], person: Person): boolean {
  const email = person.email === null ? null : normaliseEmail(person.email);
  // Mail servers disagree about an address with two "@": `x@a.test@b.test` may be delivered to either domain.
  const [, domain] = /^[^@\s]+@([^@\s]+)$/.exec(email ?? '') ?? [];
  if (email === null || domain === undefined) return false;
  const organisations = provider === 'github' ? (person.organisations ?? []) : [];
  return (
    rules.emails.includes(email) ||
    rules.domains.includes(domain) ||
    organisations.some((organisation) => rules.githubOrganisations.includes(organisation))
  );
}
