import { getCookie } from 'hono/cookie';
import { bearerOf, hashToken, tokenType } from '../accounts/tokens.ts';
import { findSession } from '../accounts/session.ts';
import type { Deps } from '../deps.ts';
import type { Actor } from '../tenancy/actor.ts';
import { memberOf, type Owner } from '../tenancy/owner.ts';
import { CodedError } from '../errors.ts';
import { agentTokenUnknown, serverDeleted } from '../servers/agent-errors.ts';
import type { Reporter } from '../servers/types.ts';
import type { Http, SignedIn, SignedInAgent, SignedInCluster, SignedInReporter } from './define-route.ts';

export const SESSION_COOKIE = 'auth_token';

const unauthenticated = (): CodedError =>
  new CodedError('unauthenticated', 'Not signed in, or the session has ended', { remedy: 'Sign in again.' });

/** A browser sends cookies with requests other sites cause, so the cookie alone may only read. */
const COOKIE_METHODS: readonly string[] = ['GET', 'HEAD'];

/**
 * Who is calling: the bearer header decides when there is one, whatever the cookie says. Throws `unauthenticated`, or
 * `bearer_required` for a change that came with the cookie alone.
 */
export async function authenticateUser(http: Http, deps: Deps): Promise<SignedIn> {
  const header = http.req.header('authorization');
  const cookie = getCookie(http, SESSION_COOKIE);
  if (header === undefined && cookie !== undefined && !COOKIE_METHODS.includes(http.req.method))
    throw new CodedError('bearer_required', 'Changes need the token in the Authorization header', {
      field: 'authorization',
      remedy: 'Send Authorization: Bearer TOKEN.',
    });
  const token = header === undefined ? cookie : bearerOf(header);
  if (token == null) throw unauthenticated();
  const { storage, clock } = deps;
  if (tokenType(token) === 'api') return authenticateApiToken(http, token, deps);
  const session = await findSession({ sessions: storage.sessions, clock }, token);
  if (session === null) throw unauthenticated();
  const { personName, ...known } = session;
  return {
    ...known,
    by: byOf(http, known.owner, { id: known.personId, name: personName }, null),
    kind: 'session',
    scopes: ['read', 'write', 'transfer', 'session'],
  };
}

/** By header or, like a session, in the cookie of a read. It holds its scopes and never `session`. */
async function authenticateApiToken(http: Http, token: string, { storage, clock }: Deps): Promise<SignedIn> {
  const tokenHash = hashToken(token);
  const known = await storage.identity.apiTokens.find(tokenHash, clock.now());
  if (known === null) throw unauthenticated();
  const { person, token: used, membership, scopes, expiresAt } = known;
  const owner = memberOf(membership);
  const by = byOf(http, owner, person, used);
  return { owner, by, personId: person.id, kind: 'api', id: used.id, tokenHash, scopes, expiresAt };
}

const byOf = (http: Http, { organisationId }: Owner, person: Actor['person'], token: Actor['token']): Actor => ({
  organisationId,
  person,
  token,
  address: http.get('clientAddress'),
});

function agentTokenHash(http: Http): Buffer {
  const token = bearerOf(http.req.header('authorization'));
  if (token === null || tokenType(token) !== 'agent') throw agentTokenUnknown();
  return hashToken(token);
}

/** Throws `agent_token_unknown`, or `server_deleted` for a token whose server was purged. */
export async function authenticateAgent(http: Http, deps: Deps): Promise<SignedInAgent> {
  return findAgent(agentTokenHash(http), deps);
}

/**
 * Returns the cached reporter of a token. Only for callers that end in `Reports.accept`, which checks the token again.
 */
export async function authenticateReporter(http: Http, deps: Deps): Promise<SignedInReporter> {
  const tokenHash = agentTokenHash(http);
  const known = deps.reporters.find(tokenHash);
  if (known !== null) return { reporter: known };
  const { agent } = await findAgent(tokenHash, deps);
  deps.reporters.remember(agent);
  return { reporter: agent };
}

/**
 * A report that failed, for whatever reason, may have come with a token that died meanwhile: then that is the answer, as
 * it would be to a token never seen before.
 */
export async function requireLiveToken({ tokenHash }: Reporter, deps: Deps): Promise<void> {
  deps.reporters.forget(tokenHash);
  await findAgent(tokenHash, deps);
}

async function findAgent(tokenHash: Buffer, deps: Deps): Promise<SignedInAgent> {
  const found = await deps.storage.agents.findByToken(tokenHash);
  if (found.state === 'server_deleted') throw serverDeleted();
  if (found.state === 'unknown') {
    const former = await deps.storage.agents.noteFormerToken(tokenHash, deps.clock.now());
    if (former !== null) deps.changes.publish(former.organisationId, { topic: 'servers', serverId: former.serverId });
    throw agentTokenUnknown();
  }
  return { agent: found.agent };
}

/** Throws `cluster_token_unknown`, also for a token that was revoked, that expired unused, and for one of another type. */
export async function authenticateCluster(http: Http, deps: Deps): Promise<SignedInCluster> {
  const token = bearerOf(http.req.header('authorization'));
  const { storage, clock } = deps;
  const known = token !== null && tokenType(token) === 'cluster';
  const cluster = known ? await storage.kubernetes.tokens.find(hashToken(token), clock.now()) : null;
  if (cluster === null)
    throw new CodedError('cluster_token_unknown', 'Cluster token is unknown, revoked or expired', {
      remedy: 'Copy a new one from the Kubernetes tab of Setup into the Secret of the collectors.',
    });
  return { cluster };
}
