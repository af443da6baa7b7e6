import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import type { PlaceResult } from './types.ts';

const db = testStorage();
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let app: TestApp;
let user: TestUser;
let key: number;
let checkId: string;
/** The database decides by its own clock which results are late. */
let now: number;
beforeEach(async () => {
  for (const table of ['check_definition', 'check_result', 'check_rollup_state', 'check_rollup_due'])
    await db.sql(`DELETE FROM ${table}`);
  app = testApp(db.storage());
  now = Math.floor(Date.now() / MINUTE) * MINUTE;
  app.clock.ms = now;
  user = await app.newUser();
  const probe = { kind: 'tcp', host: 'shop.example', port: 443 };
  const made = await app.call('POST', '/api/checks', { token: user.token, body: { name: 'shop', probe } });
  checkId = (made.json.data as unknown as { check: { check_id: string } }).check.check_id;
  key = (await db.sql<{ key: number }>('SELECT key FROM check_definition'))[0]?.key ?? 0;
});

const result = (at: number, totalMs: number | null, reason: string | null = null): PlaceResult => ({
  checkKey: key,
  rev: 1,
  at,
  ok: totalMs !== null,
  reason: totalMs === null ? (reason ?? 'timeout') : null,
  failed_phase: null,
  status: null,
  size_bytes: null,
  dns_ms: totalMs === null ? null : 1,
  connect_ms: totalMs === null ? null : 2,
  tls_ms: null,
  wait_ms: null,
  transfer_ms: null,
  total_ms: totalMs,
  certificate: null,
});
const record = (place: number, at: number, results: readonly PlaceResult[]) =>
  db.storage().checkResults.record(user.organisationId, place, at, results);
const advance = () => db.storage().checkRollups.advance(app.clock.now());
const series = async (hours: number) =>
  (await app.call('GET', `/api/checks/${checkId}/series?hours=${String(hours)}`, { token: user.token })).json
    .data as unknown as {
    step_seconds: number;
    source: string;
    points: { time: string; results: number; good: number; total_ms: number | null; max_ms: number | null }[];
  };
const stored = async (level: string) =>
  db.sql<{ at: number; results: number; good: number; p95: number; least: number; max: number; mean: number }>(
    `SELECT extract(epoch FROM ts)::float8 * 1000 AS at, results, good, p95_ms::float8 AS p95, min_ms::float8 AS least,
       max_ms::float8 AS max, total_ms::float8 AS mean FROM check_rollup_${level} WHERE check_key = $1 ORDER BY ts`,
    [key],
  );

/** Like percentile_cont: the value between its two neighbours. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  const [low = 0, high = 0] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  return low + (high - low) * (rank - Math.floor(rank));
}

const runs = fc.array(
  fc.record({
    ageSeconds: fc.integer({ min: 60, max: 5 * 3600 }),
    place: fc.integer({ min: 0, max: 3 }),
    totalMs: fc.option(fc.integer({ min: 1, max: 4000 }), { nil: null }),
    /** After how many of the three runs of the job it arrives. */
    arrives: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 60 },
);

test('buckets are those of a reference, in whichever order results arrive', async () => {
  await fc.assert(
    fc.asyncProperty(runs, async (given) => {
      for (const table of [
        'check_result',
        'check_rollup_5m',
        'check_rollup_1h',
        'check_rollup_state',
        'check_rollup_due',
      ])
        await db.sql(`DELETE FROM ${table}`);
      const taken = new Map<string, (typeof given)[number]>();
      for (const one of given) taken.set(`${String(one.place)}/${String(one.ageSeconds)}`, one);
      // The first run finds nothing that is older, so it begins where the oldest result is.
      for (let turn = 0; turn < 3; turn += 1) {
        for (const { ageSeconds, place, totalMs, arrives } of taken.values()) {
          const at = now - ageSeconds * SECOND;
          if (arrives === turn) await record(place, at, [result(at, totalMs)]);
        }
        await advance();
      }
      for (const [level, stepMs] of [
        ['5m', 5 * MINUTE],
        ['1h', HOUR],
      ] as const) {
        const closed = Math.floor((now - 5 * MINUTE) / stepMs) * stepMs;
        const measured = [...taken.values()].map(({ ageSeconds, totalMs }) => ({
          at: now - ageSeconds * SECOND,
          totalMs,
        }));
        const buckets = Map.groupBy(measured, ({ at }) => Math.floor(at / stepMs) * stepMs);
        const expected = [...buckets]
          .filter(([at]) => at < closed)
          .toSorted(([a], [b]) => a - b)
          .map(([at, all]) => ({
            at,
            results: all.length,
            good: all.filter(({ totalMs }) => totalMs !== null).length,
          }));
        const found = await stored(level);
        expect(found.map(({ at, results, good }) => ({ at, results, good }))).toEqual(expected);
        for (const row of found) {
          const times = (buckets.get(row.at) ?? []).flatMap(({ totalMs }) => (totalMs === null ? [] : [totalMs]));
          if (times.length === 0) continue;
          expect(row.p95).toBeCloseTo(percentile(times, 0.95), 0);
          expect([row.least, row.max]).toEqual([Math.min(...times), Math.max(...times)]);
          expect(row.mean).toBeCloseTo(times.reduce((sum, each) => sum + each, 0) / times.length, 1);
        }
      }
    }),
    { numRuns: 8 },
  );
}, 120_000);

test('the route takes results up to 6 hours, 5-minute buckets up to a week, then hours', async () => {
  expect([(await series(6)).source, (await series(6)).step_seconds]).toEqual(['results', 120]);
  expect([(await series(24)).source, (await series(24)).step_seconds]).toEqual(['5m', 600]);
  expect([(await series(168)).source, (await series(168)).step_seconds]).toEqual(['5m', 2700]);
  expect([(await series(720)).source, (await series(720)).step_seconds]).toEqual(['1h', 10_800]);
  expect([(await series(2160)).source, (await series(2160)).step_seconds]).toEqual(['1h', 32_400]);
});

test('a chart counts each result once, rolled up or not', async () => {
  for (let age = 1; age <= 600; age += 1) await record(0, now - age * MINUTE, [result(now - age * MINUTE, age)]);
  const sums = async (hours: number) => {
    const { points } = await series(hours);
    return [
      points.reduce((sum, { results }) => sum + results, 0),
      Math.max(...points.map(({ max_ms: max }) => max ?? 0)),
    ];
  };
  for (const hours of [24, 720]) expect(await sums(hours)).toEqual([600, 600]);
  await advance();
  await advance();
  expect((await stored('5m')).length).toBeGreaterThan(100);
  for (const hours of [24, 720]) expect(await sums(hours)).toEqual([600, 600]);
});

test('a bucket whose results the retention took keeps what it had', async () => {
  // The beginning of a bucket, whatever the minute of the test.
  const old = Math.floor((now - 3 * HOUR) / (5 * MINUTE)) * 5 * MINUTE;
  for (let minute = 0; minute < 5; minute += 1)
    await record(0, old + minute * MINUTE, [result(old + minute * MINUTE, 10)]);
  await advance();
  await db.sql('DELETE FROM check_result');
  // A late result of the same bucket, alone.
  await record(1, old + 30 * SECOND, [result(old + 30 * SECOND, 900)]);
  await advance();
  expect((await stored('5m')).map(({ results, max }) => [results, max])).toEqual([[5, 10]]);
});

test('a place that may not measure counts in no bucket, and a deleted check leaves none', async () => {
  const old = now - HOUR;
  await record(0, old, [result(old, null, 'address_refused')]);
  await record(0, old + MINUTE, [result(old + MINUTE, 20)]);
  await advance();
  expect((await stored('5m')).map(({ results, good }) => [results, good])).toEqual([[1, 1]]);
  await app.call('DELETE', `/api/checks/${checkId}`, { token: user.token });
  expect(await stored('5m')).toEqual([]);
  expect(await stored('1h')).toEqual([]);
});
