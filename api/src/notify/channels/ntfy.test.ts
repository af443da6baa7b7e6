import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpStandIn, type HttpStandIn } from '../../testing/http-stand-in.ts';
import { exampleNotification } from '../../testing/notify.ts';
import { createNtfy } from './ntfy.ts';

let provider: HttpStandIn;
const network = { allowedRanges: ['127.0.0.0/8'], timeoutMs: 2000 };
const target = () => ({ settings: { server: provider.url }, secrets: { topic: 'alerts', token: 'tk_secret' } });
const send = (parts = {}, timeoutMs = 2000) =>
  createNtfy({ ...network, timeoutMs }).send(target(), exampleNotification(parts));
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

test('publishes JSON with a priority, a link and the token, below 4,096 bytes', async () => {
  expect(await send()).toMatchObject({ outcome: 'delivered' });
  expect(provider.received[0]?.headers['authorization']).toBe('Bearer tk_secret');
  expect(bodies()[0]).toMatchObject({
    topic: 'alerts',
    title: 'web-1: Memory 97 %, 2 over for 5 min',
    priority: 5,
    click: 'https://plimsoll.example/alerts?server_id=1',
  });
  await send({ lines: ['語'.repeat(9000)] });
  expect(Buffer.byteLength((bodies()[1] as { message: string }).message)).toBeLessThanOrEqual(4096);
});
