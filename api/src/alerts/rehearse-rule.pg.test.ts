import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { ownerOf } from '../accounts/owner.ts';
import { rehearse } from './rehearse.ts';
import type { RecordedSeries, RuleDraft } from './types.ts';

const db = testStorage();
const HOURS = 48;

/** Fills host_sample with a reading a minute, with gaps, and host_rollup_5m with what the rollup makes of it. */
async function fill(serverId: string, to: number, value: string): Promise<void> {
  const [server] = await db.sql<{ key: number }>('SELECT key FROM server WHERE id = $1', [serverId]);
  await db.sql(
    `INSERT INTO host_sample (ts, server_key, cpu_percent) SELECT ts, $1, ${value}
     FROM (SELECT ts, row_number() OVER (ORDER BY ts) AS n, random() AS noise
       FROM generate_series(to_timestamp($2 / 1000.0) - interval '${String(HOURS)} hours', to_timestamp($2 / 1000.0), '1 minute') AS ts) AS t
     WHERE n % 700 > 20`,
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

test('what a rehearsal leaves out changes no alert: it finds the same as with every sample', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const [noisy, calm] = [await app.newAgent(user, 'noisy'), await app.newAgent(user, 'calm')];
  app.clock.ms = Math.floor(Date.now() / 60_000) * 60_000;
  const to = app.clock.now();
  await fill(noisy.serverId, to, '60 + 30 * sin(n / 60.0) + 12 * noise');
  await fill(calm.serverId, to, '20 + 30 * noise');
  const owner = ownerOf(user.accountId);
  const ids = [noisy.serverId, calm.serverId];
  const read = (above: number) =>
    db.storage().recordedValues.read(owner, ids, 'cpu_usage', { from: to - HOURS * 3_600_000, to: to + 1, above });
  const found = (all: readonly RecordedSeries[]) =>
    all
      .flatMap((series) =>
        rehearse(RULE, series, to).alerts.map(({ hostname, ...alert }) => `${hostname} ${JSON.stringify(alert)}`),
      )
      .toSorted();
  const [everything, some] = [await read(-1), await read(80)];
  expect(found(everything).length).toBeGreaterThan(3);
  expect(found(some)).toEqual(found(everything));
  const points = (all: readonly RecordedSeries[], name: string) =>
    all.find(({ hostname }) => hostname === name)?.points.length ?? 0;
  expect(points(some, 'noisy')).toBe(points(everything, 'noisy'));
  // Nothing is read of a server that never reaches the line.
  expect([points(everything, 'calm') > 1000, points(some, 'calm')]).toEqual([true, 0]);
  expect(some.map(({ source }) => source)).toEqual(['samples', 'samples']);
});
