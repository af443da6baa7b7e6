import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankChanges } from './rank-changes.ts';
import type { ChangeRecord } from './types.ts';

const AT = 1_000_000_000_000;
let serial = 0;
const change = (given: Partial<ChangeRecord>): ChangeRecord => ({
  id: String((serial += 1)),
  at: AT - 300_000,
  source: 'cluster',
  action: 'changed',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'checkout',
  title: 't',
  changedBy: null,
  link: null,
  clusterId: 'c',
  clusterName: null,
  serverId: null,
  hostname: null,
  fields: [],
  ...given,
});
const field = (name: string) => ({ field: name, was: 'changed' as const, before: '1', after: '2', hidden: false });
const SUBJECT = { at: AT, clusterId: 'c', namespace: 'shop', kind: 'Deployment', name: 'checkout' };
const names = (changes: ChangeRecord[], subject: Parameters<typeof rankChanges>[1] = SUBJECT) =>
  rankChanges(changes, subject).map(({ kind, name }) => `${kind} ${name}`);

/** Changes beside the guilty one that explain nothing here. */
const DECOYS = [
  change({ namespace: 'payments', name: 'gateway' }),
  change({ name: 'cart', at: AT - 10_000 }),
  change({ kind: 'Node', namespace: null, name: 'node-1', at: AT - 5000 }),
  change({ source: 'plimsoll', kind: 'rule', namespace: null, clusterId: null, name: 'CPU' }),
  change({ clusterId: 'other', at: AT - 1000 }),
];

describe('rankChanges', () => {
  it.each<[string, ChangeRecord]>([
    ['a rollout of the object itself', change({ fields: [field('containers.web.image')] })],
    ['its Service', change({ kind: 'Service', fields: [field('ports')] })],
    ['a NetworkPolicy of its namespace', change({ kind: 'NetworkPolicy', name: 'deny', fields: [field('ingress')] })],
    ['a ConfigMap that went', change({ kind: 'ConfigMap', name: 'checkout-config', action: 'gone' })],
    ['a quota of its namespace', change({ kind: 'ResourceQuota', name: 'q', fields: [field('hard.pods')] })],
  ])('%s comes before five decoys', (_what, guilty) => {
    expect(rankChanges([...DECOYS, guilty], SUBJECT)[0]?.id).toBe(guilty.id);
  });

  it('of two equally near ones the later is first, and a telling field before any', () => {
    const early = change({ at: AT - 900_000 });
    const late = change({ at: AT - 60_000 });
    const telling = change({ at: AT - 800_000, fields: [field('containers.web.image')] });
    expect(rankChanges([early, late, telling], SUBJECT).map(({ id }) => id)).toEqual([telling.id, late.id, early.id]);
  });

  it('of a server only its own changes and deployments of the organisation count', () => {
    const own = change({
      source: 'host',
      kind: 'packages',
      clusterId: null,
      namespace: null,
      serverId: 's',
      name: 'h',
    });
    const mark = change({ source: 'deploy', kind: 'deploy', clusterId: null, namespace: null, name: 'app' });
    const others = change({
      source: 'host',
      kind: 'ports',
      clusterId: null,
      namespace: null,
      serverId: 'x',
      name: 'x',
    });
    expect(names([others, mark, own, ...DECOYS], { at: AT, serverId: 's' })).toEqual(['packages h', 'deploy app']);
  });

  it('nothing that came after the moment explains it', () => {
    expect(names([change({ at: AT + 1 })])).toEqual([]);
  });

  it('any list: at most ten, each with a reason, none of another cluster', () => {
    const any = fc.record({
      at: fc.integer({ min: AT - 2_000_000, max: AT + 2_000_000 }),
      clusterId: fc.constantFrom('c', 'd', null),
      namespace: fc.constantFrom('shop', 'other', null),
      kind: fc.constantFrom('Deployment', 'Service', 'Node', 'StorageClass', 'rule'),
      name: fc.constantFrom('checkout', 'cart', 'x'),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 40 }), (given) => {
        const found = rankChanges(given.map(change), SUBJECT);
        expect(found.length).toBeLessThanOrEqual(10);
        for (const one of found) {
          expect(one.why).not.toBe('');
          expect(one.clusterId).toBe('c');
          expect(one.at).toBeLessThanOrEqual(AT);
        }
      }),
    );
  });
});
