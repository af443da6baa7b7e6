import { beforeAll, expect, it } from 'vitest';
import { chosenZone } from '../../time/zone.ts';
import { CORES, historyPoints, MEGABYTES, startsText } from './process-history-shape.ts';

beforeAll(() => chosenZone.set('UTC'));

const point = (timestamp: number, cpu: number | null, memory: number | null = 2048) => ({
  timestamp,
  cpu_usage: cpu,
  memory_kb: memory,
  processes: 1,
});

it('breaks the line where lists are missing and where the command was not among the greediest', () => {
  const history = {
    step_seconds: 60,
    points: [point(60, 150), point(120, null, null), point(180, 50), point(600, 25)],
  };
  expect(historyPoints(history, CORES)).toEqual([
    { at: 60, avg: 1.5 },
    { at: 120, avg: null },
    { at: 180, avg: 0.5 },
    { at: 240, avg: null },
    { at: 600, avg: 0.25 },
  ]);
  expect(historyPoints(history, MEGABYTES)[0]).toEqual({ at: 60, avg: 2 });
});

it('says how often the command started', () => {
  const at = Date.UTC(2026, 10, 19, 14, 5) / 1000;
  expect([startsText([]), startsText([at]), startsText([at - 60, at])]).toEqual([
    'Among the greediest at no time of this range.',
    'Started 19 Nov 14:05.',
    '2 starts seen, the last 19 Nov 14:05.',
  ]);
});

it('joins two lists of which one came half a step late, and no two with a list between them missing', () => {
  const history = (gap: number) => ({ step_seconds: 60, points: [point(60, 100), point(60 + gap, 100)] });
  expect(historyPoints(history(90), CORES)).toHaveLength(2);
  expect(historyPoints(history(91), CORES).map(({ avg }) => avg)).toEqual([1, null, 1]);
  expect(historyPoints(history(120), CORES).map(({ at }) => at)).toEqual([60, 120, 180]);
});
