import { SILENCE_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import { ALERT_RULE_LIMITS } from '@plimsoll/contract/rules/alert-rule-limits';
import { beforeEach, expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { openAlert } from '../../testing/notify.ts';
import { testStorage } from '../../testing/postgres.ts';
import type { RuleDraft } from '../types.ts';

const db = testStorage();
const RULES = '/api/alerts/rules';
const SILENCES = '/api/alerts/silences';
const HOUR_MS = 3_600_000;
const CPU = { metric: 'cpu_usage', target: 'all', lines: [{ level: 'warning', threshold: 61 }] };

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = testApp(db.storage());
  user = await app.newUser();
});

const atOnce = async (count: number, call: (index: number) => Promise<{ status: number }>): Promise<number> => {
  const answers = await Promise.all(Array.from({ length: count }, (_value, index) => call(index)));
  return answers.filter(({ status }) => status === 200).length;
};
const post = (path: string, body: object) => app.call('POST', path, { ...user, body });
const put = (path: string, body: object) => app.call('PUT', path, { ...user, body });

const draft = (index: number): RuleDraft => ({
  metric: 'cpu_usage',
  target: { kind: 'tag', key: 'team', value: String(index) },
  lines: [{ level: 'warning', threshold: 60 }],
  forMs: 0,
  keepFiringForMs: 0,
  hysteresisPoints: 5,
  enabled: true,
});
const fillRules = (count: number) =>
  db
    .storage()
    .alertRules.saveAll(
      ownerOf(user.organisationId),
      { created: Array.from({ length: count }, (_value, index) => draft(index)), changed: [] },
      app.clock.now(),
    );
const countRules = () => db.storage().alertRules.countOwn(ownerOf(user.organisationId));

/** Silences that start an hour ago. */
const fillSilences = (count: number, ms = HOUR_MS) =>
  db.sql(
    `INSERT INTO alert_silence (organisation_id, metric, starts_at, ends_at, comment, created_at, updated_at)
     SELECT '${user.organisationId}', 'cpu_usage', to_timestamp(${String((app.clock.now() - HOUR_MS) / 1000)}),
       to_timestamp(${String((app.clock.now() + ms) / 1000)}), '', now(), now() FROM generate_series(1, ${String(count)})
     RETURNING id`,
  );
const countSilences = () => db.storage().silences.count(ownerOf(user.organisationId), app.clock.now());

test('ten rules at once where two fit: two are created', async () => {
  await fillRules(ALERT_RULE_LIMITS.perAccount - 2);
  expect(await atOnce(10, () => post(RULES, CPU))).toBe(2);
  expect(await countRules()).toBe(ALERT_RULE_LIMITS.perAccount);
});

test('imports and new rules at once do not pass the limit', async () => {
  const other = await app.newUser();
  for (const tag_value of ['a', 'b', 'c'])
    await app.call('POST', RULES, { ...other, body: { ...CPU, target: 'tag', tag_key: 'env', tag_value } });
  const yaml = (await app.call('GET', `${RULES}/export`, other)).text;
  await fillRules(ALERT_RULE_LIMITS.perAccount - 4);
  // Each import has other targets, so it creates three rules of its own.
  const file = (index: number) =>
    yaml
      .replaceAll('env', `env${String(index)}`)
      .replaceAll(/plimsoll_rule: "([0-9a-f-]{35})[0-9a-f]"/g, `plimsoll_rule: "$1x${String(index)}"`);
  const done = await atOnce(10, (index) =>
    index < 5 ? post(`${RULES}/import`, { yaml: file(index), dry_run: false }) : post(RULES, CPU),
  );
  expect(done).toBeGreaterThan(0);
  expect(await countRules()).toBeLessThanOrEqual(ALERT_RULE_LIMITS.perAccount);
});

test('the same file imported ten times at once creates its rules once', async () => {
  const other = await app.newUser();
  await app.call('POST', RULES, { ...other, body: CPU });
  const yaml = (await app.call('GET', `${RULES}/export`, other)).text;
  expect(await atOnce(10, () => post(`${RULES}/import`, { yaml }))).toBe(10);
  expect(await countRules()).toBe(1);
});

test('ten silences at once where two fit: two are created', async () => {
  await fillSilences(SILENCE_LIMITS.perAccount - 2);
  expect(await atOnce(10, () => post(SILENCES, { metric: 'cpu_usage', duration_seconds: 600 }))).toBe(2);
  expect(await countSilences()).toBe(SILENCE_LIMITS.perAccount);
});

test('bulk operations at once do not silence past the limit, and say so', async () => {
  const agent = await app.newAgent(user, 'web-1');
  const owner = ownerOf(user.organisationId);
  const alert_ids = [];
  for (const subject of ['/a', '/b', '/c'])
    alert_ids.push(await openAlert(db.storage(), owner, agent, app.clock.now(), { subject, metric: 'disk_usage' }));
  await fillSilences(SILENCE_LIMITS.perAccount - 4);
  const body = { action: 'silence', alert_ids, duration_seconds: 600, comment: '' };
  expect(await atOnce(5, () => post('/api/alerts/bulk', body))).toBe(1);
  expect(await countSilences()).toBe(SILENCE_LIMITS.perAccount - 1);
  expect((await post('/api/alerts/bulk', body)).json).toMatchObject({ code: 'plan_limit' });
});

test('silences that have ended come back only while they fit, also at once', async () => {
  const ended = (await fillSilences(5, -1000)) as { id: string }[];
  await fillSilences(SILENCE_LIMITS.perAccount - 2);
  const body = { metric: 'cpu_usage', duration_seconds: 600 };
  expect(await atOnce(5, (index) => put(`${SILENCES}/${ended[index]?.id ?? ''}`, body))).toBe(2);
  expect(await countSilences()).toBe(SILENCE_LIMITS.perAccount);
});

test.each([
  ['POST', RULES, CPU, 'alert_rule'],
  ['POST', SILENCES, { metric: 'cpu_usage', duration_seconds: 600 }, 'alert_silence'],
])('%s %s writes nothing where its audit entry fails', async (method, path, body, table) => {
  const storage = db.storage();
  const failing = testApp({
    ...storage,
    inTransaction: (work) =>
      storage.inTransaction((stores) => {
        const audit = { ...stores.tenancy.audit, record: () => Promise.reject(new Error('no audit')) };
        return work({ ...stores, tenancy: { ...stores.tenancy, audit } });
      }),
  });
  expect((await failing.call(method, path, { ...user, body })).status).toBe(500);
  expect(await db.sql(`SELECT id FROM ${table} WHERE organisation_id = '${user.organisationId}'`)).toEqual([]);
});
