import type { Hono } from 'hono';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { REPORT_LIMITS, USER_JSON_BYTES } from '@plimsoll/contract/rules/limits';
import { jsonResponse, JsonText } from './json-response.ts';
import { authenticateAgent, authenticateCluster, authenticateReporter, authenticateUser } from './authenticate.ts';
import { requireOperator, requireRole } from '../tenancy/role.ts';
import {
  type ActorOf,
  type Call,
  type Http,
  type HttpEnv,
  roleNeeded,
  type Route,
  scopeNeeded,
  type SignedIn,
} from './define-route.ts';
import { SHARED_CALLS } from './shared-answers.ts';
import { readJson } from './read-body.ts';
import { parseBody, parseQuery, parseShape } from './validate.ts';

type App = Hono<HttpEnv>;

/** Puts every declared call on the router, behind authentication, its rate and validation, in this order. */
export function mountRoutes(app: App, routes: readonly Route[], deps: Deps): void {
  for (const route of routes) app.on(route.spec.method, route.spec.path, (http) => run(route, http, deps));
  const methods = new Map<string, string[]>();
  for (const { spec } of routes) methods.set(spec.path, [...(methods.get(spec.path) ?? []), spec.method]);
  for (const [path, allowed] of methods)
    app.all(path, (http) => {
      http.header('Allow', allowed.join(', '));
      throw new CodedError('method_not_allowed', `Only ${allowed.join(', ')} is allowed here`);
    });
}

async function run(route: Route, http: Http, deps: Deps): Promise<Response> {
  const { spec } = route;
  http.set('route', spec.path);
  const actor = await admit(route, http, deps);
  const params = spec.params ? parseShape(http.req.param(), spec.params, 'The path') : {};
  const query = parseQuery(http.req.url, spec.query);
  const body = spec.body ? parseBody(await readAsked(spec.body, spec.bodyBytes, http), spec.body) : undefined;
  const answer = await answerOf(route, { actor, params, query, body, http }, deps);
  if (answer instanceof Response) {
    if (!answer.headers.has('Cache-Control')) answer.headers.set('Cache-Control', 'no-store');
    return answer;
  }
  http.header('Cache-Control', 'no-store');
  return jsonResponse(http, spec.path, answer);
}

/** The handler's own response, or what it returned as JSON. */
async function answerOf(route: Route, call: Call, { sharedAnswers, checkAnswers }: Deps): Promise<Response | JsonText> {
  const { spec } = route;
  const ask = async (): Promise<Response | JsonText> => {
    const answer = await route.handle(call);
    if (answer instanceof Response) return answer;
    if (checkAnswers && spec.answer) spec.answer.parse(answer);
    return new JsonText(spec.bare ? answer : { success: true, data: answer });
  };
  if (spec.actor !== 'user' || sharedAnswers === null) return ask();
  const { organisationId } = (call.actor as SignedIn).owner;
  if (spec.method === 'GET')
    return SHARED_CALLS.has(spec.path)
      ? sharedAnswers.get(organisationId, JSON.stringify([spec.path, call.query]), ask)
      : ask();
  try {
    return await ask();
  } finally {
    sharedAnswers.forget(organisationId);
  }
}

/**
 * Behind Node's server every POST has a stream; a browser sends `Content-Length: 0`, curl no header of a body at all.
 */
const withoutBody = ({ body, headers }: Request): boolean =>
  body === null ||
  headers.get('content-length') === '0' ||
  !['content-length', 'transfer-encoding', 'content-type'].some((name) => headers.has(name));

/** A call whose body may be left out is also understood without one. */
const readAsked = (schema: z.ZodType, most: number | undefined, http: Http): Promise<unknown> =>
  withoutBody(http.req.raw) && schema.safeParse(undefined).success
    ? Promise.resolve(undefined)
    : readJson(http.req.raw, most);

/** Answers who may go on; the rest is thrown. */
async function admit(route: Route, http: Http, deps: Deps): Promise<ActorOf[keyof ActorOf]> {
  const { spec } = route;
  const { rates, clock } = deps;
  if (spec.actor === 'user') {
    const user = await authenticateUser(http, deps);
    if (!spec.unlimited) rates.user.require(user.personId, clock.now());
    requireScope(user, scopeNeeded(spec));
    requireRole(user.owner, roleNeeded(spec));
    if (spec.operator) requireOperator(user.owner, await deps.storage.accounts.oldest());
    if (mayBeLarge(spec.bodyBytes, http.req.raw)) rates.largeBody.require(user.personId, clock.now());
    return user;
  }
  if (spec.actor === 'agent') {
    requireWireSize(http);
    const agent = await authenticateAgent(http, deps);
    rates.agent.require(agent.agent.serverId, clock.now());
    return agent;
  }
  if (spec.actor === 'reporter') {
    requireWireSize(http);
    const reporter = await authenticateReporter(http, deps);
    rates.agent.require(reporter.reporter.serverId, clock.now());
    return reporter;
  }
  if (spec.actor === 'cluster') {
    requireWireSize(http);
    const cluster = await authenticateCluster(http, deps);
    if (!spec.unlimited) rates.agent.require(cluster.cluster.tokenId, clock.now());
    return cluster;
  }
  return null;
}

/** Asked before the body is read. One that is packed, or whose length is not declared, may be as large as the call takes. */
function mayBeLarge(most: number | undefined, { headers }: Request): boolean {
  if (most === undefined || most <= USER_JSON_BYTES) return false;
  const isPlain = !headers.has('content-encoding');
  return !(isPlain && Number(headers.get('content-length') ?? Infinity) <= USER_JSON_BYTES);
}

function requireWireSize(http: Http): void {
  if (Number(http.req.header('content-length') ?? 0) > REPORT_LIMITS.wireBytes)
    throw new CodedError(
      'body_too_large',
      `The body is larger than ${String(REPORT_LIMITS.wireBytes)} bytes on the wire`,
      {
        remedy: 'Send fewer reports in one request.',
      },
    );
}

function requireScope(user: SignedIn, scope: string): void {
  const isImplied = (scope === 'metrics' || scope === 'changes') && user.scopes.includes('write');
  if (!isImplied && !user.scopes.includes(scope))
    throw new CodedError('scope_missing', `This token does not have the scope "${scope}"`, {
      remedy:
        scope === 'session' ? 'Sign in and use the session for this.' : `Create a token with the scope "${scope}".`,
    });
}
