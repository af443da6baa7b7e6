import type { PlansAnswer } from '@plimsoll/contract/wire/accounts/plans';
import { expect, test } from 'vitest';
import { testApp, type Answer, type TestApp } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();

test('the plans are public, and their limits are off unless the operator says so', async () => {
  const answer = await testApp(db.storage()).call('GET', '/api/plans');
  expect([answer.status, answer.json]).toEqual([
    200,
    {
      success: true,
      data: {
        plans: [
          { name: 'Free', usd_per_month: 0, servers: 3, history_days: 7, more: ['Basic metrics', 'Chat alerts'] },
          {
            name: 'Pro',
            usd_per_month: 9,
            servers: 25,
            history_days: 30,
            more: ['All metrics plus AI analysis', 'Priority support'],
          },
          {
            name: 'Business',
            usd_per_month: 29,
            servers: null,
            history_days: 90,
            more: ['Team collaboration', 'Custom webhooks', '99.9% SLA'],
          },
        ],
        enforced: false,
      },
    },
  ]);
});

test('switched on, the same plans are said to be enforced', async () => {
  const dataOf = (answer: Answer): unknown => answer.json.data;
  const plansOf = async (app: TestApp) => dataOf(await app.call('GET', '/api/plans')) as PlansAnswer;
  const off = await plansOf(testApp(db.storage()));
  const on = await plansOf(testApp(db.storage(), { settings: { PLIMSOLL_PLAN_LIMITS: 'free' } }));
  expect(on).toEqual({ ...off, enforced: true });
});
