import { expect, test } from 'vitest';
import { TEST_PASSWORD, testApp, type TestApp } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const signIn = (app: TestApp, email: string, password: string, cookie?: string) =>
  app.call('POST', '/api/auth/local', {
    body: { email, password },
    headers: { ...(cookie !== undefined && { cookie }) },
  });

test('a flood of passwords gets 503 with Retry-After, and a remembered device gets in', async () => {
  const app = testApp(db.storage());
  const { email } = await app.newUser();
  const first = await signIn(app, email, TEST_PASSWORD);
  const [device] = first.headers.getSetCookie().flatMap((line) => /^auth_device=[^;]+/.exec(line)?.[0] ?? []);
  const flood = Array.from({ length: 40 }, () => signIn(app, email, 'wrong'));
  const owner = await signIn(app, email, TEST_PASSWORD, device);
  const answers = await Promise.all(flood);
  expect(owner.status).toBe(200);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const { json, headers } of refused) {
    expect(json.code).toBe('overloaded');
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(2);
  }
  expect(answers.every(({ status }) => status === 401 || status === 503)).toBe(true);
});
