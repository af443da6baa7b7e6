import { expect, test } from 'vitest';
import { exampleNotifiedCause } from '../../testing/notify.ts';
import { testHttpChannel } from '../../testing/http-channel.ts';
import { createDiscord } from './discord.ts';

const { provider, send, bodies } = testHttpChannel({
  create: createDiscord,
  targetAt: (url) => ({ settings: {}, secrets: { webhook_url: `${url}/hook/secret` } }),
});

test('escapes Markdown, mentions nobody and cuts to 2,000 characters', async () => {
  expect(await send({ title: '@everyone *x*', link: 'https://a.example/x_y_z' })).toMatchObject({
    outcome: 'delivered',
  });
  await send({ lines: ['x'.repeat(9000)] });
  expect(bodies()[0]).toEqual({
    content: String.raw`@everyone \*x\*` + '\nLevel: critical\nhttps://a.example/x_y_z',
    allowed_mentions: { parse: [] },
  });
  expect((bodies()[1] as { content: string }).content).toHaveLength(2000);
});

test('waits as long as the body of a 429 says', async () => {
  provider().answer(() => ({ status: 429, body: JSON.stringify({ message: 'limited', retry_after: 0.5 }) }));
  expect(await send()).toMatchObject({ outcome: 'failed', retryAfterSeconds: 0.5 });
});

test('a quote is a block, and a line that looks like a link is text', async () => {
  await send({
    title: 't',
    lines: ['https://evil.example/_x_'],
    link: null,
    cause: exampleNotifiedCause({ quote: '**x** [a](https://evil.example)' }),
  });
  expect((bodies()[0] as { content: string }).content.split('\n')).toEqual([
    't',
    String.raw`https://evil.example/\_x\_`,
    String.raw`> \*\*x\*\* \[a\]\(https://evil.example\)`,
    'Level: critical',
  ]);
});
