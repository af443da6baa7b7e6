import { beforeEach, describe, expect, it } from 'vitest';
import type { ChangesAnswer } from '@plimsoll/contract/wire/changes';
import { createRates } from '../http/limits/rate-limit.ts';
import { nameProblem } from '@plimsoll/contract/rules/printable-text';
import { CARRIERS, injectionsFor } from '../testing/injections.ts';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import * as kube from '../testing/kubernetes.ts';
import { testStorage } from '../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../testing/reporting-cluster.ts';

const db = testStorage();
let app: TestApp;
let user: TestUser;
let token: string;

const tokenOf = async (owner: TestUser, scopes: string[], on = app): Promise<string> => {
  const body = { name: `t-${scopes.join('-')}-${crypto.randomUUID()}`, scopes };
  const made = await on.call('POST', '/api/user/generate-auth-token', { token: owner.token, body });
  return (made.json.data as unknown as { token: string }).token;
};
const list = async (query = '', as = user): Promise<ChangesAnswer> => {
  const answer = await app.call('GET', `/api/changes${query}`, { token: as.token });
  expect([answer.status, answer.json.detail]).toEqual([200, undefined]);
  return answer.json.data as unknown as ChangesAnswer;
};
const titles = async (query = '', as = user) => (await list(query, as)).changes.map(({ title }) => title);
const mark = (body: object, with_ = token) => app.call('POST', '/api/changes', { token: with_, body });

beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  user = await app.newUser();
  token = await tokenOf(user, ['changes']);
});

describe('deploy marks', () => {
  it('are listed with who, where and both versions', async () => {
    const made = await mark({
      title: 'checkout 1.9.2',
      by: 'ci-deploy',
      link: 'https://ci.example/7',
      before: '1.9.1',
      after: '1.9.2',
      at: new Date(kube.NOW - 60_000).toISOString(),
      namespace: 'shop',
      kind: 'Deployment',
      name: 'checkout',
    });
    expect(made.json.data).toEqual({ id: expect.any(String), created: true });
    expect(await list()).toMatchObject({
      total: 1,
      is_more: false,
      changes: [
        {
          at: new Date(kube.NOW - 60_000).toISOString(),
          source: 'deploy',
          action: 'deployed',
          kind: 'Deployment',
          namespace: 'shop',
          name: 'checkout',
          title: 'checkout 1.9.2',
          by: 'ci-deploy',
          link: 'https://ci.example/7',
          fields: [{ field: 'version', was: 'changed', before: '1.9.1', after: '1.9.2', hidden: false }],
        },
      ],
    });
  });

  it('one key is one mark, for each organisation', async () => {
    const first = await mark({ title: 'a 1', key: 'run-7' });
    const again = await mark({ title: 'a 1', key: 'run-7' });
    expect(again.json.data).toEqual({ ...(first.json.data as unknown as object), created: false });
    const other = await app.newUser();
    const theirs = await mark({ title: 'b 1', key: 'run-7' }, await tokenOf(other, ['changes']));
    expect(theirs.json.data).toMatchObject({ created: true });
    expect(await titles()).toEqual(['a 1']);
    expect(await titles('', other)).toEqual(['b 1']);
  });

  it('a token of the scope adds marks and reads nothing', async () => {
    for (const path of ['/api/changes', '/api/servers/list', '/api/data/notifications']) {
      const answer = await app.call('GET', path, { token });
      expect([path, answer.status, answer.json.code]).toEqual([path, 403, 'scope_missing']);
    }
    const reading = await tokenOf(user, ['read']);
    expect((await mark({ title: 'x' }, reading)).status).toBe(403);
  });

  it('refuses what is too large, too old, ahead, and a place of somebody else', async () => {
    const other = await app.newUser();
    const foreign = await app.newAgent(other);
    const cluster = await reportingCluster(app, other);
    await cluster.report([kube.listing({})]);
    const day = 86_400_000;
    const refusals = await Promise.all(
      [
        { title: 'x'.repeat(9000) },
        { title: 'x', at: new Date(kube.NOW - 8 * day).toISOString() },
        { title: 'x', at: new Date(kube.NOW + day).toISOString() },
        { title: 'x', link: 'javascript:alert(1)' },
        { title: 'x', server_id: foreign.serverId },
        { title: 'x', cluster_id: cluster.id },
        { title: 'x', organisation_id: other.organisationId },
      ].map(async (body) => {
        const { status, json } = await mark(body);
        return [status, json.field];
      }),
    );
    expect(refusals).toEqual([
      [413, undefined],
      [400, 'at'],
      [400, 'at'],
      [400, 'link'],
      [404, undefined],
      [404, 'cluster_id'],
      [400, 'organisation_id'],
    ]);
    expect(await titles()).toEqual([]);
  });

  it('at most 60 a minute', async () => {
    const limited = testApp(db.storage(), { rates: createRates(db.storage().rateLimits) });
    limited.clock.ms = kube.NOW;
    const person = await limited.newUser();
    const secret = await tokenOf(person, ['changes'], limited);
    const statuses: number[] = [];
    for (let index = 0; index < 61; index += 1) {
      // The rate of a user alone admits 20 calls a second.
      if (index % 20 === 0) limited.clock.ms += index === 0 ? 0 : 1;
      const answer = await limited.call('POST', '/api/changes', {
        token: secret,
        body: { title: `m ${String(index)}` },
      });
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
    expect(statuses[60]).toBe(429);
  });

  it('text of a stranger comes back as it is, without secrets', async () => {
    const values = { foreign: 'foreign-server', own: 'own', canary: 'https://canary.example' };
    const texts = CARRIERS.flatMap((carrier) => injectionsFor(carrier, values));
    expect(texts).toHaveLength(60);
    const kept: string[] = [];
    for (const text of texts) {
      const answer = await mark({ title: text, name: text });
      // Two lines, and marks that turn text, are refused as in every name.
      expect([text, answer.status]).toEqual([text, nameProblem(text) === null ? 200 : 400]);
      if (answer.status === 200) kept.push(text);
    }
    expect((await titles('?limit=100')).toSorted()).toEqual(kept.toSorted());
    await mark({ title: 'deploy --password hunter2', link: 'https://bob:hunter2@ci.example/7?token=hunter2' });
    expect(JSON.stringify(await list())).not.toContain('hunter2');
  });
});

describe('the list', () => {
  let cluster: ReportingCluster;
  let agent: TestAgent;
  let host: (entries: object, seq: number) => Promise<unknown>;
  const object = (kind: string, name: string, image: string) => ({
    uid: `${kind}-${name}`,
    kind,
    namespace: 'shop',
    name,
    form: 1,
    digest_key: '0'.repeat(8),
    by: 'helm',
    edited_at: null,
    fields: { image },
    digests: {},
  });
  const listed = (objects: unknown[]) => ({
    ...kube.listing({}),
    objects,
    listing: { id: '0'.repeat(32), complete: true, covers: [], covers_objects: ['Deployment', 'Service'] },
  });

  beforeEach(async () => {
    cluster = await reportingCluster(app, user);
    agent = await app.newAgent(user, 'web-01');
    await cluster.report([listed([object('Deployment', 'checkout', 'a:1'), object('Service', 'checkout', 'x')])]);
    await cluster.report([{ ...kube.item({}), objects: [object('Deployment', 'checkout', 'a:2')] }]);
    await cluster.report([{ ...kube.item({}), objects: [object('Service', 'checkout', 'y')] }]);
    host = (entries, seq) =>
      app.call('POST', '/api/agent/v1/reports', {
        token: agent.token,
        body: reportsBody(agent, kube.NOW, [{ seq, described: [{ section: 'packages', form: 1, entries }] }]),
      });
    await host({ openssl: '3.0.1' }, 1);
    await host({ openssl: '3.0.2' }, 2);
    await mark({ title: 'app 7' });
  });

  it('has every source, and narrows by each filter', async () => {
    expect((await list()).changes.map(({ source }) => source).toSorted()).toEqual([
      'cluster',
      'cluster',
      'deploy',
      'host',
    ]);
    expect(await titles('?source=host')).toEqual(['openssl 3.0.1 → 3.0.2']);
    expect(await titles(`?server_id=${agent.serverId}`)).toEqual(['openssl 3.0.1 → 3.0.2']);
    expect(await titles(`?cluster_id=${cluster.id}&kind=Deployment`)).toEqual(['image 1 → 2']);
    expect(await titles(`?cluster_id=${cluster.id}&namespace=other`)).toEqual([]);
    expect(await titles('?q=OPENSSL')).toEqual(['openssl 3.0.1 → 3.0.2']);
    expect(await titles('?limit=1&offset=3')).toHaveLength(1);
  });

  it('a scope leaves out what is not in it, also marks without a place', async () => {
    const nothing = await list('?scope=tag:role=db');
    expect(nothing).toEqual({ changes: [], total: 0, is_more: false });
  });

  it('is nobody else’s', async () => {
    const other = await app.newUser();
    expect(await titles('', other)).toEqual([]);
    expect(await titles(`?cluster_id=${cluster.id}`, other)).toEqual([]);
    const foreign = await app.call('GET', `/api/changes?server_id=${agent.serverId}`, { token: other.token });
    expect(foreign.status).toBe(404);
  });

  it('has the version of a package whose name sounds like a secret', async () => {
    await host({ openssl: '3.0.2', passwd: '1:4.13+dfsg1-1' }, 3);
    await host({ openssl: '3.0.2', passwd: '1:4.17.4-2' }, 4);
    expect((await titles('?source=host'))[0]).toBe('passwd 1:4.13+dfsg1-1 → 1:4.17.4-2');
  });

  it('goes with a server that is transferred', async () => {
    const other = await app.newUser();
    await db.sql('UPDATE server SET organisation_id = $2 WHERE id = $1', [agent.serverId, other.organisationId]);
    expect(await titles('?source=host')).toEqual([]);
    expect(await titles('', other)).toEqual(['openssl 3.0.1 → 3.0.2']);
  });

  it('a scope of few servers, and of many, has the same entries', async () => {
    await app.call('PUT', `/api/servers/${agent.serverId}`, { token: user.token, body: { tags: { role: 'db' } } });
    expect(await titles('?scope=tag:role=db')).toEqual(['openssl 3.0.1 → 3.0.2']);
    expect(await titles('?scope=tag:role=db&q=openssl')).toEqual(['openssl 3.0.1 → 3.0.2']);
  });

  it('ranks what changed before a moment', async () => {
    const until = kube.SECONDS + 60;
    const place = `cluster_id=${cluster.id}&namespace=shop&kind=Deployment&name=checkout`;
    const answer = await app.call('GET', `/api/changes/before?${place}&until=${String(until)}`, { token: user.token });
    const { changes } = answer.json.data as unknown as { changes: { kind: string; why: string }[] };
    expect(changes.map(({ kind, why }) => [kind, why])).toEqual([
      ['Deployment', 'this object itself'],
      ['Service', 'a Service of its namespace'],
      ['deploy', 'a deployment'],
    ]);
    const nowhere = await app.call('GET', `/api/changes/before?until=${String(until)}`, { token: user.token });
    expect([nowhere.status, nowhere.json.field]).toEqual([400, 'server_id']);
  });

  it('a rule, a silence and a channel are changes, with the person', async () => {
    const body = { metric: 'cpu_usage', target: 'all', lines: [{ level: 'warning', threshold: 80 }], for_seconds: 300 };
    const rule = { ...body, keep_firing_for_seconds: 300, hysteresis_points: 5, enabled: true };
    await app.call('POST', '/api/alerts/rules', { token: user.token, body: rule });
    await app.call('POST', '/api/alerts/silences', {
      token: user.token,
      body: { metric: 'cpu_usage', duration_seconds: 60 },
    });
    expect((await list('?source=plimsoll')).changes).toMatchObject([
      { kind: 'silence', action: 'added', title: 'is new', by: expect.any(String) },
      { kind: 'rule', action: 'added', title: 'is new' },
    ]);
  });
});
