import { noLimits } from './no-limits.ts';
import { allRoutes, createApp } from '../app.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { SecretBox, SEALING_KEY_BYTES } from '../accounts/secret-encryption.ts';
import { openSession } from '../accounts/session.ts';
import { issueEnrolmentToken } from '../servers/enrol.ts';
import { loadConfig, type Config } from '../config.ts';
import { createDeps, type Deps } from '../deps.ts';
import { ownerOf } from '../tenancy/owner.ts';
import type { Storage } from '../storage.ts';
import type { Route } from '../http/define-route.ts';
import type { AuditAction } from '../tenancy/types.ts';
import { noteAudit, notingAudit, requireDeclared } from './noted-audit.ts';
import { createLogger } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { type OrganisationId, ownOrganisationOf, type PersonId } from '../tenancy/ids.ts';

/** A clock that tests move by hand. It starts with the time of the machine. */
export class TestClock {
  ms: number;
  constructor(ms = Date.now()) {
    this.ms = ms;
  }
  now(): number {
    return this.ms;
  }
  pass(seconds: number): void {
    this.ms += seconds * 1000;
  }
}

export interface TestApp {
  deps: Deps;
  clock: TestClock;
  /** Sends a request to the app; `body` as JSON. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** An account of its own with a session. */
  newUser(name?: string): Promise<TestUser>;
  /** A server of the user, enrolled as an agent does. */
  newAgent(user: TestUser, hostname?: string): Promise<TestAgent>;
}
interface CallOptions {
  token?: string;
  cookie?: string;
  body?: unknown;
  headers?: Record<string, string>;
}
export interface Answer {
  status: number;
  headers: Headers;
  /** Actions that the call left in the audit log. */
  audited: readonly AuditAction[];
  text: string;
  /** The parsed body; undefined when it is no JSON. */
  json: { success?: boolean; data?: never; detail?: string; code?: string; field?: string; remedy?: string } & Record<
    string,
    never
  >;
}
export interface TestUser {
  personId: PersonId;
  organisationId: OrganisationId;
  email: string;
  token: string;
}
export interface TestAgent {
  serverId: string;
  token: string;
}

const isValue = (part: string): boolean => part.startsWith(':');
/** Returns the declared route of a path: one without values before one with them. */
function routeOf(routes: readonly Route[], method: string, path: string): Route | null {
  const parts = (path.split('?')[0] ?? '').split('/');
  const fitting = routes.filter(({ spec }) => {
    const declared = spec.path.split('/');
    return (
      spec.method === method &&
      declared.length === parts.length &&
      declared.every((part, index) => isValue(part) || part === parts[index])
    );
  });
  const values = ({ spec }: Route): number => spec.path.split('/').filter(isValue).length;
  return fitting.toSorted((a, b) => values(a) - values(b))[0] ?? null;
}

let serial = 0;

/** The app over a real database, with answers checked against their schemas and no rate limits unless given. */
export function testApp(storage: Storage, given: Partial<Deps> & { settings?: Record<string, string> } = {}): TestApp {
  const { settings, ...overrides } = given;
  const noted = notingAudit(storage);
  const clock = new TestClock();
  const config: Config = loadConfig(
    { PLIMSOLL_WEB_DIR: '/nonexistent', PLIMSOLL_CHART_FILE: '/nonexistent', ...settings },
    false,
  );
  const deps = createDeps({
    config,
    clock,
    storage: noted,
    log: createLogger({ level: 'silent', format: 'json' }),
    metrics: createMetrics(),
    secretBox: new SecretBox(Buffer.alloc(SEALING_KEY_BYTES, 7)),
    rates: noLimits(),
    checkAnswers: true,
    sharedAnswers: null,
    ...overrides,
  });
  const app = createApp(deps);
  const routes = allRoutes(deps);
  const call: TestApp['call'] = async (method, path, options = {}) => {
    const headers = new Headers(options.headers);
    if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
    if (options.cookie !== undefined) headers.set('cookie', `auth_token=${options.cookie}`);
    const raw = options.body instanceof Uint8Array || typeof options.body === 'string';
    if (options.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    const body = options.body === undefined ? null : raw ? (options.body as string) : JSON.stringify(options.body);
    const { result: response, actions } = await noteAudit(async () => app.request(path, { method, headers, body }));
    const text = await response.text();
    const route = response.ok ? routeOf(routes, method, path) : null;
    if (route !== null) requireDeclared(route, actions);
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      audited: actions,
      text,
      json: (isJson ? JSON.parse(text) : undefined) as Answer['json'],
    };
  };
  return {
    deps,
    clock,
    call,
    async newUser(name = `user${String((serial += 1))}`) {
      const email = `${name}@example.com`;
      const account = await storage.accounts.create({ email, name, passwordHash: PASSWORD_HASH }, clock.now());
      const { token } = await openSession({ sessions: storage.sessions, clock }, account.id);
      return { personId: account.id, organisationId: ownOrganisationOf(account.id), email, token };
    },
    async newAgent(user, hostname = `host${String((serial += 1))}`) {
      const { enrolmentTokens } = storage;
      const issued = await issueEnrolmentToken({ enrolmentTokens, clock }, ownerOf(user.organisationId), {
        createdBy: user.personId,
      });
      const answer = await call('POST', '/api/agent/v1/enrol', {
        body: { enrolment_token: issued.token, machine_hash: machineHash(hostname), hostname },
      });
      if (answer.status !== 200) throw new Error(`enrol: ${answer.text}`);
      const { server_id: serverId, agent_token: token } = answer.json as unknown as Record<string, string>;
      return { serverId: serverId ?? '', token: token ?? '' };
    },
  };
}

export const TEST_PASSWORD = 'correct horse battery';
const PASSWORD_HASH = await hashPassword(TEST_PASSWORD);
export const machineHash = (name: string): string => Buffer.from(name.padEnd(32, '.')).toString('hex').slice(0, 64);

export const STREAM_ID = '0123456789abcdef0123456789abcdef';
/** A request of one report per given item, as an agent sends it at `now` (ms). */
export const reportsBody = (
  agent: TestAgent,
  now: number,
  items: readonly Record<string, unknown>[],
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  v: 1,
  server_id: agent.serverId,
  stream_id: STREAM_ID,
  boot_id: 'boot-1',
  sent_at: now / 1000,
  up_now: 100_000,
  dropped: [],
  reports: items.map((item, i) => ({
    seq: i + 1,
    ts: now / 1000,
    up: 100_000,
    kind: 'host',
    window_seconds: 60,
    ...item,
  })),
  ...more,
});
