import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpStandIn, type HttpStandIn } from '../../testing/http-stand-in.ts';
import { exampleNotification } from '../../testing/notify.ts';
import { createPagerDuty } from './pagerduty.ts';

let provider: HttpStandIn;
const network = { allowedRanges: ['127.0.0.0/8'], timeoutMs: 2000 };
const target = () => ({ settings: { region: 'us' }, secrets: { routing_key: 'key-secret' } });
const send = (parts = {}, timeoutMs = 2000) =>
  createPagerDuty({ ...network, timeoutMs }, { us: provider.url }).send(target(), exampleNotification(parts));
const bodies = () => provider.received.map(({ body }): unknown => JSON.parse(body));
beforeEach(async () => {
  provider = await httpStandIn();
});
afterEach(() => provider.close());

test.each([
  [429, 'failed'],
  [500, 'failed'],
  [400, 'refused'],
  [404, 'refused'],
])('%i is %s', async (status, outcome) => {
  provider.answer(() => ({ status, headers: { 'retry-after': '12' } }));
  const result = await send();
  expect(result).toMatchObject({ outcome, ...(outcome === 'failed' && { retryAfterSeconds: 12 }) });
  expect(result.detail).not.toContain('secret');
});

test('a provider that hangs is a failure that may pass', async () => {
  provider.answer(null);
  expect(await send({}, 100)).toMatchObject({ outcome: 'failed' });
});

test('triggers and resolves by the id of the alert', async () => {
  expect(await send()).toMatchObject({ outcome: 'delivered' });
  const [alert] = exampleNotification().alerts;
  await send({ alerts: [{ ...alert, state: 'resolved' }] });
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
