import type { AlertRulesAnswer } from '@plimsoll/contract/wire/alert-rules';
import type { SilencesAnswer } from '@plimsoll/contract/wire/alerts/alert-silences';
import type { ClusterObjectsAnswer } from '@plimsoll/contract/wire/custom-resources';
import type { ChannelsAnswer } from '@plimsoll/contract/wire/notify';
import { beforeEach, expect, test } from 'vitest';
import { testApp, type Answer, type TestApp, type TestUser } from '../testing/app.ts';
import * as kube from '../testing/kubernetes.ts';
import { testStorage } from '../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../testing/reporting-cluster.ts';

const db = testStorage();
const PATH = '/api/agent/v1/cluster/objects';
const ALL = ['AlertRule', 'NotificationChannel', 'Silence'];

let app: TestApp;
let user: TestUser;
let cluster: ReportingCluster;
let seq = 0;
beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  user = await app.newUser();
  cluster = await reportingCluster(app, user);
  await cluster.report([kube.listing({ nodes: [cluster.node('node-1')] })]);
});

const object = (kind: string, name: string, spec: object, parts: object = {}) => ({
  kind,
  namespace: 'plimsoll',
  name,
  uid: `uid-${name}`,
  generation: 1,
  created_at: kube.SECONDS,
  spec,
  secrets: null,
  ...parts,
});
const rule = (name: string, spec: object = {}, parts: object = {}) =>
  object(
    'AlertRule',
    name,
    { metric: 'pod_pending', target: 'namespace', lines: [{ level: 'warning', threshold: 2 }], ...spec },
    { namespace: 'shop', ...parts },
  );
const telegram = (secrets: object | null = { bot_token: '123456:AAAAAAAAAAAAAAAA' }, spec: object = {}) =>
  object(
    'NotificationChannel',
    'ops',
    { type: 'telegram', settings: { chatId: '-100200' }, secretRef: { name: 'telegram' }, ...spec },
    { secrets },
  );
const put = (objects: object[], parts: object = {}, of: ReportingCluster = cluster): Promise<Answer> => {
  seq += 1;
  return app.call('POST', PATH, {
    token: of.token,
    body: {
      v: 1,
      cluster_uid: of.id,
      collector: { id: 'pod', term: 7 },
      seq,
      release_namespace: 'plimsoll',
      covers: ALL,
      objects,
      ...parts,
    },
  });
};
const verdicts = (answer: Answer) => (answer.json as unknown as ClusterObjectsAnswer).objects;
const get = async <T>(path: string, who = user): Promise<T> => (await app.call('GET', path, who)).json.data as T;
const rules = async (who = user) => (await get<AlertRulesAnswer>('/api/alerts/rules', who)).rules;
const silences = async () => (await get<SilencesAnswer>('/api/alerts/silences')).silences;
const channels = async () => (await get<ChannelsAnswer>('/api/notify/channels')).channels;

test('of two rules with one metric and target each says which one decides, and one alone says nothing', async () => {
  const said = async (...objects: object[]) =>
    Object.fromEntries(verdicts(await put(objects)).map(({ name, accepted, message }) => [name, [accepted, message]]));
  const strict = rule('strict', { lines: [{ level: 'warning', threshold: 1 }] });
  const other = rule('other', { metric: 'pod_crash_loop', lines: [{ level: 'error', threshold: 1 }] });
  expect(await said(rule('loose'), other)).toEqual({ loose: [true, null], other: [true, null] });
  expect(await said(rule('loose'), strict, other)).toEqual({
    strict: [true, 'This rule decides for spec.metric and spec.target. Without effect: AlertRule shop/loose.'],
    loose: [
      true,
      expect.stringMatching(/^This rule has no effect: AlertRule shop\/strict has the same metric and target/),
    ],
    other: [true, null],
  });
  // A rule of the dashboard counts too. The earlier one decides.
  app.clock.pass(60);
  const body = {
    metric: 'pod_pending',
    target: 'namespace',
    namespace: 'shop',
    cluster_id: cluster.id,
    lines: [{ level: 'critical', threshold: 1 }],
  };
  expect((await app.call('POST', '/api/alerts/rules', { ...user, body })).status).toBe(200);
  expect((await said(strict))['strict']?.[1]).toMatch(/Without effect: the rule [\w-]+ of the dashboard\.$/);
});

test('a copy of the cluster changes nothing of the first, and applies its own once it is separated', async () => {
  const at = (address: string) => ({
    cluster: { uid: cluster.id, name: null, version: null, api_addresses: [address] },
    collector: { id: 'pod', version: '1', term: 7 },
  });
  const [one, two] = ['10.0.0.5:6443', '10.0.9.5:6443'];
  await cluster.report([], at(one));
  expect((await put([rule('mine')], { api_addresses: [one] })).status).toBe(200);
  expect((await put([], { api_addresses: [two] })).json.code).toBe('collector_superseded');
  for (let tries = 0; tries < 4; tries += 1) {
    await cluster.report([], at(two));
    app.clock.pass(60);
    await cluster.report([], at(one));
  }
  const path = '/api/kubernetes/clusters/separate';
  const made = await app.call('POST', path, { token: user.token, body: { cluster_id: cluster.id } });
  const { token, cluster_id: copyId } = made.json.data as unknown as { token: string; cluster_id: string };
  const copy = { ...cluster, token };
  expect((await put([rule('theirs')], { api_addresses: [two] }, copy)).status).toBe(200);
  const origins = (await rules()).map(({ object: origin }) => [origin?.name, origin?.cluster_id]);
  expect(new Map(origins as [string, string][])).toEqual(
    new Map([
      ['mine', cluster.id],
      ['theirs', copyId],
    ]),
  );
});

test('creates, repeats, edits and deletes a rule, a silence and a channel', async () => {
  const silence = object('Silence', 'night', { durationSeconds: 3600, comment: 'move' }, { namespace: 'shop' });
  const first = await put([rule('pending'), silence, telegram()]);
  expect(first.status).toBe(200);
  expect(verdicts(first).map(({ accepted, reason }) => `${String(accepted)} ${String(reason)}`)).toEqual(
    Array.from({ length: 3 }, () => 'true null'),
  );
  const [made] = await rules();
  const origin = { cluster_id: cluster.id, kind: 'AlertRule', namespace: 'shop', name: 'pending' };
  expect(made).toMatchObject({ target: 'namespace', namespace: 'shop', cluster_id: cluster.id, object: origin });
  expect(await silences()).toMatchObject([
    { namespace: 'shop', cluster_id: cluster.id, status: 'active', comment: 'move', object: { name: 'night' } },
  ]);
  expect(await channels()).toMatchObject([
    { name: 'ops', managed_by: 'cluster', secrets: { bot_token: 'AAAA' }, object: { kind: 'NotificationChannel' } },
  ]);

  app.clock.pass(60);
  const before = [await rules(), await silences(), await channels()];
  await put([rule('pending'), silence, telegram()]);
  expect([await rules(), await silences(), await channels()]).toEqual(before);

  await put([rule('pending', { lines: [{ level: 'warning', threshold: 5 }] }), silence, telegram()]);
  expect((await rules())[0]).toMatchObject({ rule_id: made?.rule_id, lines: [{ threshold: 5 }] });
  await put([rule('pending', { lines: [{ level: 'critical', threshold: 5 }] }), silence, telegram()]);
  expect((await rules())[0]?.rule_id).not.toBe(made?.rule_id);

  await put([]);
  expect([await rules(), await silences(), await channels()]).toEqual([[], [], []]);
  await put([silence]);
  expect(await silences()).toHaveLength(1);
});

test('a sync leaves one entry in the audit log with the names of all that it changed, or none', async () => {
  const silence = object('Silence', 'night', { durationSeconds: 3600 }, { namespace: 'shop' });
  const first = await put([rule('cpu'), rule('disk'), silence, telegram()]);
  const again = await put([rule('cpu'), rule('disk'), silence, telegram()]);
  const last = await put([rule('cpu', { lines: [{ level: 'warning', threshold: 5 }] }), rule('disk'), telegram()]);
  expect([first, again, last].map(({ audited }) => audited)).toEqual([
    ['cluster_objects_applied'],
    [],
    ['cluster_objects_applied'],
  ]);
  const entries = await db.sql<{ token_name: string; detail: Record<string, string> }>(
    'SELECT token_name, detail FROM audit_log WHERE organisation_id = $1 AND action = $2 ORDER BY id',
    [user.organisationId, 'cluster_objects_applied'],
  );
  expect(entries.map(({ detail }) => detail['objects'])).toEqual([
    '2 AlertRules created: shop/cpu, shop/disk; 1 NotificationChannel created: plimsoll/ops; 1 Silence created: shop/night',
    '1 AlertRule changed: shop/cpu; 1 Silence deleted: shop/night',
  ]);
  expect(entries[0]).toMatchObject({ token_name: 'collector of test', detail: { id: cluster.id } });
});

test('a sync whose audit entry fails changes nothing, and is repeated', async () => {
  const storage = db.storage();
  const failing = testApp({
    ...storage,
    inTransaction: (work) =>
      storage.inTransaction((stores) => {
        const audit = { ...stores.tenancy.audit, record: () => Promise.reject(new Error('no audit')) };
        return work({ ...stores, tenancy: { ...stores.tenancy, audit } });
      }),
  });
  failing.clock.ms = app.clock.ms;
  const works = app;
  app = failing;
  expect((await put([rule('a'), telegram()])).status).toBe(500);
  app = works;
  expect([await rules(), await channels()]).toEqual([[], []]);
  seq -= 1;
  expect((await put([rule('a'), telegram()])).status).toBe(200);
  expect([await rules(), await channels()]).toMatchObject([[{ metric: 'pod_pending' }], [{ name: 'ops' }]]);
});

test('a kind that is not covered loses nothing', async () => {
  await put([rule('a'), telegram()]);
  await put([], { covers: ['Silence'] });
  expect([await rules(), await channels()]).toMatchObject([[{ object: { name: 'a' } }], [{ name: 'ops' }]]);
  await put([], { covers: ['AlertRule'] });
  expect([await rules(), await channels()]).toMatchObject([[], [{ name: 'ops' }]]);
});

test('an invalid edit keeps the version before it; an object without authority loses its rule', async () => {
  await put([rule('a')]);
  const invalid = verdicts(await put([rule('a', { forSeconds: -5 })]));
  expect(invalid).toMatchObject([{ accepted: false, reason: 'Invalid', is_kept: true }]);
  expect(invalid[0]?.message).toContain('spec.forSeconds');
  expect(await rules()).toHaveLength(1);
  const fresh = verdicts(await put([rule('b', { forSeconds: -5 }), rule('a')]));
  expect(fresh[0]).toMatchObject({ accepted: false, is_kept: false });
  const outside = verdicts(await put([rule('a', { namespace: 'bank' })]));
  expect(outside).toMatchObject([{ accepted: false, reason: 'OutsideNamespace', is_kept: false }]);
  expect(await rules()).toEqual([]);
});

test('a Secret that is no longer mounted leaves the channel as it is; a new value is sealed', async () => {
  await put([telegram()]);
  expect(verdicts(await put([telegram(null)]))).toMatchObject([{ reason: 'SecretNotMounted', is_kept: true }]);
  expect(await channels()).toMatchObject([{ secrets: { bot_token: 'AAAA' } }]);
  await put([telegram({ bot_token: '123456:BBBBBBBBBBBBBBBB' })]);
  expect(await channels()).toMatchObject([{ secrets: { bot_token: 'BBBB' } }]);
  const stored = await db.sql<{ secrets: Buffer }>('SELECT secrets FROM notify_channel');
  expect(stored.every(({ secrets }) => !secrets.toString('latin1').includes('BBBBBBBB'))).toBe(true);
  await put([telegram(null, { type: 'webhook', settings: { url: 'https://hook.example/' }, secretRef: undefined })]);
  expect(await channels()).toEqual([
    expect.objectContaining({ type: 'webhook', settings: {}, secrets: { url: 'https://hook.example/…' } }),
  ]);
});

test('two clusters with the same names do not collide, and neither removes what is of the other', async () => {
  const other = await reportingCluster(app, user);
  await other.report([kube.listing({ nodes: [other.node('node-1')] })]);
  await put([rule('same')]);
  app.clock.pass(1);
  await put([rule('same', { lines: [{ level: 'error', threshold: 9 }] })], {}, other);
  expect((await rules()).map(({ object: its, lines }) => [its?.cluster_id, lines[0]?.threshold])).toEqual([
    [cluster.id, 2],
    [other.id, 9],
  ]);
  await put([], {}, other);
  expect((await rules()).map(({ object: its }) => its?.cluster_id)).toEqual([cluster.id]);
  expect((await put([], { cluster_uid: other.id })).json).toMatchObject({ code: 'cluster_mismatch' });
  const stranger = await app.newUser();
  expect(await rules(stranger)).toEqual([]);
});

test('an earlier leader and an overtaken request change nothing', async () => {
  await put([rule('a')], { collector: { id: 'new', term: 9 } });
  const old = await put([], { collector: { id: 'old', term: 8 } });
  expect([old.status, old.json.code]).toEqual([409, 'collector_superseded']);
  const late = await put([], { collector: { id: 'new', term: 9 }, seq: 1 });
  expect(late.status).toBe(409);
  expect(await rules()).toHaveLength(1);
});

test('users cannot change what an object made, and their own rules are not counted with it', async () => {
  await put([rule('a'), object('Silence', 's', { durationSeconds: 3600 }), telegram()]);
  const [[one], [two], [three]] = [await rules(), await silences(), await channels()];
  const body = { metric: 'pod_pending', target: 'all', lines: [{ level: 'warning', threshold: 1 }] };
  const ends = { metric: 'cpu_usage', duration_seconds: 600 };
  const hook = { type: 'telegram', name: 'x', settings: { chat_id: '-1' } };
  const tries: [string, string, object | undefined][] = [
    ['PUT', `/api/alerts/rules/${one?.rule_id ?? ''}`, body],
    ['DELETE', `/api/alerts/rules/${one?.rule_id ?? ''}`, undefined],
    ['PUT', `/api/alerts/silences/${two?.silence_id ?? ''}`, ends],
    ['DELETE', `/api/alerts/silences/${two?.silence_id ?? ''}`, undefined],
    ['PUT', `/api/notify/channels/${three?.id ?? ''}`, hook],
    ['DELETE', `/api/notify/channels/${three?.id ?? ''}`, undefined],
  ];
  for (const [method, path, sent] of tries) {
    const answer = await app.call(method, path, { token: user.token, ...(sent !== undefined && { body: sent }) });
    expect([method, path, answer.status, answer.json.code]).toEqual([method, path, 409, 'object_managed']);
    expect(answer.json.remedy).toContain('kubectl edit');
  }
});

test('a rule for a server of another account answers as one for an unknown server', async () => {
  const stranger = await app.newUser();
  const host = await app.newAgent(stranger, 'theirs');
  const spec = { metric: 'cpu_usage', target: 'server', serverId: host.serverId };
  const lines = [{ level: 'warning', threshold: 80 }];
  const answer = await put([object('AlertRule', 'x', { ...spec, lines })]);
  expect(verdicts(answer)).toMatchObject([{ accepted: false, reason: 'NotFound' }]);
});

test('a thousand rules in one set, and again', async () => {
  const many = Array.from({ length: 1000 }, (_, i) => rule(`rule-${String(i)}`));
  expect(verdicts(await put(many)).every(({ accepted }) => accepted)).toBe(true);
  const counted = await get<AlertRulesAnswer>('/api/alerts/rules');
  expect(counted.total).toBe(1000);
  expect((await put(many)).status).toBe(200);
  const created = await app.call('POST', '/api/alerts/rules', {
    token: user.token,
    body: { metric: 'cpu_usage', target: 'all', lines: [{ level: 'warning', threshold: 80 }] },
  });
  expect(created.status).toBe(200);
});

test('before the first report of the cluster the collector is to try again', async () => {
  const fresh = await reportingCluster(app, user);
  const answer = await put([], {}, fresh);
  expect([answer.status, answer.json.code]).toEqual([503, 'node_not_known_yet']);
});
