import { expect, test } from 'vitest';
import { ownerOf } from '../tenancy/owner.ts';
import { testApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { openPage } from '../testing/status-page.ts';
import { statusDaysJob } from './jobs.ts';
import { recordDays } from './record-days.ts';

const db = testStorage();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Noon: half of today is judged. */
const NOW = Date.UTC(2026, 10, 27, 12);
const TODAY = NOW - 12 * HOUR;

const at = (ms: number) => new Date(ms).toISOString();
const full = (day: number) => ({ day, goodSeconds: 86_400, downSeconds: 0, unknownSeconds: 0 });

async function world() {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const { serverId } = await app.newAgent(user, 'web-1');
  await db.sql('UPDATE server SET created_at = $2 WHERE id = $1', [serverId, at(TODAY - 2 * DAY)]);
  const [row] = await db.sql<{ key: number }>('SELECT key FROM server WHERE id = $1', [serverId]);
  const key = row?.key ?? 0;
  const owner = ownerOf(user.organisationId);
  await db.storage().statusPages.create(owner, openPage('x', serverId), { slug: serverId, createdBy: null }, NOW);
  const samples = (from: number, to: number) =>
    db.sql(
      `INSERT INTO host_sample (ts, server_key, cpu_percent)
       SELECT g, $1, 5 FROM generate_series($2::timestamptz, $3::timestamptz, '1 minute') g`,
      [key, at(from), at(to - 60_000)],
    );
  const alert = async (level: string, from: number, to: number | null, metric = 'cpu_usage'): Promise<string> => {
    const [opened] = await db.sql<{ id: string }>(
      `INSERT INTO alert (server_key, rule, metric, subject, level, title, message, opened_at, updated_at, resolved_at)
       VALUES ($1, $2, $2, '', $3, '', '', $4, $4, $5) RETURNING id`,
      [key, metric, level, at(from), to === null ? null : at(to)],
    );
    return opened?.id ?? '';
  };
  const read = async () => (await db.storage().serverDays.of([serverId], TODAY - 89 * DAY)).get(serverId);
  return { app, user, key, serverId, samples, alert, read };
}

test('days are added up from rollups and alerts; a gap is unknown, a critical alert down', async () => {
  const { samples, alert, read } = await world();
  await samples(TODAY - 2 * DAY, TODAY - DAY);
  await samples(TODAY - DAY, TODAY - 20 * HOUR);
  await samples(TODAY - 18 * HOUR, NOW);
  await db.storage().rollups.rollUp(NOW);
  await alert('critical', TODAY - 2 * DAY + HOUR, TODAY - 2 * DAY + 1.5 * HOUR);
  await alert('warning', TODAY - 2 * DAY + 3 * HOUR, TODAY - 2 * DAY + 9 * HOUR);
  const escalated = await alert('critical', NOW - 2 * HOUR, null);
  await db.sql(
    `INSERT INTO alert_event (alert_id, at, kind, level, note) VALUES ($1, $2, 'escalated', 'critical', 'warning')`,
    [escalated, at(NOW - HOUR)],
  );
  const { serverDays } = db.storage();
  expect(await recordDays(serverDays, NOW, 8)).toBe(3);
  expect(await read()).toEqual({
    isCritical: true,
    days: [
      { ...full(TODAY - 2 * DAY), goodSeconds: 86_400 - 1800, downSeconds: 1800 },
      { ...full(TODAY - DAY), goodSeconds: 22 * 3600, unknownSeconds: 7200 },
      { day: TODAY, goodSeconds: 11 * 3600, downSeconds: 3600, unknownSeconds: 0 },
    ],
  });
  expect(await recordDays(serverDays, NOW, 8)).toBe(0);
  // A spool that drains a day late fills the gap.
  await samples(TODAY - 20 * HOUR, TODAY - 18 * HOUR);
  await db.sql('DELETE FROM rollup_progress');
  await db.storage().rollups.rollUp(NOW);
  expect(await recordDays(serverDays, NOW, 2)).toBe(1);
  expect((await read())?.days[1]).toEqual(full(TODAY - DAY));
});

test('an outage is down while its offline alert fires, and the job needs no second look', async () => {
  const { samples, alert, read } = await world();
  await samples(TODAY - DAY, TODAY - 4 * HOUR);
  await samples(TODAY - 2 * HOUR, NOW);
  await db.sql('DELETE FROM rollup_progress');
  await db.storage().rollups.rollUp(NOW);
  await alert('critical', TODAY - 4 * HOUR + 180_000, TODAY - 2 * HOUR, 'offline');
  const job = statusDaysJob(db.storage().serverDays);
  await job.run(NOW);
  expect(await job.run(NOW)).toBeNull();
  const days = (await read())?.days ?? [];
  expect(days.find(({ day }) => day === TODAY - DAY)).toEqual({
    day: TODAY - DAY,
    goodSeconds: 22 * 3600,
    downSeconds: 7200 - 180,
    unknownSeconds: 180,
  });
  // It was enrolled a day before its first sample: that day is unknown, and not good.
  expect(days[0]).toEqual({ day: TODAY - 2 * DAY, goodSeconds: 0, downSeconds: 0, unknownSeconds: 86_400 });
});

test('a server without a page costs no row, and the days of a deleted one are gone', async () => {
  const { app, user, key, serverId, samples, read } = await world();
  const other = await app.newAgent(user, 'web-2');
  await samples(TODAY, NOW);
  await db.storage().rollups.rollUp(NOW);
  await recordDays(db.storage().serverDays, NOW, 8);
  expect((await read())?.days.length).toBeGreaterThan(0);
  expect((await db.storage().serverDays.of([other.serverId], 0)).get(other.serverId)?.days).toEqual([]);
  await app.call('DELETE', '/api/servers/delete', { ...user, body: { server_id: serverId } });
  expect(await db.sql('SELECT FROM server_day WHERE server_key = $1', [key])).toEqual([]);
});
