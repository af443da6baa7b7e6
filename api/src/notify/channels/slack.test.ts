import { expect, test } from 'vitest';
import { exampleNotifiedCause } from '../../testing/notify.ts';
import { testHttpChannel } from '../../testing/http-channel.ts';
import { createSlack } from './slack.ts';

const { send, bodies } = testHttpChannel({
  create: createSlack,
  targetAt: (url) => ({ settings: {}, secrets: { webhook_url: `${url}/hook/secret` } }),
});

test('escapes what could mention somebody, and cuts to 4,000 characters', async () => {
  expect(await send({ title: '<!channel> & x', link: null })).toMatchObject({ outcome: 'delivered' });
  await send({ lines: ['x'.repeat(9000)] });
  expect(bodies()[0]).toEqual({ text: '&lt;!channel&gt; &amp; x\nLevel: critical', mrkdwn: false });
  expect((bodies()[1] as { text: string }).text).toHaveLength(4000);
});

test('a quote is text that mentions nobody', async () => {
  await send({ link: null, title: 't', cause: exampleNotifiedCause({ quote: '<!here> *x*' }) });
  expect(bodies()[0]).toEqual({ text: 't\n&gt; &lt;!here&gt; *x*\nLevel: critical', mrkdwn: false });
});
