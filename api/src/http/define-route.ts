import type { Context } from 'hono';
import type { z } from 'zod';
import type { Owner } from '../tenancy/owner.ts';
import type { Role } from '../tenancy/role.ts';
import type { ClusterAgent } from '../kubernetes/types.ts';
import type { Agent, Reporter } from '../servers/types.ts';
import type { PersonId } from '../tenancy/ids.ts';
import type { AuditAction } from '../tenancy/types.ts';
import type { Actor as AuditedActor } from '../tenancy/actor.ts';

export interface HttpEnv {
  Variables: { requestId: string; route: string; clientAddress: string; secure: boolean };
}
export type Http = Context<HttpEnv>;

/** Caller of a request. A session has all `scopes`. */
export interface SignedIn {
  /** The caller's organisation, with the caller's role in it. */
  owner: Owner;
  /** Owns sessions, tokens, second factor and conversations. Everything else belongs to `owner`. */
  personId: PersonId;
  /** The caller as the audit log records it. */
  by: AuditedActor;
  kind: 'session' | 'api';
  id: string;
  tokenHash: Buffer;
  scopes: readonly string[];
  /** Epoch milliseconds; null: does not expire. */
  expiresAt: number | null;
}
export interface SignedInAgent {
  agent: Agent;
}
export interface SignedInReporter {
  reporter: Reporter;
}
export interface SignedInCluster {
  cluster: ClusterAgent;
}
/**
 * `enrolment`: the token travels in the body and the handler spends it. `reporter`: an agent's token that the handler's
 * own statement checks.
 */
export interface ActorOf {
  anyone: null;
  user: SignedIn;
  agent: SignedInAgent;
  reporter: SignedInReporter;
  cluster: SignedInCluster;
  enrolment: null;
}
export type Actor = keyof ActorOf;

export type Shape = Readonly<Record<string, z.ZodType>>;
export type Parsed<S extends Shape> = { [K in keyof S]: z.output<S[K]> };

export interface Call<A extends Actor = Actor, P = unknown, Q = unknown, B = unknown> {
  actor: ActorOf[A];
  params: P;
  query: Q;
  body: B;
  http: Http;
}

export interface RouteSpec<
  A extends Actor,
  P extends Shape,
  Q extends Shape,
  B extends z.ZodType,
  R extends z.ZodType,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Hono's form: `/api/servers/:id`. */
  path: string;
  actor: A;
  summary: string;
  tag: string;
  /** Name of the call in generated clients. Only where the one made of method and path belongs to another call. */
  operationId?: string;
  params?: P;
  query?: Q;
  /** Parsed from JSON of at most `bodyBytes`. Without it the body is left alone, for handlers that stream it. */
  body?: B;
  /** Default: 64 KiB. */
  bodyBytes?: number;
  /** Schema of `data`; with `bare`, of the whole response. null: the handler returns its own Response. */
  answer: R | null;
  bare?: true;
  /** Scope that an ApiToken needs; `session` rejects ApiTokens. Default: read for GET, write for the rest. */
  scope?: 'read' | 'write' | 'transfer' | 'metrics' | 'changes' | 'session';
  /** The lowest role of the caller in the organisation. Default: viewer for GET, editor for the rest. */
  role?: Role;
  /** For the operator only: figures of the whole installation, over all accounts. */
  operator?: true;
  /**
   * A successful call leaves one entry of one of these actions in the audit log, or none where nothing changed. null:
   * none, and `notAudited` says why.
   */
  audit?: AuditAction | readonly AuditAction[] | null;
  notAudited?: string;
  /** Not counted against the caller's rate; the handler or the network in front limits it. */
  unlimited?: true;
}

/** A call that may change something declares what it leaves in the audit log. */
type Audited =
  | { method: 'GET' }
  | { audit: AuditAction | readonly AuditAction[] }
  | { audit: null; notAudited: string };

/** The actions that a call may leave in the audit log. */
export const auditedActions = ({ audit }: Pick<Route['spec'], 'audit'>): readonly AuditAction[] =>
  audit == null ? [] : [audit].flat();

/** The role that a call needs; a call of no signed-in user needs none. */
export const roleNeeded = ({ method, role }: Pick<Route['spec'], 'method' | 'role'>): Role =>
  role ?? (method === 'GET' ? 'viewer' : 'editor');

/** The scope that an API token needs for a call. */
export const scopeNeeded = ({ method, scope }: Pick<Route['spec'], 'method' | 'scope'>): string =>
  scope ?? (method === 'GET' ? 'read' : 'write');

/** A route with its types worn away, as the registry holds it. */
export interface Route {
  readonly spec: RouteSpec<Actor, Shape, Shape, z.ZodType, z.ZodType>;
  handle(call: Call): Promise<unknown>;
}

/**
 * One call of the API. Validation, authentication, OpenAPI and the test matrix all read this declaration, so a call
 * cannot exist without them.
 */
export function defineRoute<
  A extends Actor,
  R extends z.ZodType,
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends z.ZodType = z.ZodUndefined,
>(
  spec: RouteSpec<A, P, Q, B, R> & Audited,
  handler: (call: Call<A, Parsed<P>, Parsed<Q>, z.output<B>>) => Promise<z.input<R> | Response>,
): Route {
  return { spec, handle: handler };
}
