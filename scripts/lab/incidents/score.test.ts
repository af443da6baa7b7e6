import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TrueCause } from './incident.ts';
import { type Accused, score } from './score.ts';

const accused = (kind: Accused['kind'], name: string, more: Partial<Accused> = {}): Accused => ({
  kind,
  name,
  object_kind: null,
  namespace: 'shop-1',
  ...more,
});
const cause = (...entities: TrueCause['entities']): TrueCause => ({ entities, mechanism: 'broken', change: null });
const catalog = cause({ kind: 'workload', name: 'catalog' });
const truth = (causes: TrueCause[], related: TrueCause['entities'] = []) => ({ causes, related, namespace: 'shop-1' });

test('one true cause alone is a full score, a wrong one beside it halves it', () => {
  expect(score([accused('workload', 'catalog')], truth([catalog]))).toBe(1);
  expect(score([accused('workload', 'catalog'), accused('service', 'cart')], truth([catalog]))).toBe(0.5);
});

test('a missing true cause is 0, whatever else is named', () => {
  expect(score([accused('service', 'cart')], truth([catalog]))).toBe(0);
  const both = truth([catalog, cause({ kind: 'service', name: 'cart' })]);
  expect(score([accused('workload', 'catalog')], both)).toBe(0);
  expect(score([accused('workload', 'catalog'), accused('service', 'cart')], both)).toBe(1);
});

test('several names of one cause count once', () => {
  const claim = cause(
    { kind: 'volume_claim', name: 'data' },
    { kind: 'object', objectKind: 'StorageClass', name: 'fast' },
  );
  const named = [
    accused('volume_claim', 'data'),
    accused('object', 'fast', { object_kind: 'StorageClass', namespace: null }),
  ];
  expect(score(named, truth([claim]))).toBe(1);
  expect(score([...named, accused('workload', 'x')], truth([claim]))).toBe(0.5);
});

test('a related entity is neither right nor wrong', () => {
  const related = [{ kind: 'workload' as const, name: 'cart' }];
  expect(score([accused('workload', 'catalog'), accused('workload', 'cart')], truth([catalog], related))).toBe(1);
  expect(score([accused('workload', 'cart')], truth([catalog], related))).toBe(0);
});

test('a pod stands for its workload', () => {
  expect(score([accused('pod', 'catalog-6d5f9c7b8d-x2x4z')], truth([catalog]))).toBe(1);
  expect(score([accused('pod', 'database-0')], truth([cause({ kind: 'workload', name: 'database' })]))).toBe(1);
  expect(score([accused('pod', 'catalog-6d5f9c7b8d-x2x4z'), accused('workload', 'catalog')], truth([catalog]))).toBe(1);
});

test('an entity of another namespace, kind or kind of object is another one', () => {
  expect(score([accused('workload', 'catalog', { namespace: 'shop-2' })], truth([catalog]))).toBe(0);
  expect(score([accused('service', 'catalog')], truth([catalog]))).toBe(0);
  const quota = cause({ kind: 'object', objectKind: 'ResourceQuota', name: 'compute' });
  expect(score([accused('object', 'compute', { object_kind: 'ConfigMap' })], truth([quota]))).toBe(0);
  expect(score([accused('object', 'compute', { object_kind: 'ResourceQuota' })], truth([quota]))).toBe(1);
});

test('a unit has its name with and without the suffix', () => {
  const web = { causes: [cause({ kind: 'unit', name: 'web' })], related: [], namespace: null };
  expect(score([accused('unit', 'web.service', { namespace: null })], web)).toBe(1);
});

test('a healthy stretch is 1 only if nothing is accused', () => {
  expect(score([], truth([]))).toBe(1);
  expect(score([accused('workload', 'catalog')], truth([]))).toBe(0);
});

test('a score is between 0 and 1, and one more wrong entity never raises it', () => {
  const one = fc.record({
    kind: fc.constantFrom('workload' as const, 'service' as const, 'pod' as const),
    name: fc.constantFrom('catalog', 'cart', 'orders', 'queue'),
    object_kind: fc.constant(null),
    namespace: fc.constantFrom('shop-1', 'shop-2', null),
  });
  fc.assert(
    fc.property(fc.array(one), (list) => {
      const before = score(list, truth([catalog]));
      const after = score([...list, accused('node', 'never')], truth([catalog]));
      expect(before).toBeGreaterThanOrEqual(0);
      expect(before).toBeLessThanOrEqual(1);
      expect(after).toBeLessThanOrEqual(before);
    }),
  );
});
