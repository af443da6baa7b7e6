import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { ALERT_RULE_TARGETS, OBJECT_RULE_METRICS, targetsOf } from '@plimsoll/contract/rules/alert-rule-limits';
import type { CustomObject } from '@plimsoll/contract/wire/custom-resources';
import { ClusterRules } from '../alerts/rules/cluster-rules.ts';
import { matches } from '../alerts/rules/effective-rules.ts';
import { matchesSilence } from '../alerts/silence-match.ts';
import { readObject } from './read-object.ts';

const CONTEXT = { clusterId: 'cluster-a', releaseNamespace: 'plimsoll', now: 1_700_000_000_000 };
const NAMESPACES = ['plimsoll', 'shop', 'bank'];
const namespace = fc.constantFrom(...NAMESPACES);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const SERVER = '6f1d7b52-6d53-4e0a-9f0e-0f5a4d1b2c3d';

const object = (kind: CustomObject['kind'], spec: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<CustomObject> =>
  fc.record({ namespace, spec }).map((parts) => ({
    kind,
    name: 'x',
    uid: 'u',
    generation: 1,
    created_at: CONTEXT.now / 1000,
    secrets: null,
    ...parts,
    // Keys without a value are absent, as in JSON.
    spec: JSON.parse(JSON.stringify(parts.spec)) as Record<string, unknown>,
  }));

/** Most of them fit their metric and target, so that many are accepted. */
const rule = object(
  'AlertRule',
  fc
    .constantFrom(...OBJECT_RULE_METRICS)
    .chain((metric) =>
      fc.record({
        metric: fc.constant(metric),
        target: fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom(...targetsOf(metric)) },
          fc.constantFrom(...ALERT_RULE_TARGETS),
        ),
        lines: fc.constant([{ level: 'warning', threshold: ALERT_METRICS[metric].threshold === null ? null : 50 }]),
        namespace: maybe(namespace),
        noise: fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, fc.constant({ clusterId: 'cluster-b' })),
      }),
    )
    .map(({ noise, namespace: its, ...spec }) => ({
      ...spec,
      ...noise,
      ...(['namespace', 'workload'].includes(spec.target) && { namespace: its }),
      ...(spec.target === 'workload' && { workload: 'web' }),
      ...(spec.target === 'server' && { serverId: SERVER }),
      ...(spec.target === 'tag' && { tagKey: 'env' }),
      ...(spec.target === 'mount' && { mount: '/' }),
    })),
);
const silence = object(
  'Silence',
  fc.record({
    namespace: maybe(namespace),
    metric: maybe(fc.constant('pod_pending')),
    subject: maybe(fc.constant('shop/Deployment/web')),
    serverId: maybe(fc.constant(SERVER)),
    durationSeconds: fc.constant(3600),
  }),
);

const PLACES = [...NAMESPACES, null].map((own) => ({ namespace: own, workloadKind: 'Deployment', name: 'web' }));

test('no rule decides for anything outside of its namespace and its cluster', () => {
  let accepted = 0;
  fc.assert(
    fc.property(rule, (one) => {
      const reading = readObject(one, CONTEXT);
      if ('refusal' in reading || reading.kind !== 'AlertRule') return;
      if (one.namespace === CONTEXT.releaseNamespace) return;
      accepted += 1;
      const { draft } = reading;
      const stored = { ...draft, id: 'own', object: null, createdAt: 0, updatedAt: 0 };
      expect(matches(draft.target, { id: SERVER, tags: { env: 'prod' } }, '/')).toBe(false);
      for (const clusterId of ['cluster-a', 'cluster-b'])
        for (const place of PLACES) {
          const rules = new ClusterRules([stored], clusterId, 60_000);
          const decides = rules.of(draft.metric as 'pod_pending', place)?.id === 'own';
          const isOwn = clusterId === 'cluster-a' && place.namespace === one.namespace;
          expect([clusterId, place, decides && !isOwn]).toEqual([clusterId, place, false]);
        }
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(20);
});

test('no silence holds an alert outside of its namespace and its cluster', () => {
  let accepted = 0;
  fc.assert(
    fc.property(silence, namespace, fc.constantFrom('cluster-a', 'cluster-b'), (one, where, clusterId) => {
      const reading = readObject(one, CONTEXT);
      if ('refusal' in reading || reading.kind !== 'Silence') return;
      accepted += 1;
      const alert = {
        serverId: SERVER,
        tags: {},
        metric: 'pod_pending',
        rule: 'r',
        subject: 'shop/Deployment/web',
      };
      const isHeld = matchesSilence(reading.draft, { ...alert, clusterId, namespace: where });
      const mayHold = one.namespace === CONTEXT.releaseNamespace || where === one.namespace;
      expect(isHeld && !(clusterId === 'cluster-a' && mayHold)).toBe(false);
    }),
    { numRuns: 1000 },
  );
  expect(accepted).toBeGreaterThan(20);
});

const parts = { name: 'x', uid: 'u', generation: 1, created_at: 1, secrets: null };
const wordsOf = (one: Omit<CustomObject, keyof typeof parts> & Partial<CustomObject>): string => {
  const reading = readObject({ ...parts, ...one }, CONTEXT);
  return 'refusal' in reading ? `${reading.refusal.reason} ${reading.refusal.message}` : 'accepted';
};

test.each([
  [
    'AlertRule',
    'shop',
    { metric: 'cpu_usage', target: 'all', lines: [{ level: 'warning', threshold: 80 }] },
    'OutsideNamespace spec.target: must be namespace or workload outside of plimsoll',
  ],
  [
    'AlertRule',
    'shop',
    { metric: 'pod_pending', target: 'namespace', namespace: 'bank', lines: [{ level: 'error', threshold: 1 }] },
    'OutsideNamespace spec.namespace: must be shop',
  ],
  [
    'AlertRule',
    'plimsoll',
    { metric: 'cpu_usage', target: 'all', lines: [{ level: 'warning', threshold: 80 }], forSeconds: -1 },
    'Invalid spec.forSeconds:',
  ],
  [
    'AlertRule',
    'plimsoll',
    { metric: 'cpu_usage', target: 'all', clusterId: 'b', lines: [{ level: 'warning', threshold: 80 }] },
    'Invalid spec.clusterId: is not a field of this kind',
  ],
  ['Silence', 'shop', { namespace: 'bank', durationSeconds: 60 }, 'OutsideNamespace spec.namespace: must be shop'],
  ['Silence', 'shop', { metric: 'x' }, 'Invalid spec.endsAt: or'],
  ['Silence', 'shop', { endsAt: '1970-01-01T00:00:00Z' }, 'Invalid spec.endsAt: must be after'],
  ['NotificationChannel', 'shop', { type: 'webhook' }, 'OutsideNamespace metadata.namespace: a channel counts only in'],
  ['NotificationChannel', 'plimsoll', { type: 'webhook' }, 'Invalid spec.settings.url: is required'],
  [
    'NotificationChannel',
    'plimsoll',
    { type: 'webhook', settings: { url: 'https://x.example/' }, name: 'Ops\r\nBcc: x' },
    'Invalid spec.name: must be one line',
  ],
  [
    'NotificationChannel',
    'plimsoll',
    { type: 'webhook', settings: { url: 'https://x.example/' }, name: 'Ops\u202Egnp.exe' },
    'Invalid spec.name: must be one line',
  ],
  [
    'NotificationChannel',
    'plimsoll',
    { type: 'telegram', settings: { botToken: '1:aaaaaaaaaa', chatId: '-1' } },
    'Invalid spec.settings.botToken: is a secret. Put it under the key bot_token',
  ],
  [
    'NotificationChannel',
    'plimsoll',
    { type: 'telegram', settings: { chatId: '-1' }, secretRef: { name: 'tg' } },
    'SecretNotMounted spec.secretRef: the Secret tg is not mounted',
  ],
] as const)('%s in %s: %j is refused with the field', (kind, where, spec, words) => {
  expect(wordsOf({ kind, namespace: where, spec })).toContain(words);
});

test('a hostile spec is refused, not thrown', () => {
  fc.assert(
    fc.property(fc.constantFrom('AlertRule', 'Silence', 'NotificationChannel'), fc.object(), (kind, spec) => {
      expect(readObject({ ...parts, kind, namespace: 'plimsoll', spec }, CONTEXT).kind).toBe(kind);
    }),
    { numRuns: 500 },
  );
});
