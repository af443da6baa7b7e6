import type { TimeseriesPeak } from '@plimsoll/contract/wire/metrics';
import { beforeAll, expect, it } from 'vitest';
import { chosenZone } from '../../../time/zone.ts';
import { movedToPeak, peakOfFigure, peakSecond, peakTime, pickedMoment } from './peak-moment.ts';

const HOUR = 3600;
const START = Date.UTC(2026, 10, 20, 3) / 1000;
const peak = (given: Partial<TimeseriesPeak> = {}): TimeseriesPeak => ({
  timestamp: START + 12 * 60 + 7.4,
  value: 97.3,
  server_id: 'a',
  step_seconds: 0,
  ...given,
});

beforeAll(() => chosenZone.set('UTC'));

it('names the minute of a sample, and the hour where only hours are stored', () => {
  expect(peakTime(peak(), 24 * HOUR)).toBe('03:12');
  expect(peakTime(peak(), 48 * HOUR)).toBe('20 Nov 03:12');
  expect(peakTime(peak({ timestamp: START, step_seconds: HOUR }), 24 * HOUR)).toBe('03:00–04:00');
});

it('leads to the second after the sample, and to the end of a rollup', () => {
  expect(peakSecond(peak())).toBe(START + 728);
  expect(peakSecond(peak({ timestamp: START, step_seconds: 300 }))).toBe(START + 300);
});

it('draws the bucket of a spike at the spike, and the others where they begin', () => {
  const points = [0, 1, 2].map((hour) => ({ at: START + (hour - 1) * HOUR, avg: hour }));
  expect(movedToPeak(points, peak(), HOUR).map(({ at }) => at)).toEqual([START - HOUR, START + 727.4, START + HOUR]);
  expect(movedToPeak(points, null, HOUR)).toEqual(points);
});

it('picks the spike for a click anywhere on its bucket', () => {
  expect(pickedMoment(START + 10, peak(), HOUR)).toBe(START + 728);
  expect(pickedMoment(START - 10, peak(), HOUR)).toBe(START - 10);
  expect(pickedMoment(START + 10, null, HOUR)).toBe(START + 10);
});

it('has no peak of a figure that the API does not look up', () => {
  expect(peakOfFigure({ cpu: peak(), memory: null, disk: null }, 'cpu')).toEqual(peak());
  expect(peakOfFigure({ cpu: peak(), memory: null, disk: null }, 'iops')).toBeNull();
  expect(peakOfFigure(undefined, 'cpu')).toBeNull();
});

it('names the minutes of rollups up to five minutes, and the span of longer ones', () => {
  const of = (step: number) => peakTime(peak({ timestamp: START, step_seconds: step }), 24 * HOUR);
  expect([60, 300, 301].map(of)).toEqual(['03:00', '03:00', '03:00–03:05']);
});

it('counts the first second of a bucket to it, and that of the next one not', () => {
  const points = [0, 1].map((hour) => ({ at: START + hour * HOUR, avg: hour }));
  const places = (timestamp: number) => movedToPeak(points, peak({ timestamp }), HOUR).map(({ at }) => at - START);
  expect(places(START)).toEqual([0, HOUR]);
  expect(places(START + HOUR - 1)).toEqual([HOUR - 1, HOUR]);
  expect(places(START + HOUR)).toEqual([0, HOUR]);
  expect(pickedMoment(START + 10, peak({ timestamp: START + HOUR }), HOUR)).toBe(START + 10);
});
