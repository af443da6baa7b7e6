import { Context } from 'hono';
import type { z } from 'zod';
import { CodedError } from '../errors.ts';
import { founderOf, type OrganisationId } from '../tenancy/ids.ts';
import { memberOf } from '../tenancy/owner.ts';
import { requireRole } from '../tenancy/role.ts';
import { type Http, type HttpEnv, roleNeeded, type Route, type SignedIn } from './define-route.ts';
import { parseBody, parseQuery, parseShape } from './validate.ts';

/** Values of a path's `:names` and of the query string; a body makes it a POST call. */
interface Asked {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}
/** Reads a call as its caller would, in this process. The answer is parsed with `schema`. */
export type ReadCall = <S extends z.ZodType>(path: string, schema: S, asked?: Asked) => Promise<z.output<S>>;

/**
 * Returns a reader of the declared GET calls, and of POST calls that need the scope "read" only, for one caller. Validation, role and ownership are those of the call
 * itself, so a reader sees what the caller's own requests would return and nothing else.
 */
export function createReadCall(routes: readonly Route[], actor: SignedIn, http: Http): ReadCall {
  return async (path, schema, { params = {}, query = {}, body } = {}) => {
    const route = routes.find(({ spec }) => spec.path === path && isReading(spec, body));
    // No coded error: readers take "not found" for a thing that is not there, and would go on without what they need.
    if (route?.spec.actor !== 'user') throw new Error(`No call is declared at ${path}`);
    if (!actor.scopes.includes('read'))
      throw new CodedError('scope_missing', 'This token does not have the scope "read"', {
        remedy: 'Create a token with the scope "read".',
      });
    requireRole(actor.owner, roleNeeded(route.spec));
    const url = new URL('http://in.process/');
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const answer = await route.handle({
      actor,
      http,
      params: route.spec.params ? parseShape(params, route.spec.params, 'The path') : {},
      query: parseQuery(url.href, route.spec.query),
      body: route.spec.body ? parseBody(body, route.spec.body) : undefined,
    });
    return schema.parse(answer);
  };
}

/** Returns a reader for work that no person requested: it sees what a viewer of the organisation sees. */
export const createOrganisationReadCall = (routes: readonly Route[], organisationId: OrganisationId): ReadCall => {
  const actor: SignedIn = {
    owner: memberOf({ organisationId, role: 'viewer' }),
    personId: founderOf(organisationId),
    by: { organisationId, person: null, token: null, address: null },
    kind: 'api',
    id: '',
    tokenHash: Buffer.alloc(0),
    scopes: ['read'],
    expiresAt: null,
  };
  return createReadCall(routes, actor, new Context<HttpEnv>(new Request('http://in.process/')));
};

const isReading = ({ method, scope }: Route['spec'], body: unknown): boolean =>
  body === undefined ? method === 'GET' : method === 'POST' && scope === 'read';
