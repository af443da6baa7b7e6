import { hashToken, newToken } from '../accounts/tokens.ts';
import type { Deps } from '../deps.ts';
import { CodedError, notFound } from '../errors.ts';
import { nameOfToken } from '../kubernetes/token-name.ts';
import { visibilityOf } from '../status-pages/types.ts';
import type { Stores } from '../storage.ts';
import { accessOf, countOf, REPLACED_WORKS_MS, type Access } from './access.ts';
import type { Actor } from './actor.ts';
import { nameList } from './name-list.ts';
import type { Owner } from './owner.ts';

type AccessStores = Pick<Stores, 'enrolmentTokens' | 'kubernetes' | 'statusPages' | 'tenancy'>;

/** Ids of what a person made. */
export interface AccessChoices {
  revoke: readonly string[];
  /** Cluster tokens that have reported. */
  replace: readonly string[];
}
export interface ReplacedToken {
  id: string;
  name: string;
  token: string;
  /** The end of the old token, epoch milliseconds. */
  endsAt: number;
}
/** `detail`: words for the audit log, empty where nothing ended. */
export interface EndedAccess {
  replaced: ReplacedToken[];
  detail: Record<string, string>;
}

/** Returns everything in the organisation that works without a session. */
export async function everyAccess(stores: AccessStores, owner: Owner, now: number): Promise<Access> {
  const clusterTokens = await stores.kubernetes.tokens.list(owner);
  const statusPages = await stores.statusPages.list(owner);
  return {
    enrolmentTokens: await stores.enrolmentTokens.list(owner, now),
    clusterTokens: clusterTokens.filter(({ expiresAt }) => expiresAt === null || expiresAt > now),
    invitations: await stores.tenancy.teams.invitations(owner, now),
    statusPages: statusPages.filter((page) => visibilityOf(page, now) === 'public'),
  };
}

/**
 * Returns what a member, or somebody who left, made and what still works. Throws `not_found` for a person who neither is
 * a member nor made any of it.
 */
export async function accessOfPerson(
  stores: AccessStores,
  owner: Owner,
  { personId, now }: { personId: string; now: number },
): Promise<Access> {
  const access = accessOf(await everyAccess(stores, owner, now), personId);
  const { members } = await stores.tenancy.teams.get(owner);
  if (countOf(access) === 0 && !members.some((member) => member.personId === personId)) throw notFound('Member');
  return access;
}

interface Ending {
  owner: Owner;
  by: Actor;
  personId: string;
  now: number;
}

/** Ends chosen access of a person, within the transaction of `stores`. Throws `invalid_parameter`. */
export async function endChosen(stores: AccessStores, ending: Ending, choices: AccessChoices): Promise<EndedAccess> {
  const access = accessOf(await everyAccess(stores, ending.owner, ending.now), ending.personId);
  const twice = choices.replace.find((id) => choices.revoke.includes(id));
  if (twice !== undefined)
    throw invalid('replace', `${twice} is also in revoke`, 'Name each token in one of the two lists.');
  const revoked: string[] = [];
  for (const id of new Set(choices.revoke)) revoked.push(await revoke(stores, ending, access, id));
  const replaced: ReplacedToken[] = [];
  for (const id of new Set(choices.replace)) replaced.push(await replace(stores, ending, access, id));
  return {
    replaced,
    detail: {
      ...(revoked.length > 0 && { revoked: nameList(revoked) }),
      ...(replaced.length > 0 && { replaced: nameList(replaced.map(({ name }) => `cluster token ${name}`)) }),
    },
  };
}

const invalid = (field: keyof AccessChoices, problem: string, remedy: string): CodedError =>
  new CodedError('invalid_parameter', `${field}: ${problem}`, { field, remedy });
const unknownId = (field: keyof AccessChoices, id: string): CodedError =>
  invalid(field, `${id} is nothing that this person made and that still works`, 'Load the list again.');

const byId =
  (id: string) =>
  (entry: { id: string }): boolean =>
    entry.id === id;

/** Returns the words for what it revoked. */
async function revoke(stores: AccessStores, { owner, now }: Ending, access: Access, id: string): Promise<string> {
  if (access.enrolmentTokens.some(byId(id)) && (await stores.enrolmentTokens.revoke(owner, id)))
    return 'install command';
  const token = access.clusterTokens.find(byId(id));
  if (token !== undefined && (await stores.kubernetes.tokens.revoke(owner, id)) !== null)
    return `cluster token ${token.clusterName ?? nameOfToken(token)}`;
  const invitation = access.invitations.find(byId(id));
  if (invitation !== undefined && (await stores.tenancy.teams.withdraw(owner, id)) !== null)
    return `invitation of ${invitation.email ?? 'somebody'} as ${invitation.role}`;
  const page = access.statusPages.find(byId(id));
  if (page !== undefined && (await stores.statusPages.unpublish(owner, id, now))) return `status page ${page.title}`;
  throw unknownId('revoke', id);
}

async function replace(
  { kubernetes: { tokens } }: AccessStores,
  { owner, by, now }: Ending,
  access: Access,
  id: string,
): Promise<ReplacedToken> {
  const old = access.clusterTokens.find(byId(id));
  if (old === undefined) throw unknownId('replace', id);
  const token = newToken('cluster');
  const endsAt = now + REPLACED_WORKS_MS;
  const successor = {
    tokenHash: hashToken(token),
    lastFour: token.slice(-4),
    createdBy: by.person?.id ?? null,
    endsAt,
  };
  const created = await tokens.replace(owner, id, successor, now);
  if (created === null)
    throw invalid(
      'replace',
      old.isReplaced ? `${id} is replaced already` : `no collector has used ${id} yet`,
      old.isReplaced ? 'Leave it out, or revoke it.' : 'Revoke it instead.',
    );
  return { id: created.id, name: created.name, token, endsAt };
}

/**
 * Ends what a member, or somebody who left, made: revokes tokens, withdraws invitations, switches public pages off, and
 * replaces cluster tokens in use. Throws `not_found`, `invalid_parameter`.
 */
export const endAccess = (
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  personId: string,
  choices: AccessChoices,
): Promise<ReplacedToken[]> =>
  storage.inTransaction(async (stores) => {
    const { teams, audit } = stores.tenancy;
    const now = clock.now();
    await teams.lock(owner);
    await accessOfPerson(stores, owner, { personId, now });
    const { replaced, detail } = await endChosen(stores, { owner, by, personId, now }, choices);
    const name = (await teams.findNames([personId])).get(personId) ?? 'deleted account';
    if (Object.keys(detail).length > 0)
      await audit.record(by, 'member_access_ended', { id: personId, member: name, ...detail }, now);
    return replaced;
  });
