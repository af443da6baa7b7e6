import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpStandIn, type HttpStandIn } from '../../testing/http-stand-in.ts';
import { exampleNotification } from '../../testing/notify.ts';
import { createTeams } from './teams.ts';

let provider: HttpStandIn;
const network = { allowedRanges: ['127.0.0.0/8'], timeoutMs: 2000 };
const target = () => ({ settings: {}, secrets: { webhook_url: `${provider.url}/hook/secret` } });
const send = (parts = {}, timeoutMs = 2000) =>
  createTeams({ ...network, timeoutMs }).send(target(), exampleNotification(parts));
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

test('sends an adaptive card below 28 KB with a link', async () => {
  expect(await send({ title: '[a](https://evil.example)' })).toMatchObject({ outcome: 'delivered' });
  await send({ lines: Array.from({ length: 500 }, () => '語'.repeat(5000)) });
  expect(bodies()[0]).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          body: [{ text: String.raw`\[a\]\(https://evil.example\)` }, { text: 'Level: critical' }],
          actions: [{ type: 'Action.OpenUrl', url: 'https://plimsoll.example/alerts?server_id=1' }],
        },
      },
    ],
  });
  expect(Buffer.byteLength(provider.received[1]?.body ?? '')).toBeLessThan(28_000);
});
