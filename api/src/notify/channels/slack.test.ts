import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpStandIn, type HttpStandIn } from '../../testing/http-stand-in.ts';
import { exampleNotification } from '../../testing/notify.ts';
import { createSlack } from './slack.ts';

let provider: HttpStandIn;
const network = { allowedRanges: ['127.0.0.0/8'], timeoutMs: 2000 };
const target = () => ({ settings: {}, secrets: { webhook_url: `${provider.url}/hook/secret` } });
const send = (parts = {}, timeoutMs = 2000) =>
  createSlack({ ...network, timeoutMs }).send(target(), exampleNotification(parts));
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

test('escapes what could mention somebody, and cuts to 4,000 characters', async () => {
  expect(await send({ title: '<!channel> & x', link: null })).toMatchObject({ outcome: 'delivered' });
  await send({ lines: ['x'.repeat(9000)] });
  expect(bodies()[0]).toEqual({ text: '&lt;!channel&gt; &amp; x\nLevel: critical', mrkdwn: false });
  expect((bodies()[1] as { text: string }).text).toHaveLength(4000);
});
