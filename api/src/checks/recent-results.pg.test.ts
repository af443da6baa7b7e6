import { notRun } from '@plimsoll/contract/probes/run-probe';
import { beforeEach, expect, test } from 'vitest';
import { ownerOf } from '../tenancy/owner.ts';
import { testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import type { PlaceResult } from './types.ts';

const db = testStorage();
const MINUTE = 60_000;

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = testApp(db.storage());
  user = await app.newUser();
  await db.sql('DELETE FROM check_result');
});

async function heartbeat(name: string): Promise<{ id: string; key: number }> {
  const body = { name, heartbeat: { schedule: { kind: 'interval', seconds: 600 } } };
  const created = await app.call('POST', '/api/checks', { token: user.token, body });
  const id = (created.json.data as unknown as { check: { check_id: string } }).check.check_id;
  const [row] = await db.sql<{ key: number }>('SELECT key FROM check_definition WHERE id = $1', [id]);
  return { id, key: row?.key ?? 0 };
}
const result = (checkKey: number, at: number, ok: boolean, totalMs: number | null): PlaceResult => ({
  ...notRun('not_run'),
  checkKey,
  rev: 1,
  at,
  ok,
  reason: ok ? null : 'timeout',
  total_ms: totalMs,
});
const record = (place: number, at: number, results: PlaceResult[]) =>
  db.storage().checkResults.record(user.organisationId, place, at, results);

test('each row of results is read once, also one that comes an hour late', async () => {
  const { key } = await heartbeat('shop');
  const now = app.clock.now();
  const minute = Math.floor(now / MINUTE);
  const owner = ownerOf(user.organisationId);
  const seen = async () => {
    const recent = await db.storage().checkResults.recent(owner, now);
    const minutes = recent.minutesOf(key, minute, 90);
    const counts = {
      up: minutes.filter((one) => one === true).length,
      down: minutes.filter((one) => one === false).length,
    };
    return { ...counts, latest: recent.latestOf([key], now - 60 * MINUTE) };
  };
  expect(await seen()).toEqual({ up: 0, down: 0, latest: [] });
  await record(1, now, [result(key, now - 61_000, true, 40), result(key, now - 1500, true, 50.5)]);
  const latest = { checkKey: key, placeKey: 1, at: now - 1500, ok: true, totalMs: 50.5 };
  expect(await seen()).toEqual({ up: 2, down: 0, latest: [latest] });
  await record(2, now - 80 * MINUTE, [result(key, now - 80 * MINUTE - 2000, false, null)]);
  expect(await seen()).toEqual({ up: 2, down: 1, latest: [latest] });
  await record(2, now - 30 * MINUTE, [result(key, now - 30 * MINUTE, false, null)]);
  expect((await seen()).latest).toEqual([
    latest,
    { checkKey: key, placeKey: 2, at: now - 30 * MINUTE, ok: false, totalMs: null },
  ]);
});

test('a page of the list has the worst first, and the counts are those of all', async () => {
  const [paused, down, first, second] = [
    await heartbeat('a paused'),
    await heartbeat('z down'),
    await heartbeat('b unknown'),
    await heartbeat('c unknown'),
  ];
  await db.sql('UPDATE check_definition SET is_enabled = false WHERE key = $1', [paused.key]);
  await db.sql(`UPDATE check_state SET fold = fold || '{"status": "down"}' WHERE check_key = $1`, [down.key]);
  const page = async (query: string) => {
    const { json } = await app.call('GET', `/api/checks?${query}`, { token: user.token });
    const data = json.data as unknown as { checks: { check_id: string }[]; total: number; summary: object };
    return { ids: data.checks.map((check) => check.check_id), total: data.total, summary: data.summary };
  };
  const counts = { total: 4, summary: { up: 0, down: 1, unknown: 2, paused: 1 } };
  expect(await page('limit=2')).toEqual({ ids: [down.id, first.id], ...counts });
  expect(await page('limit=2&offset=2')).toEqual({ ids: [second.id, paused.id], ...counts });
});

test('a look at the enabled checks returns each change since the one before', async () => {
  await db.sql('DELETE FROM check_definition');
  const [first, second] = [await heartbeat('first'), await heartbeat('second')];
  const names = async () => (await db.storage().checkResults.listEnabled()).map(({ name }) => name);
  expect(await names()).toEqual(['first', 'second']);
  await db.sql("UPDATE check_definition SET name = 'renamed' WHERE key = $1", [second.key]);
  expect(await names()).toEqual(['first', 'renamed']);
  await db.sql('UPDATE check_definition SET is_enabled = false WHERE key = $1', [first.key]);
  expect(await names()).toEqual(['renamed']);
  await db.sql('UPDATE check_definition SET is_enabled = true WHERE key = $1', [first.key]);
  await db.sql('DELETE FROM check_definition WHERE key = $1', [second.key]);
  expect(await names()).toEqual(['first']);
});
