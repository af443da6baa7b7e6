import { expect, test } from 'vitest';
import { exampleNotifiedCause } from '../../testing/notify.ts';
import { testHttpChannel } from '../../testing/http-channel.ts';
import { createTeams } from './teams.ts';

const { provider, send, bodies } = testHttpChannel({
  create: createTeams,
  targetAt: (url) => ({ settings: {}, secrets: { webhook_url: `${url}/hook/secret` } }),
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
  expect(Buffer.byteLength(provider().received[1]?.body ?? '')).toBeLessThan(28_000);
});

test('a quote is a block of its own, without Markdown', async () => {
  await send({ title: 't', cause: exampleNotifiedCause({ quote: '**x**' }) });
  expect(bodies()[0]).toMatchObject({
    attachments: [
      {
        content: {
          body: [{ text: 't' }, { text: String.raw`“\*\*x\*\*”`, isSubtle: true }, { text: 'Level: critical' }],
        },
      },
    ],
  });
});
