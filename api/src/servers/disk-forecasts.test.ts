import { expect, test } from 'vitest';
import { DEFAULT_LINES } from '../alerts/load-lines.ts';
import type { DiskTrend, FilesystemTrend } from '../series/types.ts';
import { diskForecasts, type ForecastRules } from './disk-forecasts.ts';

const DAY = 86_400_000;
const NOW = 1_790_000_000_000;
const growing = (bytesPerDay: number, used = 60): DiskTrend => ({
  kind: 'growing',
  bytesPerDay,
  levelBytes: used,
  levelAt: NOW,
  spanMs: 14 * DAY,
  confidence: 'high',
});
const entry = (mount: string, trend: DiskTrend, given: Partial<FilesystemTrend> = {}): FilesystemTrend => ({
  mount,
  at: NOW,
  usedBytes: 60,
  capacityBytes: 100,
  trend,
  ...given,
});
const RULES: ForecastRules = { lines: DEFAULT_LINES, thresholds: [] };
const found = (trends: FilesystemTrend[], rules = RULES) =>
  diskForecasts(trends, rules, NOW).map(({ mount, linePercent, forecast }) => [
    mount,
    linePercent,
    forecast.kind === 'none' ? forecast.reason : (forecast.reachesAt - NOW) / DAY,
  ]);

test('the filesystem that fills first comes first, each against its own line', () => {
  const rule = {
    id: 'r',
    metric: 'disk_usage',
    forMs: 0,
    keepFiringForMs: 0,
    hysteresisPoints: 0,
    intervalMs: 1,
  } as const;
  const thresholds = [
    { ...rule, lines: [{ level: 'warning', threshold: 70 }], subjects: { except: ['/data'] } },
    { ...rule, lines: [{ level: 'warning', threshold: 95 }], subjects: { only: '/data' } },
  ] as const;
  const trends = [
    entry('/data', growing(5)),
    entry('/', growing(2)),
    entry('/boot', { kind: 'none', reason: 'not_growing' }),
  ];
  expect(found(trends, { lines: DEFAULT_LINES, thresholds })).toEqual([
    ['/', 70, 5],
    ['/data', 95, 7],
    ['/boot', 70, 'not_growing'],
  ]);
});

test('a server that stopped reporting has no forecast, with that reason', () => {
  expect(found([entry('/', growing(2), { at: NOW - 3 * 3_600_000 })])).toEqual([['/', 80, 'no_recent_report']]);
});

test('a filesystem over its line leads those without a forecast', () => {
  const none = { kind: 'none', reason: 'too_little_history' } as const;
  expect(found([entry('/a', none), entry('/b', growing(1), { usedBytes: 80 })])).toEqual([
    ['/b', 80, 'over_line'],
    ['/a', 80, 'too_little_history'],
  ]);
});
