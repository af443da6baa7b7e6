import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Report } from '@plimsoll/contract/wire/report';
import { evaluate, splitKey, type EvaluatedSample, type Tracks } from './evaluate.ts';
import { changeOf } from '../message.ts';
import { DEFAULT_RULES, defaultRule, readingsOf, type ThresholdRule, NO_CONTEXT } from '../rules/rules.ts';

const MINUTE = 60_000;
const cpuRule = DEFAULT_RULES.filter((rule) => rule.metric === 'cpu_usage');
const reportOf = (percent: number | null): Report => ({
  seq: 1,
  ts: 0,
  up: 0,
  kind: 'host',
  window_seconds: 60,
  cpu: {
    percent,
    io_wait_percent: null,
    steal_percent: null,
    user_percent: null,
    system_percent: null,
    per_core_percent: [],
  },
});
const sampleAt = (minute: number, percent: number | null, lateMinutes = 0): EvaluatedSample => ({
  at: minute * MINUTE,
  receivedAt: (minute + lateMinutes) * MINUTE,
  report: reportOf(percent),
});

/** Feeds one sample at a time, as the API does, and answers `minute:kind:level` of what changed. */
function run(samples: readonly EvaluatedSample[]): string[] {
  let tracks: Tracks = {};
  let newest: number | null = null;
  const seen: string[] = [];
  for (const sample of samples) {
    const result = evaluate(cpuRule, { tracks, newest }, [sample]);
    tracks = result.tracks;
    newest = Math.max(newest ?? -Infinity, sample.at);
    for (const { kind, level, at } of result.transitions)
      if (kind !== 'value') seen.push(`${String(at / MINUTE)}:${kind}:${level}`);
  }
  return seen;
}
const minutes = (values: readonly (number | null)[], from = 1): EvaluatedSample[] =>
  values.map((value, i) => sampleAt(from + i, value));
const times = (n: number, value: number): number[] => Array.from({ length: n }, () => value);

describe('a step over the line', () => {
  test('fires with the fifth sample', () => {
    expect(run(minutes(times(5, 81)))).toEqual(['5:opened:warning']);
    expect(run(minutes(times(4, 81)))).toEqual([]);
  });
  test('goes straight to critical when it is that high, and falls back to warning first', () => {
    expect(run(minutes([...times(5, 97), ...times(5, 85), ...times(5, 10)]))).toEqual([
      '5:opened:critical',
      '10:level:warning',
      '15:resolved:warning',
    ]);
  });
  test('at the line is over it', () => {
    expect(run(minutes(times(5, 80)))).toEqual(['5:opened:warning']);
  });
});

describe('noise', () => {
  test('one sample under the line starts the wait anew', () => {
    expect(run(minutes([...times(4, 90), 79, ...times(4, 90)]))).toEqual([]);
  });
  test('an open alert clears only well below its line, for five minutes', () => {
    const open = times(5, 90);
    expect(run(minutes([...open, ...times(30, 76)]))).toEqual(['5:opened:warning']);
    expect(run(minutes([...open, ...times(4, 74), 76, ...times(4, 74)]))).toEqual(['5:opened:warning']);
    expect(run(minutes([...open, ...times(5, 74.9)]))).toEqual(['5:opened:warning', '10:resolved:warning']);
  });
});

describe('flapping', () => {
  const [up, down] = [times(5, 90), times(5, 10)];
  test('a line that fires again within an hour of its end resolves only after an hour below it', () => {
    expect(run(minutes([...up, ...down, ...up, ...times(59, 10), ...up, ...times(60, 10)]))).toEqual([
      '5:opened:warning',
      '10:resolved:warning',
      '15:opened:warning',
      '139:resolved:warning',
    ]);
  });
  test('an alert more than an hour later is a new one, which resolves as usual', () => {
    expect(run(minutes([...up, ...down, ...times(57, 10), ...up, ...down])).slice(2)).toEqual([
      '72:opened:warning',
      '77:resolved:warning',
    ]);
    expect(run(minutes([...up, ...down, ...times(55, 10), ...up, ...down])).slice(2)).toEqual(['70:opened:warning']);
  });
  test('a load that swings over the line each half hour sends 3 messages a day, not 96', () => {
    const day = Array.from({ length: 48 }, () => [...times(15, 90), ...times(15, 10)]).flat();
    expect(run(minutes(day))).toEqual(['5:opened:warning', '20:resolved:warning', '35:opened:warning']);
  });
  test('the message says why it stays', () => {
    const { transitions } = evaluate(cpuRule, { tracks: {}, newest: null }, minutes([...up, ...down, ...up]));
    expect(transitions.filter(({ kind }) => kind === 'opened').map((one) => changeOf(one).message)).toEqual([
      'CPU 90 %, 10 over for 5 min',
      'CPU 90 %, 10 over for 5 min. Flapping: it fired again within 1 h, so it resolves after 1 h without a breach',
    ]);
  });
});

test('a resolved alert has its worst value and its duration, whichever line was the last to fire', () => {
  const values = [...times(5, 85), ...times(5, 97), 99, ...times(9, 85), ...times(5, 10)];
  let known: { tracks: Tracks; newest: number | null } = { tracks: {}, newest: null };
  const fired: unknown[] = [];
  for (const sample of minutes(values)) {
    const { tracks, transitions } = evaluate(cpuRule, known, [sample]);
    known = { tracks, newest: sample.at };
    fired.push(...transitions.flatMap((one) => (one.fired === undefined ? [] : [one.fired])));
  }
  expect(fired).toEqual([{ forMs: 20 * MINUTE, worst: 99 }]);
});

test('the worst value of a metric that is worse when lower is its lowest', () => {
  const rule = { ...defaultRule('disk_forecast'), forMs: 0, keepFiringForMs: 0 };
  const filesystems = [
    {
      mount: '/',
      device: 'x',
      type: 'ext4',
      size_bytes: 9,
      used_bytes: 5,
      available_bytes: 4,
      inodes_total: null,
      inodes_used: null,
    },
  ];
  const days = [3, 2, 3, 9];
  const samples = days.map((_days, index) => ({ ...sampleAt(index, 1), report: { ...reportOf(1), filesystems } }));
  const forecast = (at: number) => ({
    ...NO_CONTEXT,
    forecast: () => ({ days: days[at / MINUTE] ?? 0, linePercent: 80 }),
  });
  const { transitions } = evaluate([rule], { tracks: {}, newest: null }, samples, forecast);
  expect(transitions.at(-1)).toMatchObject({ kind: 'resolved', fired: { forMs: 3 * MINUTE, worst: 2 } });
});

describe('what is not known', () => {
  test('an unknown value changes nothing', () => {
    expect(run(minutes([90, 90, null, 90, 90]))).toEqual(['5:opened:warning']);
  });
  test('samples without a value are a gap when they last as long as one', () => {
    const unknown = [null, null];
    expect(run(minutes([...times(4, 90), ...unknown, 90]))).toEqual([]);
    expect(run(minutes([90, null, 90, null, 90]))).toEqual(['5:opened:warning']);
    expect(run(minutes([...times(5, 90), 10, ...unknown, ...times(4, 10), 10]))).toEqual([
      '5:opened:warning',
      '13:resolved:warning',
    ]);
    const { tracks } = evaluate(cpuRule, { tracks: {}, newest: null }, minutes([90, ...unknown, null]));
    expect(tracks).toEqual({});
  });
  test('a gap proves nothing: waiting begins anew, an open alert stays open', () => {
    expect(run([...minutes(times(4, 90)), ...minutes(times(4, 90), 10)])).toEqual([]);
    expect(run([...minutes(times(5, 90)), ...minutes(times(4, 10), 60), ...minutes([10], 64)])).toEqual([
      '5:opened:warning',
      '64:resolved:warning',
    ]);
  });
  test('two and a half intervals are no gap yet', () => {
    expect(run([...minutes(times(4, 90)), sampleAt(6.5, 90)])).toEqual(['6.5:opened:warning']);
    expect(run([...minutes(times(4, 90)), sampleAt(6.6, 90)])).toEqual([]);
  });
  test('another value of a moment that was judged already is history', () => {
    expect(run([...minutes(times(4, 90)), sampleAt(4, 10), sampleAt(5, 90)])).toEqual(['5:opened:warning']);
  });
  test('a late sample does not bridge the gap it ends', () => {
    expect(run([...minutes(times(4, 90)), sampleAt(60, 90, 6), sampleAt(61, 90)])).toEqual([]);
  });
  test('late and out-of-order samples are history', () => {
    const late = minutes(times(5, 99)).map((s) => ({ ...s, receivedAt: s.at + 6 * MINUTE }));
    expect(run(late)).toEqual([]);
    expect(run([sampleAt(10, 10), ...minutes(times(5, 99), 5)])).toEqual([]);
  });
});

test('of nothing there is no share: a size of zero is unknown and closes no alert', () => {
  const none = { total_bytes: 0, available_bytes: 0, used_bytes: 0, swap_total_bytes: 0, swap_used_bytes: 0 };
  expect(readingsOf('memory_usage', { ...reportOf(null), memory: none })).toEqual([{ subject: '', value: null }]);
  const sizes = { size_bytes: 0, used_bytes: 0, available_bytes: 0, inodes_total: null, inodes_used: null };
  const filesystems = [{ mount: '/mnt', device: 'x', type: 'autofs', ...sizes }];
  expect(readingsOf('disk_usage', { ...reportOf(null), filesystems })).toEqual([{ subject: '/mnt', value: null }]);
});

test('each filesystem is a subject of its own, by what df shows as use', () => {
  const fs = (mount: string, used: number): NonNullable<Report['filesystems']>[number] => ({
    mount,
    device: 'x',
    type: 'ext4',
    size_bytes: 200,
    used_bytes: used,
    available_bytes: 100 - used,
    inodes_total: null,
    inodes_used: null,
  });
  expect(readingsOf('disk_usage', { ...reportOf(null), filesystems: [fs('/', 50), fs('/var', 95)] })).toEqual([
    { subject: '/', value: 50 },
    { subject: '/var', value: 95 },
  ]);
});

test('a filesystem that is gone from the report keeps its alert until it is back', () => {
  const rules = DEFAULT_RULES.filter((rule) => rule.metric === 'disk_usage');
  const full = {
    mount: '/x',
    device: 'd',
    type: 'ext4',
    size_bytes: 100,
    used_bytes: 99,
    available_bytes: 1,
    inodes_total: null,
    inodes_used: null,
  };
  const samples = Array.from({ length: 7 }, (_, i) => ({
    ...sampleAt(i + 1, null),
    report: { ...reportOf(null), filesystems: i < 5 ? [full] : [] },
  }));
  const { tracks, transitions } = evaluate(rules, { tracks: {}, newest: null }, samples);
  expect(transitions.map((t) => t.kind)).toEqual(['opened', 'value', 'value']);
  expect(Object.keys(tracks)).toHaveLength(1);
});

const fullFilesystem = (mount: string) => ({
  mount,
  device: 'd',
  type: 'ext4',
  size_bytes: 100,
  used_bytes: 99,
  available_bytes: 1,
  inodes_total: 10,
  inodes_used: 10,
});
const withMounts = (minute: number, mounts: readonly string[] | undefined): EvaluatedSample => ({
  ...sampleAt(minute, null),
  report: { ...reportOf(null), filesystems: mounts?.map(fullFilesystem) },
});
const diskRules = DEFAULT_RULES.filter(({ metric }) => metric === 'disk_usage');
const openedAt = (lists: readonly (readonly string[] | undefined)[]): number[] =>
  evaluate(
    diskRules,
    { tracks: {}, newest: null },
    lists.map((mounts, index) => withMounts(index + 1, mounts)),
  ).transitions.flatMap(({ kind, at }) => (kind === 'opened' ? [at / MINUTE] : []));

test('a filesystem that a report does not name waits anew when it is back', () => {
  expect(openedAt([['/x'], ['/x'], [], ['/x'], ['/x'], ['/x'], ['/x']])).toEqual([]);
  expect(openedAt([['/x'], ['/x'], [], ['/x'], ['/x'], ['/x'], ['/x'], ['/x']])).toEqual([8]);
});
test('a report without the list of filesystems changes nothing', () => {
  expect(openedAt([['/x'], ['/x'], undefined, ['/x'], ['/x']])).toEqual([5]);
});
test('a server that names other filesystems in each report has tracks of the last report only', () => {
  const mounts = (minute: number): string[] =>
    times(200, 0).map((_zero, index) => `/${String(minute)}/${String(index)}`);
  const samples = times(120, 0).map((_zero, minute) => withMounts(minute, mounts(minute)));
  const { tracks } = evaluate(DEFAULT_RULES, { tracks: {}, newest: null }, samples);
  const subjects = new Set(Object.keys(tracks).map((key) => splitKey(key)[1]));
  expect(subjects).toEqual(new Set(mounts(119)));
});

/**
 * A second opinion, written from the rules in words and not from the code: it keeps the whole history and looks back
 * over it at every sample, where the evaluator keeps a small state.
 */
function referenceLevels(rule: ThresholdRule, samples: readonly EvaluatedSample[]): (string | null)[] {
  const judged: { at: number; value: number | null; gap: boolean }[] = [];
  let newest = -Infinity;
  /** Index into `judged` of the last change between open and closed, per line. */
  const open = rule.lines.map(() => false);
  const changedAt = rule.lines.map(() => -1);
  /** A line that fires at most an hour after its end stays until the value is clear for an hour. */
  const endedAt = rule.lines.map(() => -Infinity);
  const flaps = rule.lines.map(() => false);
  return samples.map((sample) => {
    const fresh = sample.at > newest;
    const gap = Number.isFinite(newest) && sample.at - newest > 2.5 * rule.intervalMs;
    if (fresh) newest = sample.at;
    const live = sample.receivedAt - sample.at <= 5 * MINUTE;
    if (fresh) {
      judged.push({ at: sample.at, value: live ? (sample.report.cpu?.percent ?? null) : null, gap });
      rule.lines.forEach(({ threshold }, i) => {
        const fits = (v: number): boolean => (open[i] ? v < threshold - rule.hysteresisPoints : v >= threshold);
        const keep = flaps[i] ? Math.max(60 * MINUTE, rule.keepFiringForMs) : rule.keepFiringForMs;
        const needed = open[i] ? keep : rule.forMs;
        if (runLength(judged, changedAt[i] ?? -1, fits, rule.intervalMs) + rule.intervalMs < needed) return;
        if (open[i]) endedAt[i] = sample.at;
        else flaps[i] = sample.at - (endedAt[i] ?? 0) <= 60 * MINUTE;
        open[i] = !open[i];
        changedAt[i] = judged.length - 1;
      });
    }
    return rule.lines.findLast((_l, i) => open[i])?.level ?? null;
  });
}

/**
 * Milliseconds back from the last known value over values that all fit, within one stretch without a gap. Samples without
 * a value are one when they leave more than two and a half intervals unknown.
 */
function runLength(
  judged: { at: number; value: number | null; gap: boolean }[],
  after: number,
  fits: (v: number) => boolean,
  intervalMs: number,
): number {
  let last: number | null = null;
  let first = 0;
  let firstUnknown: number | null = null;
  if (judged.at(-1)?.value === null) return -Infinity;
  for (let i = judged.length - 1; i > after; i -= 1) {
    const { at, value, gap } = judged[i]!;
    if (value === null) firstUnknown = at;
    else {
      if (firstUnknown !== null && first - firstUnknown > 1.5 * intervalMs) break;
      firstUnknown = null;
      if (!fits(value)) break;
      last ??= at;
      first = at;
    }
    if (gap) break;
  }
  return last === null ? -Infinity : last - first;
}

test('1,000 random traces with gaps, replays, restarts and clock jumps: no difference to the reference', () => {
  const [defaultRule] = cpuRule as [ThresholdRule];
  const timings = fc.record({
    forMs: fc.oneof(
      { weight: 3, arbitrary: fc.constant(5 * MINUTE) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 }).map((n) => n * MINUTE) },
    ),
    keepFiringForMs: fc.oneof(
      { weight: 3, arbitrary: fc.constant(5 * MINUTE) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 }).map((n) => n * MINUTE) },
    ),
    hysteresisPoints: fc.constantFrom(0, 5, 5, 15),
  });
  const one = fc.record({
    minutes: fc.oneof(
      { weight: 12, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.integer({ min: -4, max: 9 }) },
    ),
    jitter: fc.integer({ min: -2000, max: 2000 }),
    value: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(10, 74, 74.9, 75, 79.9, 80, 89.9, 90, 95, 99) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    late: fc.oneof(
      { weight: 15, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 10 }) },
    ),
    replay: fc.boolean(),
    restart: fc.boolean(),
    /** The same value for a while, so that alerts do open and close. */
    run: fc.oneof(
      { weight: 12, arbitrary: fc.integer({ min: 1, max: 7 }) },
      { weight: 2, arbitrary: fc.integer({ min: 50, max: 75 }) },
    ),
  });
  let opened = 0;
  let flapped = 0;
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 40 }), timings, (trace, times) => {
      const rule: ThresholdRule = { ...defaultRule, ...times };
      let at = 0;
      const samples = trace.flatMap(({ minutes: gap, jitter, value, late, replay, run: length }) => {
        at += (gap - 1) * MINUTE;
        const part = Array.from({ length }, () => {
          at += MINUTE;
          return { at: at + jitter, receivedAt: at + jitter + late * MINUTE, report: reportOf(value) };
        });
        return replay ? [...part, part[0]!] : part;
      });
      let state: { tracks: Tracks; newest: number | null } = { tracks: {}, newest: null };
      let level: string | null = null;
      const levels = samples.map((sample, i) => {
        // A restart: everything goes through the database as JSON.
        if (trace[i % trace.length]!.restart) state = JSON.parse(JSON.stringify(state)) as typeof state;
        const { tracks, transitions } = evaluate([rule], state, [sample]);
        state = { tracks, newest: Math.max(state.newest ?? -Infinity, sample.at) };
        for (const t of transitions) {
          // At most one open alert: only a closed one opens, only an open one changes.
          expect(t.kind === 'opened').toBe(level === null);
          level = t.kind === 'resolved' ? null : t.level;
          if (t.kind === 'opened' && t.isFlapping) flapped += 1;
        }
        opened += transitions.filter((t) => t.kind === 'opened').length;
        return level;
      });
      expect(levels).toEqual(referenceLevels(rule, samples));
    }),
    { numRuns: 1000 },
  );
  expect(opened).toBeGreaterThan(500);
  expect(flapped).toBeGreaterThan(50);
});

describe('a rule that no longer applies', () => {
  const rules = DEFAULT_RULES.filter((rule) => rule.metric === 'cpu_usage');
  const [rule] = rules as [ThresholdRule];
  const before = evaluate(rules, { tracks: {}, newest: null }, minutes(times(4, 90)));
  test('loses its tracks with the next report, and starts anew when it is back', () => {
    const other = { ...rule, id: 'other' };
    const moved = evaluate([other], { tracks: before.tracks, newest: 4 * MINUTE }, minutes([90], 5));
    expect([moved.transitions, Object.keys(moved.tracks).map((key) => key.slice(0, 5))]).toEqual([[], ['other']]);
    const back = evaluate(rules, { tracks: moved.tracks, newest: 5 * MINUTE }, minutes([90], 6));
    expect(back.transitions).toEqual([]);
  });
  test('starts anew when it has another number of lines', () => {
    const oneLine = { ...rule, lines: [{ level: 'critical', threshold: 50 } as const] };
    const { transitions } = evaluate([oneLine], { tracks: before.tracks, newest: 4 * MINUTE }, minutes([90], 5));
    expect(transitions).toEqual([]);
  });
});

describe('subjects and harmless values', () => {
  const unitRule = [defaultRule('systemd_unit_failed')];
  const failed = (minute: number, ...names: string[]): EvaluatedSample => ({
    ...sampleAt(minute, null),
    report: {
      ...reportOf(null),
      units: names.map((name) => ({ name, state: 'failed', sub_state: 'failed', restarts: 0 })),
    },
  });
  const feed = (rules: readonly ThresholdRule[], samples: readonly EvaluatedSample[]): string[] =>
    evaluate(rules, { tracks: {}, newest: null }, samples).transitions.map(
      ({ kind, subject, at }) => `${String(at / MINUTE)}:${kind}:${subject}`,
    );
  test('a unit that is no longer listed as failed is well; without the list nothing is known', () => {
    const five = [1, 2, 3, 4, 5].map((minute) => failed(minute, 'a', 'b'));
    expect(feed(unitRule, [...five, sampleAt(6, null), failed(7, 'b')])).toEqual([
      '5:opened:a',
      '5:opened:b',
      '6:value:a',
      '6:value:b',
      '7:value:b',
      '7:resolved:a',
    ]);
  });
  test('full swap opens an alert only while memory is short', () => {
    const rules = [defaultRule('swap_usage')];
    const at = (minute: number, used: number): EvaluatedSample => ({
      ...sampleAt(minute, null),
      report: {
        ...reportOf(null),
        memory: {
          total_bytes: 100,
          available_bytes: 100 - used,
          used_bytes: used,
          swap_total_bytes: 10,
          swap_used_bytes: 9,
        },
      },
    });
    const minutesOf = (used: number, from: number) => Array.from({ length: 6 }, (_, i) => at(from + i, used));
    expect(feed(rules, minutesOf(50, 1))).toEqual([]);
    expect(feed(rules, [...minutesOf(85, 1), ...minutesOf(50, 7)])).toEqual([
      '5:opened:',
      '6:value:',
      '7:value:',
      '8:value:',
      '9:value:',
      '10:value:',
      '11:resolved:',
    ]);
  });
});

describe('a load that is no longer measured', () => {
  const REASON = 'The load average is that of the host, not of this LXC container';
  const rules = [{ ...defaultRule('load_per_core'), forMs: 0 }];
  const system = { cpu_cores: 2 } as Report['system'];
  const withLoad = (
    minute: number,
    one: number | null,
    source: { ok: boolean; error: string | null },
  ): EvaluatedSample => {
    const { report } = sampleAt(minute, 1);
    const agent = { sources: { load: { ...source, duration_ms: 1 } } } as unknown as Report['agent'];
    const load = one === null ? {} : { load: { one, five: one, fifteen: one } };
    return { ...sampleAt(minute, 1), report: { ...report, ...load, system, agent } };
  };
  const fine = { ok: true, error: null };
  const told = (samples: readonly EvaluatedSample[]) =>
    evaluate(rules, { tracks: {}, newest: null }, samples)
      .transitions.filter(({ kind }) => kind !== 'value')
      .map((one) => `${String(one.at / MINUTE)}:${one.kind}:${changeOf(one).message}`);
  const opened = '1:opened:Load 5 per core, 3 over';

  test('ends its alert at once, with the reason', () => {
    expect(told([withLoad(1, 10, fine), withLoad(2, null, { ok: true, error: REASON })])).toEqual([
      opened,
      `2:resolved:Load is no longer measured: ${REASON}`,
    ]);
    expect(told([withLoad(1, 10, fine), withLoad(2, null, fine)])).toEqual([
      opened,
      '2:resolved:Load is no longer measured',
    ]);
  });
  test('is not a load that cannot be read now: that says nothing', () => {
    expect(told([withLoad(1, 10, fine), withLoad(2, null, { ok: false, error: 'EACCES' })])).toEqual([opened]);
  });
  test('ends nothing by a sample that comes late, and opens nothing again', () => {
    const late = { ...withLoad(2, null, { ok: true, error: REASON }), receivedAt: 60 * MINUTE };
    expect(told([withLoad(1, 10, fine), late])).toEqual([opened]);
    const { tracks } = evaluate(rules, { tracks: {}, newest: null }, [
      withLoad(1, 10, fine),
      withLoad(2, null, { ok: true, error: REASON }),
    ]);
    expect(tracks).toEqual({});
  });
});
