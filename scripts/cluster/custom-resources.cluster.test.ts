import { join } from 'node:path';
import { clusterObjects, type ClusterObjects, type ObjectVerdict } from '@plimsoll/contract/wire/custom-resources';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readObject } from '../../api/src/operator/read-object.ts';
import { ChannelSecrets } from '../../collector/src/kubernetes/operator/channel-secrets.ts';
import { CustomResources } from '../../collector/src/kubernetes/operator/custom-resources.ts';
import type { ClusterReply } from '../../collector/src/kubernetes/report/cluster-reporter.ts';
import { FakeTiming } from '../../collector/src/kubernetes/testing/fake-timing.ts';
import { Connection } from '../../collector/src/kubernetes/watch/connection.ts';
import { findCredentials } from '../../collector/src/kubernetes/watch/credentials.ts';
import { CHART, kubectl, render } from './testing/release.ts';

/** Stands for the namespace of the release. */
const RELEASE = 'plimsoll-objects';
const TEAM = 'plimsoll-team';
const GROUP = '/apis/plimsoll.dev/v1alpha1';
const RULES = `${GROUP}/namespaces/${TEAM}/alertrules`;
const SPEC = { metric: 'pod_pending', target: 'namespace', lines: [{ level: 'warning', threshold: 1 }] };

let api: Connection;
/** The last set that the dashboard took. */
let taken: ClusterObjects | null;
let down: boolean;
let onPost: () => Promise<void>;
let stop: AbortController;
let watching: Promise<void>[];

beforeAll(async () => {
  const place = {
    serviceHost: null,
    servicePort: null,
    kubeconfig: process.env.KUBECONFIG ?? null,
    serviceAccountDir: '',
  };
  api = new Connection(await findCredentials(place, () => Date.now()));
  const definitions = render([]).filter(({ kind }) => kind === 'CustomResourceDefinition');
  for (const definition of definitions) kubectl(['apply', '-f', '-'], { input: JSON.stringify(definition) });
  for (const { metadata } of definitions)
    kubectl(['wait', '--for=condition=Established', `crd/${metadata.name}`, '--timeout=30s']);
  for (const name of [RELEASE, TEAM])
    await api.json({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
});
afterAll(async () => {
  for (const name of [RELEASE, TEAM]) await api.json({ method: 'DELETE', path: `/api/v1/namespaces/${name}` });
  api.close();
});
beforeEach(() => {
  taken = null;
  down = false;
  onPost = () => Promise.resolve();
  stop = new AbortController();
  watching = [];
});
afterEach(async () => {
  stop.abort();
  await Promise.all(watching);
});

/** Judges as the dashboard does. */
async function post(_path: string, body: object): Promise<ClusterReply> {
  if (down) return { kind: 'failed', code: 'ECONNREFUSED' };
  const set = clusterObjects.parse(structuredClone(body));
  const context = { clusterId: set.cluster_uid, releaseNamespace: set.release_namespace, now: Date.now() };
  const objects = set.objects.map((object): ObjectVerdict => {
    const { kind, namespace, name, uid, generation } = object;
    const reading = readObject(object, context);
    const refusal = 'refusal' in reading ? reading.refusal : null;
    const verdict = { reason: refusal?.reason ?? null, message: refusal?.message ?? null };
    return { kind, namespace, name, uid, generation, accepted: refusal === null, ...verdict, is_kept: false };
  });
  await onPost();
  taken = set;
  return { kind: 'answer', status: 200, body: { objects, server_time: 1 }, retryAfterSeconds: null };
}

/** A collector that leads with a term. */
async function lead(term: number, signal = stop.signal) {
  const timing = new FakeTiming(Date.now());
  const resources = new CustomResources({
    connection: api,
    post,
    cluster: { uid: 'cluster' },
    addresses: () => Promise.resolve([]),
    collector: { id: `pod-${String(term)}`, term },
    release: { name: 'plimsoll', namespace: RELEASE },
    secrets: new ChannelSecrets(null, { list: () => [], read: () => '' }),
    timing,
    log: () => undefined,
  });
  const runs = resources.reflectors.map((reflector) => reflector.run(signal));
  watching.push(...runs);
  await vi.waitFor(() => expect(resources.reflectors.map(({ status }) => status.state)).toEqual(['ok', 'ok', 'ok']), {
    timeout: 30_000,
  });
  const settle = (check: () => unknown): Promise<void> =>
    vi.waitFor(
      async () => {
        await resources.round(signal);
        await check();
      },
      { timeout: 60_000, interval: 50 },
    );
  return { resources, timing, settle };
}

interface Live {
  metadata: { name: string; generation: number };
  status?: {
    conditions: { type: string; status: string; reason: string; message: string; observedGeneration: number }[];
  };
}
const conditionsOf = ({ metadata, status }: Live): string =>
  [
    metadata.name,
    ...(status?.conditions ?? []).map(
      ({ type, status: its, reason, observedGeneration }) => `${type}=${its} ${reason} ${String(observedGeneration)}`,
    ),
  ].join(', ');
const found = async (path: string): Promise<string> => conditionsOf(await api.json<Live>({ path }));
const create = (name: string, spec: object = SPEC): Promise<unknown> =>
  api.json({
    method: 'POST',
    path: RULES,
    body: { apiVersion: 'plimsoll.dev/v1alpha1', kind: 'AlertRule', metadata: { name }, spec },
  });
const edit = (name: string, spec: object): Promise<unknown> =>
  api.json({
    method: 'PATCH',
    path: `${RULES}/${name}`,
    body: { spec },
    contentType: 'application/merge-patch+json',
  });
const remove = (name: string): Promise<unknown> => api.json({ method: 'DELETE', path: `${RULES}/${name}` });
const good = (name: string, generation = 1): string =>
  `${name}, Accepted=True Accepted ${String(generation)}, Synced=True Synced ${String(generation)}, Degraded=False AsExpected ${String(generation)}`;

test('the examples are accepted, the channel names the helm line, and kubectl get shows the columns', async () => {
  kubectl(['apply', '-n', RELEASE, '-f', join(CHART, 'examples/custom-resources.yaml')]);
  const leader = await lead(1);
  await leader.settle(async () => {
    expect(await found(`${GROUP}/namespaces/${RELEASE}/alertrules/pending-pods`)).toBe(good('pending-pods'));
    expect(await found(`${GROUP}/namespaces/${RELEASE}/silences/migration`)).toBe(good('migration'));
    expect(await found(`${GROUP}/namespaces/${RELEASE}/notificationchannels/ops`)).toBe(
      'ops, Accepted=True Accepted 1, Synced=False SecretNotMounted 1, Degraded=True SecretNotMounted 1',
    );
  });
  const columns = kubectl(['get', 'plimsoll', '-n', RELEASE]).replaceAll(/ +/g, ' ');
  expect(columns).toContain('NAME METRIC TARGET ACCEPTED SYNCED AGE');
  expect(columns).toContain('pending-pods pod_pending cluster True True');
  expect(kubectl(['describe', 'plchannel', '-n', RELEASE])).toMatch(
    /SecretNotMounted[\s\S]*helm upgrade plimsoll CHART/,
  );
});

test.each([
  [{ ...SPEC, target: 'tag' }, 'tagKey must be given for target tag'],
  [{ ...SPEC, metric: 'node_not_ready', target: 'cluster' }, 'lines must be one line without a threshold'],
  [{ ...SPEC, lines: [{ level: 'warning' }] }, 'every line must have a threshold'],
  [{ ...SPEC, metric: 'nonsense' }, 'Unsupported value'],
])('the API server refuses %j', async (spec, words) => {
  await expect(create('refused', spec)).rejects.toThrow(words);
});

test('an object outside of its authority gets a condition and an event; an edit mends it', async () => {
  const leader = await lead(2);
  await create('wide', { ...SPEC, target: 'cluster' });
  await leader.settle(async () =>
    expect(await found(`${RULES}/wide`)).toBe(
      'wide, Accepted=False OutsideNamespace 1, Synced=False NotAccepted 1, Degraded=False AsExpected 1',
    ),
  );
  const { items } = await api.json<{ items: { reason: string; involvedObject: { name: string } }[] }>({
    path: `/api/v1/namespaces/${TEAM}/events`,
  });
  expect(items.map(({ reason, involvedObject }) => `${involvedObject.name} ${reason}`)).toContain(
    'wide OutsideNamespace',
  );
  await edit('wide', { target: 'namespace' });
  await leader.settle(async () => expect(await found(`${RULES}/wide`)).toBe(good('wide', 2)));
  await remove('wide');
  await leader.settle(() => expect(taken?.objects.map(({ name }) => name)).not.toContain('wide'));
});

test('an edit between the verdict and the status is a conflict, and the next round judges the new version', async () => {
  const leader = await lead(3);
  await create('edited');
  let edits = 0;
  onPost = async () => {
    edits += 1;
    if (edits === 1) await edit('edited', { enabled: false });
  };
  await leader.settle(async () => expect(await found(`${RULES}/edited`)).toBe(good('edited', 2)));
  expect(leader.resources.status.counts).toMatchObject({ failures: 0 });
  await remove('edited');
});

test('while the dashboard is down for 5 minutes a new object says so, and is applied afterwards', async () => {
  const leader = await lead(4);
  await create('before');
  await leader.settle(async () => expect(await found(`${RULES}/before`)).toBe(good('before')));
  down = true;
  await create('during');
  await leader.settle(async () =>
    expect(await found(`${RULES}/during`)).toBe('during, Synced=False DashboardUnreachable 1'),
  );
  const until = leader.timing.now() + 300_000;
  let rounds = 0;
  while (leader.timing.now() < until) {
    leader.timing.advance(await leader.resources.round(stop.signal));
    rounds += 1;
  }
  expect(rounds).toBeLessThan(15);
  expect(await found(`${RULES}/before`)).toBe(good('before'));
  down = false;
  await leader.settle(async () => expect(await found(`${RULES}/during`)).toContain('Synced=True Synced 1'));
  for (const name of ['before', 'during']) await remove(name);
});

test(
  'a thousand rules: the leader is killed in the middle, the next one writes the rest',
  { timeout: 120_000 },
  async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `rule-${String(i)}`);
    const waiting = [...names];
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await create(name);
      }),
    );
    const list = async (): Promise<Live[]> => (await api.json<{ items: Live[] }>({ path: RULES })).items;
    const isJudged = ({ status }: Live): boolean => (status?.conditions.length ?? 0) === 3;
    const killed = new AbortController();
    const first = await lead(5, killed.signal);
    const round = first.resources.round(killed.signal);
    await vi.waitFor(() => expect(first.resources.status.counts.written).toBeGreaterThan(200), {
      timeout: 60_000,
      interval: 5,
    });
    killed.abort();
    await round;
    const half = (await list()).filter(isJudged).length;
    expect(half).toBeLessThan(1000);
    const second = await lead(6);
    await second.settle(async () => expect((await list()).filter(isJudged)).toHaveLength(1000));
    expect((await list()).every((one) => conditionsOf(one) === good(one.metadata.name))).toBe(true);
    expect(second.resources.status.counts.written).toBeLessThanOrEqual(1000 - half + 10);
    expect(taken?.collector.term).toBe(6);
    expect(taken?.objects.filter(({ namespace }) => namespace === TEAM)).toHaveLength(1000);
    await api.json({ method: 'DELETE', path: RULES });
    await second.settle(() => expect(taken?.objects.filter(({ namespace }) => namespace === TEAM)).toEqual([]));
  },
);
