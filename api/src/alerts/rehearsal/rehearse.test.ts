import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Report } from '@plimsoll/contract/wire/report';
import { evaluate, type Tracks } from '../evaluation/evaluate.ts';
import { thresholdRuleOf } from '../rules/effective-rules.ts';
import { rehearse, type Rehearsal } from './rehearse.ts';
import type { AlertRule, RuleDraft } from '../types.ts';
import type { RecordedPoints } from './recorded.ts';

const MINUTE = 60_000;
const RULE: AlertRule = {
  id: 'rule',
  object: null,
  metric: 'cpu_usage',
  target: { kind: 'all' },
  lines: [
    { level: 'warning', threshold: 80 },
    { level: 'critical', threshold: 95 },
  ],
  forMs: 5 * MINUTE,
  keepFiringForMs: 5 * MINUTE,
  hysteresisPoints: 5,
  enabled: true,
  createdAt: 0,
  updatedAt: 0,
};
interface Point {
  at: number;
  min: number;
  max: number;
}
const pointsOf = (points: readonly Point[], isSample: boolean): RecordedPoints => ({
  isSample,
  at: Float64Array.from(points, ({ at }) => at),
  min: Float32Array.from(points, ({ min }) => min),
  max: Float32Array.from(points, ({ max }) => max),
});
/** In two parts, as two days of history. */
function rehearsed(rule: RuleDraft, points: readonly Point[], now: number, isSample = true): Rehearsal {
  const run = rehearse(rule, { serverId: 's', hostname: 'web-1', intervalMs: MINUTE });
  const half = Math.floor(points.length / 2);
  run.add(pointsOf(points.slice(0, half), isSample));
  run.add(pointsOf(points.slice(half), isSample));
  return run.end(now);
}
const samples = (values: readonly number[], from = 0): Point[] =>
  values.map((value, index) => ({ at: (from + index) * MINUTE, min: value, max: value }));
const times = (count: number, value: number): number[] => Array.from({ length: count }, () => value);

test('a step over the line fires once; the higher level and the end send a message each', () => {
  const found = rehearsed(RULE, samples([...times(5, 85), ...times(6, 99), ...times(12, 10)]), 0);
  expect(found).toEqual({
    alerts: [{ serverId: 's', hostname: 'web-1', level: 'critical', firedAt: 4 * MINUTE, resolvedAt: 15 * MINUTE }],
    messages: 3,
  });
});

test('of 5 minutes the minimum must be over the line and the maximum below the clear line', () => {
  const bucket = (index: number, min: number, max: number): Point => ({ at: index * 5 * MINUTE, min, max });
  const points = [bucket(0, 70, 99), bucket(1, 81, 90), bucket(2, 10, 76), bucket(3, 10, 74)];
  const found = rehearsed(RULE, points, 0, false);
  expect(found.alerts).toMatchObject([{ firedAt: 5 * MINUTE, resolvedAt: 15 * MINUTE }]);
});

test('offline fires for each stretch without a report that is long enough', () => {
  const rule: AlertRule = { ...RULE, metric: 'offline', lines: [{ level: 'critical', threshold: null }], forMs: 0 };
  const points = [...samples([0, 0]), ...samples([0], 3), ...samples([0], 10)];
  const found = rehearsed(rule, points, 12 * MINUTE);
  expect(found.alerts).toMatchObject([{ firedAt: 6 * MINUTE, resolvedAt: 10 * MINUTE }]);
  expect(rehearsed(rule, points, 13 * MINUTE)).toMatchObject({
    messages: 3,
    alerts: [{}, { firedAt: 13 * MINUTE, resolvedAt: null }],
  });
  expect(rehearsed({ ...rule, forMs: 8 * MINUTE }, points, 12 * MINUTE).alerts).toEqual([]);
});

test('500 random traces with gaps and unknown values: as often as the evaluation of the same reports', () => {
  const reportOf = (percent: number): Report => ({
    seq: 1,
    ts: 0,
    up: 0,
    kind: 'host',
    window_seconds: 60,
    cpu: {
      percent: Number.isNaN(percent) ? null : percent,
      io_wait_percent: null,
      steal_percent: null,
      user_percent: null,
      system_percent: null,
      per_core_percent: [],
    },
  });
  const one = fc.record({
    gap: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 9 }) }),
    value: fc.constantFrom(10, 74, 76, 80, 85, 96, 99, Number.NaN),
    run: fc.integer({ min: 1, max: 8 }),
  });
  let fired = 0;
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 20 }), (trace) => {
      let at = 0;
      const points = trace.flatMap(({ gap, value, run }) => {
        at += (gap - 1) * MINUTE;
        return times(run, value).map((each): Point => {
          at += MINUTE;
          return { at, min: each, max: each };
        });
      });
      let tracks: Tracks = {};
      let newest: number | null = null;
      const seen: { firedAt: number; resolvedAt: number | null }[] = [];
      for (const point of points) {
        const sample = { at: point.at, receivedAt: point.at, report: reportOf(point.min) };
        const result = evaluate([thresholdRuleOf(RULE, 'cpu_usage', MINUTE)], { tracks, newest }, [sample]);
        tracks = result.tracks;
        newest = point.at;
        for (const { kind } of result.transitions) {
          if (kind === 'opened') seen.push({ firedAt: point.at, resolvedAt: null });
          const open = seen.at(-1);
          if (kind === 'resolved' && open) open.resolvedAt = point.at;
        }
      }
      fired += seen.length;
      expect(rehearsed(RULE, points, at).alerts).toMatchObject(seen);
      expect(rehearsed(RULE, points, at).alerts).toHaveLength(seen.length);
    }),
    { numRuns: 500 },
  );
  expect(fired).toBeGreaterThan(100);
});
