import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../app.ts';
import { hashToken, newToken } from '../accounts/tokens.ts';
import { machineHash, testApp, TEST_PASSWORD, type Answer, type TestApp } from '../testing/app.ts';
import { badTexts, badValues, goodText, unboundedTexts, type JsonSchema } from '../testing/bad-values.ts';
import { testCluster } from '../testing/kubernetes.ts';
import { testStorage } from '../testing/postgres.ts';
import { openApi } from './openapi.ts';

const GOOD_RULE = {
  metric: 'cpu_usage',
  target: 'all',
  lines: [{ level: 'warning', threshold: 80 }],
  for_seconds: 300,
  keep_firing_for_seconds: 300,
  hysteresis_points: 5,
  enabled: true,
};
const GOOD_QUESTION = {
  question: 'Are there any active alerts?',
  server_id: null,
  time_range_minutes: 60,
  conversation_history: [{ role: 'user', content: 'x' }],
  conversation_id: '6f1d7b52-6d53-4e0a-9f0e-0f5a4d1b2c3d',
  explain: { kind: 'pod', namespace: 'n', pod: 'p' },
};
const GOOD_SILENCE = { metric: 'cpu_usage', ends_at: '2099-01-01T00:00:00Z', comment: 'x' };
/** Either of both is left out in a request that is taken. */
const GOOD_CHECK = {
  name: 'db',
  probe: { kind: 'tcp', host: 'db.example', port: 5432 },
  heartbeat: { schedule: { kind: 'interval', seconds: 60 } },
};
const GOOD_MAINTENANCE = {
  name: 'night',
  schedule: { kind: 'weekly', weekdays: [7], time: '02:00' },
  zone: 'UTC',
  duration_seconds: 7200,
  last_day: '2099-12-31',
  server_ids: [crypto.randomUUID()],
  check_ids: [crypto.randomUUID()],
  cluster_ids: ['c'],
};
const GOOD_PAGE = {
  title: 'Shop',
  message: 'x',
  servers: [{ server_id: crypto.randomUUID(), label: null, group: null }],
  shows_names: true,
  shows_figures: true,
  shows_maintenance: true,
  is_indexable: true,
  is_published: true,
  expires_at: '2099-01-01T00:00:00Z',
};
const GOOD_INCIDENT = {
  title: 'Slow orders',
  impact: 'over_line',
  server_ids: [crypto.randomUUID()],
  started_at: '2020-01-01T00:00:00Z',
  next_update_at: null,
};
/** A body each call takes, to spoil one field at a time. A call with a body and no entry here fails the suite. */
const GOOD: Record<string, Record<string, unknown>> = {
  'POST /api/auth/local': { email: 'a@example.com', password: TEST_PASSWORD, totp: '000000' },
  'POST /api/auth/exchange': { code: 'x', account: { email: 'a@example.com', password: TEST_PASSWORD, name: 'A' } },
  'POST /api/auth/totp/confirm': { code: '000000' },
  'DELETE /api/auth/totp': { code: '000000' },
  'POST /api/user/generate-auth-token': { name: 'ci', scopes: ['read'] },
  'PUT /api/user/retention-settings': { metrics_days: 7, alerts_days: 7, events_days: 7, processes_days: 7 },
  'DELETE /api/user/account': { email: 'a@example.com', in_days: 30 },
  'PUT /api/team': { name: 'Harbour' },
  'PUT /api/team/members/{id}': { role: 'viewer' },
  'DELETE /api/team/members/{id}': { revoke: [crypto.randomUUID()], replace: [crypto.randomUUID()] },
  'POST /api/team/members/{id}/access/end': { revoke: [crypto.randomUUID()], replace: [crypto.randomUUID()] },
  'POST /api/team/invitations': { role: 'viewer', email: 'a@example.com', expires_in_days: 7 },
  'POST /api/team/invitations/look': { code: 'x' },
  'POST /api/team/join': { code: 'x' },
  'PUT /api/auth/password': { current_password: TEST_PASSWORD, new_password: TEST_PASSWORD },
  'POST /api/team/sign-in': { code: 'x', provider: 'github' },
  'POST /api/team/sign-up': { code: 'x', email: 'a@example.com', password: TEST_PASSWORD, name: 'A' },
  'POST /api/notify/channels': { type: 'webhook', name: 'hook', settings: { url: 'https://hook.example/' } },
  'PUT /api/notify/settings': { quote_log_lines: true },
  'PUT /api/notify/channels/{id}': { type: 'webhook', name: 'hook', settings: { url: 'https://hook.example/' } },
  'POST /api/alerts/rules': GOOD_RULE,
  'POST /api/alerts/rules/rehearse': { ...GOOD_RULE, days: 7 },
  'POST /api/alerts/rules/import': { yaml: 'groups: []', dry_run: true },
  'PUT /api/alerts/rules/{id}': GOOD_RULE,
  'POST /api/changes': {
    title: 'checkout 1.9.2',
    key: 'k',
    at: '2099-01-01T00:00:00Z',
    by: 'mira',
    link: 'https://ci.example/7',
    before: '1.9.1',
    after: '1.9.2',
    server_id: crypto.randomUUID(),
    cluster_id: 'c',
    namespace: 'shop',
    kind: 'Deployment',
    name: 'checkout',
  },
  'POST /api/maintenance': GOOD_MAINTENANCE,
  'PUT /api/maintenance/{id}': GOOD_MAINTENANCE,
  'POST /api/checks': GOOD_CHECK,
  'PUT /api/checks/{id}': GOOD_CHECK,
  'POST /api/checks/preview': { probe: GOOD_CHECK.probe },
  'POST /api/status-pages': GOOD_PAGE,
  'PUT /api/status-pages/{id}': GOOD_PAGE,
  'POST /api/status-pages/{id}/incidents': { ...GOOD_INCIDENT, state: 'investigating', text: 'x' },
  'PUT /api/status-pages/{id}/incidents/{incident_id}': GOOD_INCIDENT,
  'POST /api/status-pages/{id}/incidents/{incident_id}/updates': { state: 'resolved', text: 'x', next_update_at: null },
  'PUT /api/status-pages/{id}/incidents/{incident_id}/updates/{update_id}': { text: 'x' },
  'POST /api/ai/chat': GOOD_QUESTION,
  'POST /api/ai/simple-chat': GOOD_QUESTION,
  'PUT /api/ai/settings': { provider: 'anthropic', base_url: 'https://m.example/v1', model: 'm', api_key: 'k' },
  'PUT /api/ai/conversations/{id}': { title: 'x' },
  'POST /api/alerts/silences': GOOD_SILENCE,
  'PUT /api/alerts/silences/{id}': GOOD_SILENCE,
  'POST /api/alerts/{id}/acknowledge': { note: 'x' },
  'POST /api/alerts/bulk': { action: 'acknowledge', alert_ids: [crypto.randomUUID()], note: 'x' },
  'PUT /api/servers/{id}': { display_name: 'x', tags: { role: 'db' } },
  'PUT /api/servers/{id}/hidden': { kind: 'filesystem', subject: '/' },
  'DELETE /api/servers/{id}/hidden': { kind: 'filesystem', subject: '/' },
  'DELETE /api/servers/delete': { server_id: crypto.randomUUID() },
  'PUT /api/kubernetes/clusters/{id}': { objects_rule_organisation: true },
  'PUT /api/kubernetes/clusters/{id}/name': { name: 'harbour' },
  'PUT /api/kubernetes/clusters/{id}/price': { currency: 'EUR', core_hour: 0.03, gb_hour: 0.004 },
  'PUT /api/kubernetes/capacity/settings': {
    cpu_percentile: 95,
    memory_surplus_percent: 15,
    days: 14,
    cpu_limit: 'none',
  },
  'POST /api/user/cluster-tokens': { name: 'prod' },
  'POST /api/kubernetes/clusters/separate': { cluster_id: 'c' },
  'POST /api/agent/v1/nodes/enrol': { node_name: 'n', boot_id: 'b', hostname: 'n' },
  'POST /api/agent/v1/enrol': { enrolment_token: 'x', machine_hash: machineHash('m'), hostname: 'm', tags: {} },
  'POST /api/agent/v1/change-owner': { api_token: 'x' },
  'POST /api/agent/v1/bye': { reason: 'restart' },
  'POST /api/agent/v1/cluster/logs': { id: crypto.randomUUID(), lines: ['x'], failure: null },
  'POST /api/agent/v1/cluster/standby': {
    v: 1,
    collector: { id: 'c', version: '1' },
    lease: { state: 'forbidden', detail: 'x', since: 1 },
  },
  'POST /api/agent/v1/cluster/objects': {
    v: 1,
    cluster_uid: 'bad-input',
    collector: { id: 'c', term: 1 },
    seq: 1,
    release_namespace: 'plimsoll',
    covers: ['AlertRule'],
    objects: [],
  },
  'POST /api/agent/v1/cluster/telegram': { v: 1, telegram: { bot_token: 'x', chat_id: '1' } },
};

interface Operation {
  key: string;
  method: string;
  path: string;
  actor: 'user' | 'agent' | 'cluster' | 'anyone';
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }[];
  body: JsonSchema | null;
}
interface Described {
  parameters: Operation['parameters'];
  security: Record<string, unknown>[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
}

const db = testStorage();
const operations = (app: TestApp): Operation[] => {
  const { paths } = openApi(allRoutes(app.deps), 'test') as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, security, requestBody }]): Operation => {
      const named = ['agent', 'cluster'].find((name) => security.some((one) => name in one));
      return {
        key: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        actor: (named as Operation['actor'] | undefined) ?? (security.length === 0 ? 'anyone' : 'user'),
        parameters,
        body: requestBody?.content['application/json'].schema ?? null,
      };
    }),
  );
};

/** An address that is right but for what is given. */
function pathOf({ path, parameters }: Operation, spoilt: Record<string, string> = {}): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, required, schema } of parameters) {
    const good = schema.format === 'uuid' ? crypto.randomUUID() : name === 'version' ? '1.2.3' : 'linux-x64';
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(spoilt[name] ?? good));
    else if (required || name in spoilt) query.append(name, spoilt[name] ?? goodText(schema));
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

describe('what no call takes', () => {
  let app: TestApp;
  let tokens: Record<Operation['actor'], string | undefined>;
  let all: Operation[];
  beforeAll(async () => {
    app = testApp(db.storage());
    const user = await app.newUser();
    const cluster = newToken('cluster');
    await testCluster(db.storage(), user.organisationId, 'bad-input', app.clock.now(), hashToken(cluster));
    const agent = await app.newAgent(user);
    tokens = { user: user.token, agent: agent.token, cluster, anyone: undefined };
    all = operations(app);
  });

  const call = ({ method, actor }: Operation, path: string, body?: unknown): Promise<Answer> => {
    const token = tokens[actor];
    const given = { ...(token !== undefined && { token }), ...(body !== undefined && { body }) };
    return app.call(method, path, given);
  };
  /** 400 with the field, what is wrong with it and what to do. */
  const expectRefused = (what: string, answer: Answer, field: string): void => {
    const { status, json } = answer;
    expect([what, status, json.code, json.field]).toEqual([what, 400, 'invalid_parameter', field]);
    expect([what, json.detail]).toEqual([what, expect.stringContaining(field)]);
    const told = `${json.detail ?? ''} ${json.remedy ?? ''}`;
    expect([what, told]).toEqual([
      what,
      expect.stringMatching(/Use |Leave it out|Known here|Send |Write |This endpoint takes|Allowed: |must be|expected/),
    ]);
  };

  test('each parameter of a path and a query is refused by name when it is out of its range or form', async () => {
    let tried = 0;
    for (const operation of all)
      for (const { name, schema } of operation.parameters)
        for (const { what, field, value } of badTexts(schema)) {
          // The free parameters of the sign-in providers' answers end at the login page, not in JSON.
          if (operation.path.endsWith('/callback') || String(value) === '') continue;
          const answer = await call(operation, pathOf(operation, { [name]: String(value) }));
          expectRefused(`${operation.key} ${name}: ${what}`, answer, name + field);
          tried += 1;
        }
    expect(tried).toBeGreaterThan(200);
  });

  test('an unknown query parameter, and one given twice, are refused by name', async () => {
    for (const operation of all) {
      const path = pathOf(operation);
      const unknown = await call(operation, `${path}${path.includes('?') ? '&' : '?'}unheard_of=1`);
      expectRefused(operation.key, unknown, 'unheard_of');
      const known = operation.parameters.find((one) => one.in === 'query')?.name;
      if (known === undefined) continue;
      const twice = await call(operation, `${path.split('?')[0] ?? ''}?${known}=1&${known}=2`);
      expect([operation.key, twice.status, twice.json.field]).toEqual([operation.key, 400, known]);
      expect(twice.json.detail).toContain('must not be repeated');
    }
  });

  test('each field of a body is refused by name when it is missing, of another type or out of its range', async () => {
    let tried = 0;
    for (const operation of all.filter(({ body }) => body !== null)) {
      const good = GOOD[operation.key];
      expect([operation.key, good]).toEqual([operation.key, expect.any(Object)]);
      const send = (body: unknown) => call(operation, pathOf(operation), body);
      for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
        for (const { what, field, value } of badValues(schema)) {
          const place = `${name}${field === '' || field.startsWith('[') ? '' : '.'}${field}`;
          const named = what === 'with an unknown key' ? field : place;
          // An object inside is judged whole: whatever is missing beside the spoilt key may be named instead.
          const body = { ...good, [name]: merged(good?.[name], value) };
          expectRefused(`${operation.key} ${name}: ${what}`, await send(body), named);
          tried += 1;
        }
      }
      for (const name of operation.body?.required ?? []) {
        const { [name]: _left, ...rest } = good ?? {};
        expectRefused(`${operation.key} without ${name}`, await send(rest), name);
        tried += 1;
      }
      if (operation.body?.additionalProperties === false)
        expectRefused(operation.key, await send({ ...good, unheard_of: 1 }), 'unheard_of');
    }
    expect(tried).toBeGreaterThan(80);
  });

  test('no text of a query or a body is without a limit', () => {
    const places = all.flatMap(({ key, parameters, body }) => [
      ...parameters
        .filter((one) => one.in === 'query')
        .flatMap(({ name, schema }) => unboundedTexts(schema, `${key} ${name}`)),
      ...(body === null ? [] : unboundedTexts(body, key)),
    ]);
    expect(places).toEqual([]);
  });
});

/** Spoils one key of an object and leaves its others as they were. */
function merged(good: unknown, bad: unknown): unknown {
  const isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
  return isObject(good) && isObject(bad) ? { ...good, ...bad } : bad;
}
