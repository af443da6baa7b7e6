import { describe, expect, test } from 'vitest';
import type { Report } from '@plimsoll/contract/wire/report';
import type { DiskTrend, FilesystemTrend, MemoryTrend } from '../../series/types.ts';
import { evaluate, type Tracks, type Transition } from './evaluate.ts';
import { readingContext, STALE_MEMORY_MS } from './forecast-reading.ts';
import { DEFAULT_LINES } from '../load-lines.ts';
import { changeOf } from '../message.ts';
import { defaultRule } from '../rules/rules.ts';

const MINUTE = 60_000;

describe('the forecast of a disk', () => {
  const DAY = 86_400_000;
  const forecastRule = defaultRule('disk_forecast');
  const GB = 1e9;
  const trendOf = (parts: Partial<Extract<DiskTrend, { kind: 'growing' }>> = {}): FilesystemTrend => ({
    mount: '/var',
    at: 0,
    usedBytes: 50 * GB,
    capacityBytes: 100 * GB,
    trend: {
      kind: 'growing',
      bytesPerDay: 10 * GB,
      levelBytes: 50 * GB,
      levelAt: 0,
      spanMs: 3 * DAY,
      confidence: 'high',
      ...parts,
    },
  });
  const reportWith = (usedGb: number): Report => ({
    seq: 1,
    ts: 0,
    up: 0,
    kind: 'host',
    window_seconds: 60,
    filesystems: [
      {
        mount: '/var',
        device: 'd',
        type: 'ext4',
        size_bytes: 100 * GB,
        used_bytes: usedGb * GB,
        available_bytes: (100 - usedGb) * GB,
        inodes_total: null,
        inodes_used: null,
      },
    ],
  });
  /** Feeds an hour of reports, one a minute, and returns what changed. */
  function hour(trend: FilesystemTrend | null, usedGb = 50, tracks: Tracks = {}) {
    const samples = Array.from({ length: 61 }, (_, i) => ({
      at: (i + 1) * MINUTE,
      receivedAt: (i + 1) * MINUTE,
      report: reportWith(usedGb),
    }));
    const rules = { thresholds: [], lines: DEFAULT_LINES };
    return evaluate([forecastRule], { tracks, newest: 0 }, samples, (at) =>
      readingContext({ diskTrends: trend === null ? [] : [trend], memoryTrend: null }, rules, at),
    );
  }
  const kinds = ({ transitions }: ReturnType<typeof hour>) =>
    transitions.flatMap(({ kind, at, subject }) =>
      kind === 'value' ? [] : [`${String(at / MINUTE)} ${kind} ${subject}`],
    );

  test('fires when the line is less than 4 days ahead for half an hour, and says how far', () => {
    const found = hour(trendOf());
    expect(kinds(found)).toEqual(['30 opened /var']);
    const change = changeOf(found.transitions[0] as Transition);
    expect(change).toMatchObject({
      title: 'Disk is filling up: /var',
      message: '/var reaches its line of 80 % in 3 days',
      threshold: 4,
    });
    expect(change.value).toBeCloseTo(3, 1);
  });
  test('the line in force decides', () => {
    const rules = { thresholds: [], lines: { ...DEFAULT_LINES, disk: { warning: 95, critical: null } } };
    expect(
      readingContext({ diskTrends: [trendOf()], memoryTrend: null }, rules, MINUTE).forecast({
        mount: '/var',
        usedBytes: 50 * GB,
        capacityBytes: 100 * GB,
      }),
    ).toMatchObject({
      days: expect.closeTo(4.5, 2),
      linePercent: 95,
    });
  });
  test.each<[string, FilesystemTrend | null, number]>([
    ['a healthy disk that does not grow', { ...trendOf(), trend: { kind: 'none', reason: 'not_growing' } }, 50],
    ['slow growth', trendOf({ bytesPerDay: 2 * GB }), 50],
    ['a few hours of growth', trendOf({ confidence: 'low' }), 50],
    ['too little history', { ...trendOf(), trend: { kind: 'none', reason: 'too_little_history' } }, 50],
    ['no trend at all', null, 50],
    ['a trend that is hours old', { ...trendOf(), at: -DAY }, 50],
  ])('%s is quiet', (_name, trend, usedGb) => {
    expect(kinds(hour(trend, usedGb))).toEqual([]);
  });
  test('a disk over its line opens none: the alert of its use says so', () => {
    expect(kinds(hour(trendOf(), 85))).toEqual([]);
  });
  test('the alert of a disk that reaches its line ends with that, not with "back to normal"', () => {
    const { tracks } = hour(trendOf());
    const { transitions } = hour(trendOf(), 85, tracks);
    expect(transitions.map(({ kind }) => kind)).toEqual([...transitions.slice(1).map(() => 'value'), 'resolved']);
    expect(changeOf(transitions.at(-1) as Transition)).toMatchObject({
      kind: 'resolved',
      message: '/var reached its line of 80 %',
    });
  });
  test('an alert resolves when the growth stops, and stays while the forecast is unknown', () => {
    const { tracks } = hour(trendOf());
    expect(kinds(hour({ ...trendOf(), trend: { kind: 'none', reason: 'not_growing' } }, 50, tracks))).toEqual([
      '60 resolved /var',
    ]);
    expect(kinds(hour(null, 50, tracks))).toEqual([]);
  });
});

describe('the forecast of memory', () => {
  const DAY = 86_400_000;
  const GB = 2 ** 30;
  const growing: DiskTrend = {
    kind: 'growing',
    bytesPerDay: 5 * GB,
    levelBytes: 50 * GB,
    levelAt: 0,
    spanMs: 3 * DAY,
    confidence: 'high',
  };
  const changesOf = (trend: MemoryTrend | null, usedGb = 50): string[] => {
    const memory = {
      total_bytes: 100 * GB,
      used_bytes: usedGb * GB,
      available_bytes: (100 - usedGb) * GB,
      swap_total_bytes: 0,
      swap_used_bytes: 0,
    };
    const samples = Array.from({ length: 61 }, (_, minute) => ({
      at: minute * MINUTE,
      receivedAt: minute * MINUTE,
      report: { seq: 1, ts: 0, up: 0, kind: 'host', window_seconds: 60, memory } as Report,
    }));
    const lines = { ...DEFAULT_LINES, memory: { warning: 60, critical: null } };
    const { transitions } = evaluate([defaultRule('memory_forecast')], { tracks: {}, newest: null }, samples, (at) =>
      readingContext({ diskTrends: [], memoryTrend: trend }, { thresholds: [], lines }, at),
    );
    return transitions.filter(({ kind }) => kind !== 'value').map((one) => changeOf(one).message);
  };

  test('fires when the line in force is less than 3 days ahead for half an hour, and says how far', () => {
    expect(changesOf({ at: 0, trend: growing })).toEqual(['Memory reaches its line of 60 % in 48 h']);
  });
  test.each<[string, MemoryTrend | null, number]>([
    ['no growth', { at: 0, trend: { kind: 'none', reason: 'not_growing' } }, 50],
    ['slow growth', { at: 0, trend: { ...growing, bytesPerDay: GB } }, 50],
    ['a few hours of growth', { at: 0, trend: { ...growing, confidence: 'low' } }, 50],
    ['a growth that was computed too long ago', { at: -STALE_MEMORY_MS - 1, trend: growing }, 50],
    ['no stored growth', null, 50],
    ['memory over its line', { at: 0, trend: growing }, 70],
  ])('%s is quiet', (_name, trend, usedGb) => {
    expect(changesOf(trend, usedGb)).toEqual([]);
  });
});
