import { createConfig, lintFromString } from '@redocly/openapi-core';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes, createApp } from '../app.ts';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { openApi } from './openapi.ts';

type Schema = Record<string, unknown>;
interface Operation {
  method: string;
  path: string;
  agent: boolean;
  parameters: { name: string; in: 'path' | 'query'; schema: Schema }[];
  body: Schema | null;
}

const db = testStorage();
/** Streams until someone ends it. */
const ENDLESS = '/api/events';
const RUNS = 200;
const AT_ONCE = 20;

function operationsOf(app: TestApp): Operation[] {
  const { paths } = openApi(allRoutes(app.deps), 'test') as { paths: Record<string, Record<string, Schema>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const body = operation['requestBody'] as { content: { 'application/json': { schema: Schema } } } | undefined;
      return {
        method: method.toUpperCase(),
        path,
        agent: JSON.stringify(operation['security']).includes('agent'),
        parameters: operation['parameters'] as Operation['parameters'],
        body: body?.content['application/json'].schema ?? null,
      };
    }),
  );
}

const garbage = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '-1',
    '0',
    '1e9',
    'NaN',
    'null',
    '[]',
    "' OR 1=1 --",
    '../../etc/passwd',
    '\0',
    '%00',
    '9'.repeat(30),
  ),
);
const hostile = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('__proto__', 1e308, -0, {}, []));

/** Makes values that fit a JSON schema; any value for a keyword that it does not support. */
function fitting(schema: Schema, agent: TestAgent): fc.Arbitrary<unknown> {
  const one = (list: Schema[]): fc.Arbitrary<unknown> => fc.oneof(...list.map((s) => fitting(s, agent)));
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['anyOf'])) return one(schema['anyOf'] as Schema[]);
  if (schema['format'] === 'uuid') return fc.oneof(fc.constant(agent.serverId), fc.uuid());
  if (schema['format'] === 'email') return fc.emailAddress();
  const type = schema['type'];
  const min = Number(schema['minimum'] ?? 0);
  const max = Math.min(Number(schema['maximum'] ?? 1e6), 1e9);
  if (type === 'integer') return fc.integer({ min: Math.max(min, -1e9), max });
  if (type === 'number') return fc.double({ min: Math.max(min, -1e9), max, noNaN: true });
  if (type === 'boolean') return fc.boolean();
  if (type === 'string')
    return fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('1769853600', '2026-01-31T10:00:00Z'));
  if (type === 'array') return fc.array(fitting((schema['items'] ?? {}) as Schema, agent), { maxLength: 3 });
  if (type !== 'object') return hostile;
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  return fc.record(Object.fromEntries(Object.entries(properties).map(([k, s]) => [k, fitting(s, agent)])), {
    requiredKeys: (schema['required'] ?? []) as string[],
  });
}

const mostly = (good: fc.Arbitrary<unknown>, bad: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: bad });

function requestFor(operation: Operation, agent: TestAgent): fc.Arbitrary<{ path: string; body: unknown }> {
  const value = (schema: Schema) => mostly(fitting(schema, agent), garbage);
  const places = operation.parameters.map((p) => ({
    ...p,
    value: p.in === 'path' ? value(p.schema) : fc.option(value(p.schema)),
  }));
  const body = operation.body === null ? fc.constant(undefined) : mostly(fitting(operation.body, agent), hostile);
  return fc.tuple(fc.tuple(...places.map((p) => p.value)), body).map(([values, content]) => {
    let { path } = operation;
    const query = new URLSearchParams();
    places.forEach((place, i) => {
      const text = typeof values[i] === 'string' ? values[i] : JSON.stringify(values[i]);
      if (place.in === 'path') path = path.replace(`{${place.name}}`, encodeURIComponent(text.toWellFormed()) || '-');
      else if (values[i] !== null) query.append(place.name, text);
    });
    return { path: query.size === 0 ? path : `${path}?${query.toString()}`, body: content };
  });
}

test('the description and the router hold the same calls', () => {
  const app = testApp(db.storage());
  const described = operationsOf(app).map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
  const mounted = createApp(app.deps)
    .routes.filter(({ method, path }) => method !== 'ALL' && path !== '/*')
    .map(({ method, path }) => `${method} ${path}`);
  expect(described.toSorted()).toEqual([...new Set(mounted)].toSorted());
});

test('each call has an id of its own, which clients in other languages use as a name', () => {
  const { paths } = openApi(allRoutes(testApp(db.storage()).deps), 'test') as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('getKubernetesPodsByNamespaceByPodLogs');
});

/** An id is a UUID and never the word "rules": these paths cannot be taken for each other. */
const NOT_AMBIGUOUS = ['acknowledge', 'unacknowledge', 'cause'].map(
  (verb) =>
    'Paths should resolve unambiguously. Found two ambiguous paths: ' +
    `\`/api/alerts/rules/{id}\` and \`/api/alerts/{id}/${verb}\`.`,
);

test('the description passes the recommended rules of Redocly', async () => {
  const source = JSON.stringify(openApi(allRoutes(testApp(db.storage()).deps), '1.2.3'));
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  expect(problems.map(({ message }) => message).filter((message) => !NOT_AMBIGUOUS.includes(message))).toEqual([]);
});

describe('requests made up from the description', () => {
  let app: TestApp;
  let user: TestUser;
  let agent: TestAgent;
  beforeAll(async () => {
    app = testApp(db.storage());
    user = await app.newUser();
    agent = await app.newAgent(user);
    const body = reportsBody(agent, app.clock.now(), [{}]);
    await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  });

  const send = async (operation: Operation, { path, body }: { path: string; body: unknown }): Promise<number> => {
    const token = operation.agent ? agent.token : user.token;
    const answer = await app.call(operation.method, path, { token, ...(body !== undefined && { body }) });
    if (answer.status >= 500)
      throw new Error(`${operation.method} ${path} ${JSON.stringify(body)}: ${String(answer.status)} ${answer.text}`);
    return answer.status;
  };

  test(
    '200 for each call: none fails on our side, every answer fits its own schema',
    { timeout: 600_000 },
    async () => {
      const counts = new Map<number, number>();
      for (const operation of operationsOf(app)) {
        if (operation.path === ENDLESS) continue;
        // A call without a parameter and a body is the same each time.
        const runs = operation.parameters.length === 0 && operation.body === null ? AT_ONCE : RUNS;
        const requests = fc.sample(requestFor(operation, agent), runs);
        for (let i = 0; i < runs; i += AT_ONCE) {
          const statuses = await Promise.all(requests.slice(i, i + AT_ONCE).map((request) => send(operation, request)));
          for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
          // A call may have ended the session; the next needs one again.
          if ((await app.call('GET', '/api/auth/token', user)).status !== 200) user = await app.newUser();
        }
      }
      console.log(`answers by status: ${JSON.stringify(Object.fromEntries(counts))}`);
      expect(counts.get(200)).toBeGreaterThan(1000);
    },
  );
});
