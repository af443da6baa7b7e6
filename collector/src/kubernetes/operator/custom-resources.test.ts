import { clusterObjects, type ClusterObjects, type ObjectVerdict } from '@plimsoll/contract/wire/custom-resources';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ClusterReply } from '../report/cluster-reporter.ts';
import { StandInObjects } from '../testing/stand-in-objects.ts';
import { FakeTiming } from '../testing/fake-timing.ts';
import { ChannelSecrets } from './channel-secrets.ts';
import { CustomResources } from './custom-resources.ts';

const ALL_GOOD = 'Accepted=True Accepted, Synced=True Synced, Degraded=False AsExpected';

let cluster: StandInObjects;
let sent: ClusterObjects[];
let logged: string[];
let files: Record<string, Record<string, string>>;
let refusals: Record<string, Pick<ObjectVerdict, 'reason' | 'message' | 'is_kept'>>;
/** Messages of accepted objects, by name. */
let notes: Record<string, string>;
let down: ClusterReply | null;
beforeEach(() => {
  cluster = new StandInObjects();
  sent = [];
  logged = [];
  files = {};
  refusals = {};
  notes = {};
  down = null;
});

/** A dashboard that takes every object but those of `refusals`. */
const post = (_path: string, body: object): Promise<ClusterReply> => {
  if (down !== null) return Promise.resolve(down);
  const set = clusterObjects.parse(structuredClone(body));
  sent.push(set);
  const objects = set.objects.map(({ kind, namespace, name, uid, generation }): ObjectVerdict => {
    const refusal = refusals[name];
    const place = { kind, namespace, name, uid, generation };
    return refusal
      ? { ...place, accepted: false, ...refusal }
      : { ...place, accepted: true, reason: null, message: notes[name] ?? null, is_kept: false };
  });
  return Promise.resolve({ kind: 'answer', status: 200, body: { objects, server_time: 1 }, retryAfterSeconds: null });
};

/** The leader of a term. `settle` runs rounds until the cluster is as described. */
async function lead(term = 1) {
  const timing = new FakeTiming();
  const stop = new AbortController();
  const resources = new CustomResources({
    connection: await cluster.connect(),
    post,
    cluster: { uid: 'uid-a' },
    addresses: () => Promise.resolve(['10.0.0.5:6443']),
    collector: { id: `pod-${String(term)}`, term },
    release: { name: 'plimsoll', namespace: 'ops' },
    secrets: new ChannelSecrets('/etc/channels', {
      list: (folder) => {
        const names = folder === '/etc/channels' ? files : files[folder.replace('/etc/channels/', '')];
        if (names === undefined) throw new Error('ENOENT');
        return Object.keys(names);
      },
      read: (file) => files[file.split('/').at(-2) ?? '']?.[file.split('/').at(-1) ?? ''] ?? '',
    }),
    timing,
    log: (level, message, fields) => void logged.push(`${level} ${message} ${JSON.stringify(fields)}`),
  });
  const watching = resources.reflectors.map((reflector) => reflector.run(stop.signal));
  await vi.waitFor(() => expect(resources.reflectors.map(({ status }) => status.state)).not.toContain('starting'));
  const settle = (check: () => void): Promise<void> =>
    vi.waitFor(
      async () => {
        await resources.round(stop.signal);
        check();
      },
      { timeout: 20_000 },
    );
  const end = async (): Promise<void> => {
    stop.abort();
    await Promise.all(watching);
  };
  return { resources, timing, settle, end, signal: stop.signal };
}
const RULE = { metric: 'pod_pending', target: 'namespace', lines: [{ level: 'warning', threshold: 1 }] };

test('sends the whole set once, writes conditions and one event, and sends again after an edit and a deletion', async () => {
  cluster.apply('alertrules', 'shop/a', RULE);
  cluster.apply('silences', 'shop/s', { durationSeconds: 60 });
  const leader = await lead();
  await leader.settle(() => {
    expect(cluster.conditions('alertrules', 'shop/a')).toBe(ALL_GOOD);
    expect(cluster.conditions('silences', 'shop/s')).toBe(ALL_GOOD);
  });
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ covers: ['AlertRule', 'NotificationChannel', 'Silence'], release_namespace: 'ops' });
  expect(cluster.events.map(({ type, reason }) => `${type} ${reason}`)).toEqual(['Normal Synced', 'Normal Synced']);
  const { patches } = cluster;
  await leader.settle(() => expect(cluster.condition('alertrules', 'shop/a', 'Synced')?.observedGeneration).toBe(1));
  expect([sent.length, cluster.patches]).toEqual([1, patches]);

  cluster.apply('alertrules', 'shop/a', { ...RULE, enabled: false });
  await leader.settle(() => expect(cluster.condition('alertrules', 'shop/a', 'Synced')?.observedGeneration).toBe(2));
  expect(sent.at(-1)?.objects.map(({ name, generation }) => [name, generation])).toContainEqual(['a', 2]);
  cluster.delete('alertrules', 'shop/a');
  await leader.settle(() => expect(sent.at(-1)?.objects.map(({ name }) => name)).toEqual(['s']));
  expect(sent.map(({ seq }) => seq)).toEqual(sent.map(({ seq }) => seq).toSorted((a, b) => a - b));
  await leader.end();
});

test('a conflict is no failure: the next round writes to the new version', async () => {
  cluster.apply('alertrules', 'shop/a', RULE);
  let edits = 0;
  cluster.beforePatch = () => {
    edits += 1;
    if (edits === 1) cluster.apply('alertrules', 'shop/a', { ...RULE, enabled: false });
  };
  const leader = await lead();
  await leader.settle(() => expect(cluster.condition('alertrules', 'shop/a', 'Synced')?.observedGeneration).toBe(2));
  expect(leader.resources.status.counts).toMatchObject({ conflicts: 1, failures: 0 });
  await leader.end();
});

test('an object that is refused says why; a version before it that stays in force makes it degraded', async () => {
  refusals = { a: { reason: 'Invalid', message: 'spec.forSeconds: must be 0.', is_kept: true } };
  cluster.apply('alertrules', 'shop/a', RULE);
  const leader = await lead();
  await leader.settle(() =>
    expect(cluster.conditions('alertrules', 'shop/a')).toBe(
      'Accepted=False Invalid, Synced=False NotAccepted, Degraded=True EarlierVersion',
    ),
  );
  expect(cluster.condition('alertrules', 'shop/a', 'Accepted')?.message).toContain('spec.forSeconds');
  expect(cluster.events).toMatchObject([{ type: 'Warning', reason: 'Invalid' }]);
  await leader.end();
});

test('a channel with a refused address is degraded and not accepted, and names its own field', async () => {
  const message = 'spec.settings.url: 127.0.0.1 leads to a private address. Use a public address.';
  refusals = { hook: { reason: 'Invalid', message, is_kept: false } };
  cluster.apply('notificationchannels', 'ops/hook', { type: 'webhook', settings: { url: 'http://127.0.0.1/' } });
  const leader = await lead();
  await leader.settle(() =>
    expect(cluster.conditions('notificationchannels', 'ops/hook')).toBe(
      'Accepted=False Invalid, Synced=False NotAccepted, Degraded=True Invalid',
    ),
  );
  expect(cluster.condition('notificationchannels', 'ops/hook', 'Degraded')?.message).toBe(message);
  await leader.end();
});

test('an accepted rule says in its condition which of several rules decides', async () => {
  notes = { a: 'This rule has no effect: AlertRule shop/b decides.' };
  cluster.apply('alertrules', 'shop/a', RULE);
  const leader = await lead();
  await leader.settle(() => expect(cluster.conditions('alertrules', 'shop/a')).toBe(ALL_GOOD));
  expect(cluster.condition('alertrules', 'shop/a', 'Synced')?.message).toBe(notes['a']);
  await leader.end();
});

test('an object that needs the permission of an admin is degraded with that reason', async () => {
  refusals = { a: { reason: 'OrganisationRulesOff', message: 'Let an admin allow it.', is_kept: false } };
  cluster.apply('alertrules', 'shop/a', RULE);
  const leader = await lead();
  const off = 'OrganisationRulesOff';
  await leader.settle(() =>
    expect(cluster.conditions('alertrules', 'shop/a')).toBe(
      `Accepted=True Accepted, Synced=False ${off}, Degraded=True ${off}`,
    ),
  );
  expect(cluster.condition('alertrules', 'shop/a', 'Degraded')?.message).toBe('Let an admin allow it.');
  expect(cluster.events).toMatchObject([{ type: 'Warning', reason: off }]);
  await leader.end();
});

test('a channel whose Secret is not mounted is degraded with the helm line, and recovers when it is', async () => {
  files = { mail: { password: 'x' } };
  refusals = { ops: { reason: 'SecretNotMounted', message: 'Not mounted.', is_kept: false } };
  cluster.apply('notificationchannels', 'ops/ops', { type: 'telegram', secretRef: { name: 'telegram' } });
  cluster.apply('notificationchannels', 'shop/thief', { type: 'telegram', secretRef: { name: 'mail' } });
  const leader = await lead();
  await leader.settle(() =>
    expect(cluster.condition('notificationchannels', 'ops/ops', 'Degraded')).toMatchObject({
      status: 'True',
      reason: 'SecretNotMounted',
    }),
  );
  expect(cluster.condition('notificationchannels', 'ops/ops', 'Degraded')?.message).toContain(
    "helm upgrade plimsoll CHART -n ops --reuse-values --set 'clusterCollector.channelSecrets={mail,telegram}'",
  );
  expect(sent[0]?.objects.map(({ name, secrets }) => [name, secrets])).toEqual([
    ['ops', null],
    ['thief', null],
  ]);
  files = { telegram: { bot_token: '1:aaaaaaaaaa' } };
  refusals = {};
  await leader.settle(() => expect(cluster.conditions('notificationchannels', 'ops/ops')).toBe(ALL_GOOD));
  expect(sent.at(-1)?.objects[0]?.secrets).toEqual({ bot_token: '1:aaaaaaaaaa' });
  await leader.end();
});

test('while the dashboard is down new versions say so, applied ones stay as they are, and all recover', async () => {
  cluster.apply('alertrules', 'shop/old', RULE);
  const leader = await lead();
  await leader.settle(() => expect(cluster.conditions('alertrules', 'shop/old')).toBe(ALL_GOOD));
  down = { kind: 'failed', code: 'ECONNREFUSED' };
  cluster.apply('alertrules', 'shop/new', RULE);
  await leader.settle(() =>
    expect(cluster.conditions('alertrules', 'shop/new')).toBe('Synced=False DashboardUnreachable'),
  );
  const until = leader.timing.now() + 300_000;
  const waits: number[] = [];
  while (leader.timing.now() < until) {
    const waitMs = await leader.resources.round(leader.signal);
    waits.push(waitMs);
    leader.timing.advance(waitMs);
  }
  expect(waits.length).toBeLessThan(15);
  expect(Math.max(...waits)).toBeLessThanOrEqual(62_000);
  expect(cluster.conditions('alertrules', 'shop/old')).toBe(ALL_GOOD);
  expect(logged.filter((line) => line.includes('not in sync'))).toHaveLength(1);
  down = null;
  await leader.settle(() => expect(cluster.conditions('alertrules', 'shop/new')).toContain('Synced=True Synced'));
  await leader.end();
});

test('a leader that ends in the middle leaves the rest to the next one', async () => {
  for (let i = 0; i < 100; i += 1) cluster.apply('alertrules', `shop/rule-${String(i)}`, RULE);
  const first = await lead(1);
  let written = 0;
  cluster.beforePatch = () => {
    written += 1;
    if (written === 30) void first.end();
  };
  await first.resources.round(first.signal);
  expect(cluster.patches).toBeLessThan(100);
  cluster.beforePatch = () => undefined;
  const second = await lead(2);
  await second.settle(() =>
    expect(
      Array.from({ length: 100 }, (_, i) => cluster.conditions('alertrules', `shop/rule-${String(i)}`)).every(
        (text) => text === ALL_GOOD,
      ),
    ).toBe(true),
  );
  expect(sent.map(({ collector }) => collector.term)).toEqual([1, 2]);
  await second.end();
});

test('without the definitions of an older chart nothing is sent, and the log says so once', async () => {
  for (const plural of ['alertrules', 'notificationchannels', 'silences']) cluster.absent.add(plural);
  const leader = await lead();
  for (let i = 0; i < 5; i += 1) await leader.resources.round(leader.signal);
  expect(sent).toEqual([]);
  expect(logged.filter((line) => line.includes('upgrade the chart'))).toHaveLength(1);
  await leader.end();
});

test('a kind that is not listed is not covered, so that nothing of it is deleted', async () => {
  cluster.absent.add('silences');
  cluster.apply('alertrules', 'shop/a', RULE);
  const leader = await lead();
  await leader.settle(() => expect(sent[0]?.covers).toEqual(['AlertRule', 'NotificationChannel']));
  await leader.end();
});

test('a spec that the dashboard would refuse as a whole travels without its content and is refused alone', async () => {
  refusals = { deep: { reason: 'Invalid', message: 'x', is_kept: false } };
  const deep = { a: { b: { c: { d: { e: 1 } } } } };
  cluster.apply('notificationchannels', 'ops/deep', { type: 'webhook', settings: deep });
  cluster.apply('alertrules', 'shop/a', RULE);
  const leader = await lead();
  await leader.settle(() => {
    expect(cluster.conditions('alertrules', 'shop/a')).toBe(ALL_GOOD);
    expect(cluster.condition('notificationchannels', 'ops/deep', 'Accepted')?.message).toBe('spec: nests too deeply.');
  });
  expect(sent[0]?.objects.find(({ name }) => name === 'deep')?.spec).toEqual({});
  await leader.end();
});

test('a thousand objects are one request, a thousand conditions and at most 50 events', async () => {
  for (let i = 0; i < 1000; i += 1) cluster.apply('alertrules', `shop/rule-${String(i)}`, RULE);
  const leader = await lead();
  await leader.settle(() => expect(cluster.patches).toBe(1000));
  expect([sent.length, cluster.events.length]).toEqual([1, 50]);
  await leader.end();
});
