import { expect, test } from 'vitest';
import { testHttpChannel } from '../../testing/http-channel.ts';
import { exampleNotification, exampleNotifiedCause } from '../../testing/notify.ts';
import { createPagerDuty } from './pagerduty.ts';

const { send, bodies } = testHttpChannel({
  create: (network, url) => createPagerDuty(network, { us: url }),
  targetAt: () => ({ settings: { region: 'us' }, secrets: { routing_key: 'key-secret' } }),
});

test('triggers and resolves by the id of the alert', async () => {
  expect(await send()).toMatchObject({ outcome: 'delivered' });
  const { alerts } = exampleNotification();
  await send({ alerts: alerts.map((alert) => ({ ...alert, state: 'resolved' })) });
  const key = 'plimsoll/11111111-1111-4111-8111-111111111111';
  expect(bodies()).toMatchObject([
    {
      event_action: 'trigger',
      routing_key: 'key-secret',
      dedup_key: key,
      payload: { summary: 'web-1: Memory 97 %', source: 'web-1', severity: 'critical' },
    },
    { event_action: 'resolve', dedup_key: key },
  ]);
});

test('a test message triggers an incident and resolves it', async () => {
  await send({ isTest: true, alerts: [] });
  expect(bodies()).toMatchObject([{ event_action: 'trigger' }, { event_action: 'resolve' }]);
});

test('has the likely cause among the details of a trigger', async () => {
  await send({ cause: exampleNotifiedCause() });
  await send();
  const [having, without] = bodies() as { payload: { custom_details?: unknown } }[];
  expect(having?.payload.custom_details).toEqual({
    likely_cause: 'The rollout of shop/checkout lowered its memory limit.',
    next: 'Undo the rollout.',
  });
  expect(without?.payload).not.toHaveProperty('custom_details');
});
