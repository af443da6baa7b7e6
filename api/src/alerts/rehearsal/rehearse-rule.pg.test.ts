import { expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { ownerOf } from '../../tenancy/owner.ts';
import { rehearse } from './rehearse.ts';
import { rehearseRule } from './rehearse-rule.ts';
import type { RecordedValues } from '../store.ts';
import type { RuleDraft } from '../types.ts';

const db = testStorage();
const DAYS = 10;
const HOURS = DAYS * 24;
const DAY_MS = 86_400_000;

/** Fills host_sample with a reading a minute, with gaps, and host_rollup_5m with what the rollup makes of it. */
async function fill(serverId: string, to: number, value: string, kept = 'n % 700 > 20'): Promise<void> {
  const [server] = await db.sql<{ key: number }>('SELECT key FROM server WHERE id = $1', [serverId]);
  await db.sql(
    `INSERT INTO host_sample (ts, server_key, cpu_percent) SELECT ts, $1, ${value}
     FROM (SELECT ts, row_number() OVER (ORDER BY ts) AS n, random() AS noise
       FROM generate_series(to_timestamp($2 / 1000.0) - interval '${String(HOURS)} hours', to_timestamp($2 / 1000.0), '1 minute') AS ts) AS t
     WHERE ${kept}`,
    [server?.key, to],
  );
  await db.sql(
    `INSERT INTO host_rollup_5m (ts, server_key, samples, cpu_count, cpu_avg, cpu_min, cpu_max, io_wait_count, memory_count,
       disk_count, operations_count, receive_count, transmit_count, connections_count)
     SELECT date_bin('5 minutes', ts, 'epoch') AS bucket, server_key, count(*), count(*), avg(cpu_percent), min(cpu_percent),
       max(cpu_percent), 0, 0, 0, 0, 0, 0, 0
     FROM host_sample WHERE server_key = $1 AND ts < to_timestamp($2 / 1000.0) - interval '10 minutes' GROUP BY 1, 2`,
    [server?.key, to],
  );
}

const RULE: RuleDraft = {
  metric: 'cpu_usage',
  target: { kind: 'all' },
  lines: [
    { level: 'warning', threshold: 80 },
    { level: 'critical', threshold: 95 },
  ],
  forMs: 300_000,
  keepFiringForMs: 300_000,
  hysteresisPoints: 5,
  enabled: true,
};

test.each([5, 20])(
  'a rule that waits %i min finds the same as with every sample, though it skips hours',
  async (wait) => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const [noisy, calm] = [await app.newAgent(user, 'noisy'), await app.newAgent(user, 'calm')];
    app.clock.ms = Math.floor(Date.now() / 60_000) * 60_000;
    const to = app.clock.now();
    // Over the line in some hours only, so that the others are skipped.
    await fill(
      noisy.serverId,
      to,
      'CASE WHEN n BETWEEN 1500 AND 8000 THEN 30 WHEN n BETWEEN 8000 AND 8030 THEN 99 WHEN n BETWEEN 8000 AND 12500 THEN 77 ELSE 60 + 30 * sin(n / 60.0) + 12 * noise END',
    );
    await fill(calm.serverId, to, '20 + 30 * noise');
    const draft = { ...RULE, forMs: wait * 60_000 };
    const owner = ownerOf(user.organisationId);
    const { servers, recordedValues } = db.storage();
    const read: string[] = [];
    const counting: RecordedValues = {
      ...recordedValues,
      ofHour: (asked, ...rest) => {
        read.push(...asked.map(({ hostname }) => hostname));
        return recordedValues.ofHour(asked, ...rest);
      },
    };
    const some = await rehearseRule({ servers, recordedValues: counting }, owner, { draft, days: DAYS }, to);
    // The reference reads every day of every server.
    const range = { from: to - DAYS * DAY_MS, to: to + 1 };
    const known = await recordedValues.servers(owner, [noisy.serverId, calm.serverId], range);
    const alerts = [];
    for (const server of known) {
      const whole = rehearse(draft, server);
      for (let from = range.from; from < range.to; from += DAY_MS)
        for (const [, points] of await recordedValues.ofHour([server], 'cpu_usage', {
          from,
          to: Math.min(from + DAY_MS, range.to),
        }))
          whole.add(points);
      alerts.push(...whole.end(to).alerts);
    }
    expect(alerts.length).toBeGreaterThan(3);
    expect(some?.alerts).toEqual(alerts);
    expect(some?.source).toBe('samples');
    // One alert lasts for days that stay between the line and the clear line. No samples of these days are read.
    expect(Math.max(...alerts.map(({ firedAt, resolvedAt }) => (resolvedAt ?? to) - firedAt))).toBeGreaterThan(
      2 * DAY_MS,
    );
    // A server that never reaches the line: only the newest hours are read, which no bucket covers yet.
    expect(read.filter((name) => name === 'calm').length).toBeLessThanOrEqual(2);
    const ofNoisy = read.filter((name) => name === 'noisy').length;
    expect(ofNoisy).toBeGreaterThan(alerts.length / 2);
    expect(ofNoisy).toBeLessThan((HOURS * 3) / 4);
  },
);

test('silence is found in the hours with a missing report, and its length is that of all reports', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const [gaps, whole] = [await app.newAgent(user, 'gaps'), await app.newAgent(user, 'whole')];
  const to = Math.floor(Date.now() / 60_000) * 60_000;
  await fill(gaps.serverId, to, '20', 'n % 700 > 20 AND n % 411 > n % 7 AND n % 60 <> 9');
  await fill(whole.serverId, to, '20', 'true');
  const draft: RuleDraft = {
    ...RULE,
    metric: 'offline',
    lines: [{ level: 'critical', threshold: null }],
    forMs: 180_000,
  };
  const { servers, recordedValues } = db.storage();
  const owner = ownerOf(user.organisationId);
  const read: string[] = [];
  const counting: RecordedValues = {
    ...recordedValues,
    ofHour: (asked, ...rest) => {
      read.push(...asked.map(({ hostname }) => hostname));
      return recordedValues.ofHour(asked, ...rest);
    },
  };
  const found = await rehearseRule({ servers, recordedValues: counting }, owner, { draft, days: 2 }, to);
  const times = await db.sql<{ at: number }>(
    `SELECT (extract(epoch FROM ts) * 1000)::double precision AS at FROM host_sample JOIN server ON key = server_key
     WHERE id = $1 AND ts >= to_timestamp($2 / 1000.0) - interval '2 days' ORDER BY ts`,
    [gaps.serverId, to],
  );
  const silences = times.flatMap(({ at }, index) => {
    const next = times[index + 1]?.at ?? to;
    return next - at >= 180_000 ? [{ firedAt: at + 180_000, resolvedAt: next }] : [];
  });
  expect(silences.length).toBeGreaterThan(5);
  expect(found?.alerts).toMatchObject(silences.map((one) => ({ hostname: 'gaps', ...one })));
  // Two hours at each end: they are not whole, or no bucket covers them.
  expect(read.filter((name) => name === 'whole').length).toBeLessThanOrEqual(5);
});

test('late samples, which lie behind newer ones, are read in time order', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'late');
  const [server] = await db.sql<{ key: number }>('SELECT key FROM server WHERE id = $1', [agent.serverId]);
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const minutes = [7, 8, 9, 1, 2, 3, 4, 5, 6];
  for (const minute of minutes)
    await db.sql('INSERT INTO host_sample (ts, server_key, cpu_percent) VALUES ($2, $1, $3)', [
      server?.key,
      new Date(to - minute * 60_000),
      minute === 3 ? null : minute,
    ]);
  const { recordedValues } = db.storage();
  const range = { from: to - DAY_MS, to };
  const known = await recordedValues.servers(ownerOf(user.organisationId), [agent.serverId], range);
  const [[, points] = []] = await recordedValues.ofHour(known, 'cpu_usage', range);
  expect([...(points?.min ?? [])]).toEqual([9, 8, 7, 6, 5, 4, Number.NaN, 2, 1]);
  expect([...(points?.at ?? [])].map((at) => (to - at) / 60_000)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test('load per core counts the cores of today; a server without them is left out', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const [four, unknown] = [await app.newAgent(user, 'four'), await app.newAgent(user, 'unknown')];
  const to = Math.floor(Date.now() / 60_000) * 60_000;
  for (const { serverId } of [four, unknown])
    await db.sql(
      `INSERT INTO host_sample (ts, server_key, load_one) SELECT to_timestamp($2 / 1000.0) - n * interval '1 minute', key,
         CASE WHEN n < 30 THEN 8 ELSE 7.9 END FROM server, generate_series(1, 60) n WHERE id = $1`,
      [serverId, to],
    );
  await db.sql(
    `INSERT INTO server_fact SELECT key, 'system', now(), '{"cpu_cores": 4}' FROM server WHERE id = $1
     ON CONFLICT (server_key, name) DO UPDATE SET value = excluded.value`,
    [four.serverId],
  );
  await db.sql(`DELETE FROM server_fact WHERE server_key = (SELECT key FROM server WHERE id = $1)`, [unknown.serverId]);
  const draft: RuleDraft = {
    ...RULE,
    metric: 'load_per_core',
    lines: [{ level: 'warning', threshold: 2 }],
    hysteresisPoints: 0.5,
  };
  const { servers, recordedValues } = db.storage();
  const found = await rehearseRule({ servers, recordedValues }, ownerOf(user.organisationId), { draft, days: 1 }, to);
  expect(found?.alerts).toMatchObject([{ hostname: 'four', firedAt: to - 25 * 60_000, resolvedAt: null }]);
});
