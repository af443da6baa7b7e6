import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpStandIn, type HttpStandIn } from '../../testing/http-stand-in.ts';
import { exampleNotification, exampleNotifiedCause } from '../../testing/notify.ts';
import { createWebhook } from './webhook.ts';

let hook: HttpStandIn;
const network = { allowedRanges: ['127.0.0.0/8'], timeoutMs: 2000 };
const target = (secrets: Record<string, string> = {}) => ({
  settings: {},
  secrets: { url: `${hook.url}/hook`, ...secrets },
});
beforeEach(async () => {
  hook = await httpStandIn();
});
afterEach(() => hook.close());

test('posts JSON with a signature that a receiver can check', async () => {
  const secret = 'sixteen-characters';
  expect(await createWebhook(network).send(target({ secret }), exampleNotification())).toMatchObject({
    outcome: 'delivered',
  });
  const [request] = hook.received;
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers['x-plimsoll-signature'])) ?? [];
  expect(Number(seconds)).toBe(1_769_853_600);
  const wanted = createHmac('sha256', secret).update(`${seconds ?? ''}.${request?.body ?? ''}`);
  expect(mac).toBe(wanted.digest('hex'));
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    version: 1,
    test: false,
    hostname: 'web-1',
    level: 'critical',
    alerts: [{ state: 'firing', level: 'critical' }],
  });
});

test('without a secret it is not signed', async () => {
  await createWebhook(network).send(target(), exampleNotification());
  expect(hook.received[0]?.headers).not.toHaveProperty('x-plimsoll-signature');
});

test.each([
  [429, { 'retry-after': '30' }, { outcome: 'failed', retryAfterSeconds: 30 }],
  [503, {}, { outcome: 'failed' }],
  [
    503,
    { date: 'Sun, 29 Nov 2026 12:00:00 GMT', 'retry-after': 'Sun, 29 Nov 2026 12:01:30 GMT' },
    { retryAfterSeconds: 90 },
  ],
  [
    503,
    { date: 'Sun, 29 Nov 2026 12:00:00 GMT', 'retry-after': 'Sun, 29 Nov 2020 12:00:00 GMT' },
    { retryAfterSeconds: 0 },
  ],
  [302, { location: 'http://169.254.169.254/' }, { outcome: 'refused' }],
  [413, {}, { outcome: 'refused' }],
])('%i', async (status, headers, result) => {
  hook.answer(() => ({ status, headers, body: 'secret of the receiver' }));
  const sent = await createWebhook(network).send(target(), exampleNotification());
  expect(sent).toMatchObject(result);
  expect(sent.detail).not.toContain('receiver');
  expect(hook.received).toHaveLength(1);
});

test.each(['-5', '1000000000', 'soon', '1e3', '0x10'])('Retry-After: %s says nothing', async (wait) => {
  hook.answer(() => ({ status: 503, headers: { 'retry-after': wait } }));
  expect(await createWebhook(network).send(target(), exampleNotification())).not.toHaveProperty('retryAfterSeconds');
});

test('a private address and a hanging receiver are failures, and an endless answer is cut', async () => {
  const closed = await createWebhook({ ...network, allowedRanges: [] }).send(target(), exampleNotification());
  expect(closed).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('private') });
  hook.answer(() => ({ status: 200, body: 'x'.repeat(5_000_000) }));
  expect(await createWebhook(network).send(target(), exampleNotification())).toMatchObject({ outcome: 'delivered' });
  hook.answer(null);
  const slow = createWebhook({ ...network, timeoutMs: 100 });
  expect(await slow.send(target(), exampleNotification())).toMatchObject({ outcome: 'failed' });
});

test('has the likely cause as an object, or null', async () => {
  await createWebhook(network).send(target(), exampleNotification());
  await createWebhook(network).send(
    target(),
    exampleNotification({ cause: exampleNotifiedCause({ quote: 'FATAL: "x"' }) }),
  );
  const [without, having] = hook.received.map(({ body }) => JSON.parse(body) as { cause: unknown });
  expect(without?.cause).toBeNull();
  expect(having?.cause).toEqual({
    findings: ['The rollout of shop/checkout lowered its memory limit.'],
    mechanism: 'limit_below_peak',
    mechanism_title: 'Limit below the peak',
    since: '2026-02-01T11:56:08.000Z',
    entities: exampleNotifiedCause().entities,
    next: 'Undo the rollout.',
    quote: 'FATAL: "x"',
  });
});
