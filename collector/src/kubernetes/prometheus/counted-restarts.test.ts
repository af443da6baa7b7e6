import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endsOfCounts, type FindRestartedPod } from './counted-restarts.ts';
import type { Series } from './api.ts';

const owner = { kind: 'Deployment', name: 'web', uid: '' };
const gone: FindRestartedPod = () => undefined;
const living =
  (uid: string, created_at = 0): FindRestartedPod =>
  (key) =>
    key === 'shop/web' ? { uid, created_at, node_name: 'worker', controller: { ...owner, name: 'living' } } : undefined;
const series = (values: [number, number][], labels: object = {}): Series => ({
  labels: { namespace: 'shop', pod: 'web', container: 'app', uid: 'u', ...labels },
  values,
});
const runsOf = (values: [number, number][]): [number, number][] =>
  endsOfCounts([series(values)], gone, () => null).map(({ run, at }) => [run, at]);

describe('endsOfCounts', () => {
  it('tells each run that ended, at the moment the count was first seen higher', () => {
    expect(
      runsOf([
        [100, 3],
        [200, 3],
        [300, 5],
        [400, 6],
      ]),
    ).toEqual([
      [3, 300],
      [4, 300],
      [5, 400],
    ]);
  });

  it('says nothing of what was before the first value, nor of a count that stands', () => {
    expect([
      runsOf([[100, 7]]),
      runsOf([]),
      runsOf([
        [1, 7],
        [2, 7],
      ]),
    ]).toEqual([[], [], []]);
  });

  it('says nothing of a step back: it is another pod’s count, or a broken one', () => {
    expect(
      runsOf([
        [100, 9],
        [200, 2],
        [300, 3],
      ]),
    ).toEqual([[2, 300]]);
  });

  it('a jump beyond reason makes a thousand facts, not a million', () => {
    const runs = runsOf([
      [100, 0],
      [200, 1_000_000],
    ]);
    expect([runs.length, runs[0], runs.at(-1)]).toEqual([1000, [999_000, 200], [999_999, 200]]);
  });

  it.each(['namespace', 'pod', 'container'])('a series without its %s is about nothing', (label) => {
    expect(
      endsOfCounts(
        [
          series(
            [
              [1, 0],
              [2, 1],
            ],
            { [label]: '' },
          ),
        ],
        gone,
        () => null,
      ),
    ).toEqual([]);
  });

  it('of a living pod are told with its node and controller', () => {
    const [end] = endsOfCounts(
      [
        series([
          [1, 0],
          [2, 1],
        ]),
      ],
      living('u'),
      () => owner,
    );
    expect(end).toEqual({
      pod_uid: 'u',
      namespace: 'shop',
      pod_name: 'web',
      node_name: 'worker',
      controller: { ...owner, name: 'living' },
      container: 'app',
      run: 0,
      restarted: true,
      at: 2,
      reason: null,
      exit_code: null,
      memory_limit_bytes: null,
    });
  });

  it('of a pod that was there before under the same name are its own, not the living one’s', () => {
    const [end] = endsOfCounts(
      [
        series([
          [1, 0],
          [2, 1],
        ]),
      ],
      living('another'),
      () => owner,
    );
    expect(end).toMatchObject({ pod_uid: 'u', node_name: null, controller: owner });
  });

  it('without a uid belong to the living pod from its birth on, and to nobody when it is gone', () => {
    const values: [number, number][] = [
      [100, 3],
      [200, 4],
      [300, 0],
      [400, 1],
    ];
    const unnamed = [series(values, { uid: '' })];
    expect(endsOfCounts(unnamed, living('v', 250), () => null).map(({ pod_uid, run }) => [pod_uid, run])).toEqual([
      ['v', 0],
    ]);
    expect(endsOfCounts(unnamed, gone, () => owner)).toEqual([]);
  });

  it('however the moments lie, every run of a count that only grows is told once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 20 }), (counts) => {
        const grown = counts.toSorted((a, b) => a - b);
        const runs = runsOf(grown.map((count, index): [number, number] => [index, count])).map(([run]) => run);
        const [first = 0] = grown;
        expect(runs).toEqual(Array.from({ length: (grown.at(-1) ?? 0) - first }, (_, index) => first + index));
      }),
    );
  });
});
