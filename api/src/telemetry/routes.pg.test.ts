import type { HealthAnswer } from '@plimsoll/contract/wire/health';
import { beforeEach, expect, test } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

const db = testStorage();
let app: TestApp;
let user: TestUser;
const NOW = Date.UTC(2026, 0, 2);

beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = Date.now();
  user = await app.newUser();
});
const health = async (of: TestUser): Promise<HealthAnswer> => {
  const answer = await app.call('GET', '/api/health', { token: of.token });
  expect(answer.status).toBe(200);
  return answer.json.data as unknown as HealthAnswer;
};
const setAside = (organisationId: OrganisationId) =>
  db.sql(
    `INSERT INTO fleet_rollup_due (organisation_id, level, ts, attempts, failed_at, retry_at, error)
     VALUES ($1, '5m', $2, 3, $2, $2, '22003 integer out of range')`,
    [organisationId, new Date(NOW)],
  );

test('is ok while no job fails and no bucket is set aside', async () => {
  expect(await health(user)).toEqual({ status: 'ok', jobs: [], buckets_set_aside: [] });
});

test('gives the last success, the last failure and its code of each job, never its text', async () => {
  app.clock.ms = Date.now();
  const at = new Date(app.deps.jobHealth.record('rollup', 'ok')).toISOString();
  app.clock.pass(10);
  const error = Object.assign(new Error('value "of another account" is out of range'), { code: '22003' });
  const failed = new Date(app.deps.jobHealth.record('rollup', 'failed', error)).toISOString();
  const answer = await health(user);
  expect(answer).toEqual({
    status: 'degraded',
    jobs: [{ name: 'rollup', last_success_at: at, last_failure_at: failed, last_error: '22003' }],
    buckets_set_aside: [],
  });
  expect(JSON.stringify(answer)).not.toContain('another account');
});

test('names the buckets of the caller that are set aside, and none of another account', async () => {
  const other = await app.newUser();
  await setAside(user.organisationId);
  const time = new Date(NOW).toISOString();
  expect(await health(user)).toEqual({
    status: 'degraded',
    jobs: [],
    buckets_set_aside: [
      {
        level: 'fleet-5m',
        subject: null,
        bucket_at: time,
        attempts: 3,
        failed_at: time,
        retry_at: time,
        error: '22003 integer out of range',
      },
    ],
  });
  expect(await health(other)).toEqual({ status: 'ok', jobs: [], buckets_set_aside: [] });
});

test('needs a session, takes no parameters, and has nothing below it', async () => {
  expect((await app.call('GET', '/api/health')).status).toBe(401);
  const bad = await app.call('GET', '/api/health?job=rollup', { token: user.token });
  expect([bad.status, bad.json.field]).toEqual([400, 'job']);
  expect((await app.call('GET', '/api/health/rollup', { token: user.token })).status).toBe(404);
});
