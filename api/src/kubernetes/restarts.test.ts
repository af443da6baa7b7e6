import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restartedPod, SECONDS } from '../testing/kubernetes.ts';
import { keepNewest, missedRuns } from './restarts.ts';

const DAY = 86_400;
const old = { created_at: SECONDS - 30 * DAY };
const numbers = (missed: ReturnType<typeof missedRuns>) =>
  missed.flatMap(({ first, end }) => Array.from({ length: end - first }, (_, index) => first + index));
const runs = (...args: Parameters<typeof missedRuns>) => numbers(missedRuns(...args));
const known = (count: number) => new Map([['app', count]]);

describe('missedRuns', () => {
  it('fills the gap between the stored count and the one told', () => {
    expect(runs(restartedPod('a', 5, old), known(2), SECONDS - 60 * DAY, SECONDS)).toEqual([2, 3, 4]);
    expect(runs(restartedPod('a', 5, old), known(5), SECONDS - 60 * DAY, SECONDS)).toEqual([]);
    expect(runs(restartedPod('a', 1, old), known(5), SECONDS - 60 * DAY, SECONDS)).toEqual([]);
  });

  it('at first sight takes a young pod at its word, and an old one not', () => {
    const young = { created_at: SECONDS - DAY / 2 };
    expect(runs(restartedPod('a', 3, young), null, SECONDS, SECONDS)).toEqual([0, 1, 2]);
    expect(runs(restartedPod('a', 3, old), null, SECONDS, SECONDS)).toEqual([]);
  });

  it('a pod born after the cluster was first seen has all its restarts in our time', () => {
    expect(runs(restartedPod('a', 2, old), null, old.created_at - 1, SECONDS)).toEqual([0, 1]);
  });

  it('places them where the last one ended, or now where the pod does not say', () => {
    const pod = restartedPod('a', 3, old);
    const at = (of: typeof pod) => missedRuns(of, known(2), SECONDS - 60 * DAY, SECONDS).map(({ at }) => at);
    expect(at(pod)).toEqual([SECONDS - 60]);
    expect(at({ ...pod, containers: pod.containers.map((one) => ({ ...one, last_termination: null })) })).toEqual([
      SECONDS,
    ]);
  });

  it('counts a container that came later from its first restart on', () => {
    const before = new Map([['other', 7]]);
    expect(runs(restartedPod('a', 2, old), before, SECONDS - 60 * DAY, SECONDS)).toEqual([0, 1]);
  });

  it('takes no jump for more than a thousand restarts, the last ones', () => {
    const found = runs(restartedPod('a', 3000, old), known(5), SECONDS - 60 * DAY, SECONDS);
    expect([found.length, found[0], found.at(-1)]).toEqual([1000, 2000, 2999]);
  });

  it('however the counts arrive, every run is counted once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 15 }), (steps) => {
        let count = 0;
        const counted: number[] = [];
        for (const step of steps) {
          const before = count;
          count += step;
          counted.push(...runs(restartedPod('a', count, old), known(before), SECONDS - 60 * DAY, SECONDS));
        }
        expect(counted).toEqual(Array.from({ length: count }, (_, run) => run));
      }),
    );
  });
});

describe('keepNewest', () => {
  const missed = (...lengths: number[]) =>
    lengths.map((length, index) => ({ container: `c${String(index)}`, first: 7, end: 7 + length, at: SECONDS }));
  const kept = (most: number, ...lengths: number[]) =>
    keepNewest(missed(...lengths), most).map(({ first, end }) => end - first);

  it('keeps all that fits', () => {
    expect(kept(10, 3, 1, 6)).toEqual([3, 1, 6]);
    expect(kept(10)).toEqual([]);
  });

  it('cuts those that missed most, and keeps their newest', () => {
    expect(kept(10, 2, 90, 1, 90)).toEqual([2, 3, 1, 3]);
    expect(keepNewest(missed(90), 10)).toMatchObject([{ first: 87, end: 97 }]);
  });

  it('keeps one of each where not even those fit', () => {
    expect(kept(2, 5, 1, 5)).toEqual([1, 1, 1]);
  });

  it('spends the bound, and cuts none below one that keeps more', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 30, max: 5000 }), (all, most) => {
        const left = kept(most, ...all);
        const [sum, wanted] = [left, all].map((list) => list.reduce((total, length) => total + length, 0));
        expect(sum).toBeLessThanOrEqual(most);
        expect(sum).toBeGreaterThanOrEqual(Math.min(wanted!, most - all.length));
        const cut = left.filter((length, index) => length < all[index]!);
        for (const length of cut) expect(length).toBe(Math.max(...left));
      }),
    );
  });
});
