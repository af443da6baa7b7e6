import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { rolloutsOf } from './rollouts.ts';

const pod = (container: string, image: string, createdAt: number) => ({ container, image, createdAt });

it('finds each change of an image at the first pod that has it, newest first', () => {
  const history = [
    pod('app', '1', 0),
    pod('app', '1', 5),
    pod('app', '2', 100_000),
    pod('app', '2', 100_500),
    pod('app', '1', 900_000),
  ];
  expect(rolloutsOf(history.toReversed())).toEqual([
    { at: 900_000, changes: [{ container: 'app', from: '2', to: '1' }] },
    { at: 100_000, changes: [{ container: 'app', from: '1', to: '2' }] },
  ]);
});

it('takes containers that change together as one rollout, and those apart as two', () => {
  const both = (at: number, image: string) => [pod('app', image, at), pod('proxy', image, at)];
  expect(rolloutsOf([...both(0, '1'), ...both(60_000, '2')])).toHaveLength(1);
  const apart = [...both(0, '1'), pod('app', '2', 60_000), pod('proxy', '2', 200_000)];
  expect(rolloutsOf(apart).map(({ changes }) => changes.length)).toEqual([1, 1]);
});

it('knows no rollout of one image, whatever the pods', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ container: fc.constantFrom('a', 'b'), createdAt: fc.nat() })), (pods) => {
      expect(rolloutsOf(pods.map((one) => ({ ...one, image: 'same' })))).toEqual([]);
    }),
  );
});
