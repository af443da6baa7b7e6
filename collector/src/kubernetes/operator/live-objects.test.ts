import { expect, it } from 'vitest';
import { LiveObjects, resourceOf } from './live-objects.ts';
import { listInto } from '../testing/list-into.ts';

const rule = (uid: string) =>
  resourceOf('AlertRule').project({ metadata: { uid, name: uid, namespace: 'shop', resourceVersion: '1' } });

it('a listing of custom resources ends those that it does not name', () => {
  const objects = new LiveObjects();
  listInto(objects, [rule('a'), rule('b')]);
  listInto(objects, [rule('b'), rule('c')]);
  expect([...objects.objects.keys()].toSorted()).toEqual(['b', 'c']);
});
