import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { httpStandIn, type HttpStandIn } from '../../testing/http-stand-in.ts';
import { exampleNotification, exampleNotifiedCause } from '../../testing/notify.ts';
import { createTelegram, telegramHtml } from './telegram.ts';

const TOKEN = '123456:AAAAAAAAAAAAAAAA';
const target = (settings: object = { chat_id: '-100200' }) => ({
  settings: { ...settings },
  secrets: { bot_token: TOKEN },
});
let telegram: HttpStandIn;
const driver = (timeoutMs = 2000) => createTelegram({ allowedRanges: [], timeoutMs }, telegram.url);
beforeEach(async () => {
  telegram = await httpStandIn();
  telegram.answer(({ path }) =>
    path.startsWith(`/bot${TOKEN}/`)
      ? { status: 200, body: JSON.stringify({ ok: true, result: {} }) }
      : { status: 401, body: JSON.stringify({ ok: false, error_code: 401, description: 'Unauthorized' }) },
  );
});
afterEach(() => telegram.close());

test('checks the token with getMe and sends one message with its topic', async () => {
  expect(await driver().check?.(target())).toMatchObject({ outcome: 'delivered' });
  const sent = await driver().send(target({ chat_id: '@channel', topic_id: 7 }), exampleNotification());
  expect(sent).toMatchObject({ outcome: 'delivered' });
  expect(telegram.received.map(({ path }) => path)).toEqual([`/bot${TOKEN}/getMe`, `/bot${TOKEN}/sendMessage`]);
  expect(JSON.parse(telegram.received[1]?.body ?? '')).toEqual({
    chat_id: '@channel',
    message_thread_id: 7,
    text: '<b>web-1: Memory 97 %, 2 over for 5 min</b>\nLevel: critical\nhttps://plimsoll.example/alerts?server_id=1',
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  });
});

test('a request that Telegram took without an answer may have arrived; one that found nobody has not', async () => {
  telegram.answer(null);
  const silent = await driver(200).send(target(), exampleNotification());
  expect(telegram.received).toHaveLength(1);
  expect(silent).toEqual({
    outcome: 'failed',
    detail: 'Telegram did not confirm the message: no answer. It may have arrived, so it may come twice.',
    mayHaveArrived: true,
  });
  telegram.close();
  const closed = await driver().send(target(), exampleNotification());
  expect(closed).toEqual({ outcome: 'failed', detail: 'Telegram was not reached: no answer.' });
  // The token is part of the URL.
  expect(JSON.stringify([silent, closed])).not.toContain('AAAA');
});

test('escapes markup, and cuts to 4,096 characters before it', () => {
  expect(telegramHtml(exampleNotification({ title: '<b>&</b>', link: null }))).toContain(
    '<b>&lt;b&gt;&amp;&lt;/b&gt;</b>',
  );
  const long = telegramHtml(exampleNotification({ title: 't', lines: ['<'.repeat(9000)], link: null }));
  expect(long.replaceAll(/<\/?b>/g, '').replaceAll('&lt;', '<')).toHaveLength(4096);
  const pairs = telegramHtml(exampleNotification({ title: 't', lines: ['😀'.repeat(4000)], link: null }));
  expect(pairs.isWellFormed()).toBe(true);
});

test.each([
  [429, { ok: false, description: 'Too Many Requests', parameters: { retry_after: 17 } }, 'failed', 17],
  [500, { ok: false, description: 'Internal' }, 'failed', undefined],
  [400, { ok: false, description: 'Bad Request: chat not found' }, 'refused', undefined],
  [403, { ok: false, description: 'Forbidden: bot was kicked' }, 'refused', undefined],
])('%i is answered with what to do', async (status, body, outcome, retryAfterSeconds) => {
  telegram.answer(() => ({ status, body: JSON.stringify(body) }));
  const result = await driver().send(target(), exampleNotification());
  expect(result).toEqual({
    outcome,
    detail: `Telegram answered ${String(status)}: ${body.description}.`,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
});

test.each(['<!DOCTYPE html><p>Sign in to the network', '', '{}', '{"ok":"true"}', '[]'])(
  '200 with %j is not of Telegram, and the message is sent again',
  async (body) => {
    telegram.answer(() => ({ status: 200, body }));
    const result = await driver().send(target(), exampleNotification());
    expect(result).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('in the place of Telegram') });
  },
);

test('leaves 3 s between messages to a group and 1 s to a person', () => {
  const spacing = (chat: string) => driver().spacingMs?.(target({ chat_id: chat }));
  expect(['-100', '@channel', '42'].map(spacing)).toEqual([3000, 3000, 1000]);
});

describe('a group that became a supergroup', () => {
  const upgraded = (id: unknown) => ({
    status: 400,
    body: JSON.stringify({
      ok: false,
      error_code: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: id },
    }),
  });
  const chats = () => telegram.received.map(({ body }) => (JSON.parse(body) as { chat_id: string }).chat_id);

  test('gets the message at its new id at once, and the caller gets the id', async () => {
    telegram.answer(({ body }) =>
      body.includes('"-100200"') ? upgraded(-1001557912345) : { status: 200, body: '{"ok":true}' },
    );
    expect(await driver().send(target(), exampleNotification())).toEqual({
      outcome: 'delivered',
      detail: 'Telegram took the message. The group became a supergroup: its chat id is now -1001557912345.',
      movedTo: '-1001557912345',
    });
    expect(chats()).toEqual(['-100200', '-1001557912345']);
    const [first, second] = telegram.received.map(({ body }) => JSON.parse(body) as { text: string });
    expect(second?.text).toBe(first?.text);
  });

  test.each([
    [403, { description: 'Forbidden: bot is not a member' }, 'refused', {}],
    [429, { description: 'Too Many Requests', parameters: { retry_after: 9 } }, 'failed', { retryAfterSeconds: 9 }],
    // A chain of moves is refused.
    [400, { description: 'Bad Request', parameters: { migrate_to_chat_id: -1009 } }, 'refused', {}],
  ])('that answers %i names the new id and gives none to keep', async (status, body, outcome, more) => {
    telegram.answer(({ body: sent }) =>
      sent.includes('"-100200"') ? upgraded(-1001557912345) : { status, body: JSON.stringify(body) },
    );
    expect(await driver().send(target(), exampleNotification())).toEqual({
      outcome,
      detail: `Telegram answered ${String(status)}: ${body.description}. The group became a supergroup: its chat id is now -1001557912345.`,
      ...more,
    });
    expect(telegram.received).toHaveLength(2);
  });

  test.each([
    ['a text', '-1001557912345'],
    ['a person', 42],
    ['nobody', 0],
    ['no whole number', -1.5],
    ['more than 52 bits', -(2 ** 53)],
    ['an absurd number', -1e300],
    ['the same chat', -100200],
    ['nothing', null],
    ['a list', [-1001557912345]],
    ['an object', { id: -1001557912345 }],
  ])('is refused as any other answer when the new id is %s', async (_name, id) => {
    telegram.answer(() => upgraded(id));
    const result = await driver().send(target(), exampleNotification());
    expect(result).toMatchObject({
      outcome: 'refused',
      detail: 'Telegram answered 400: Bad Request: group chat was upgraded to a supergroup chat.',
    });
    expect(telegram.received).toHaveLength(1);
  });
});

test('a quote is a block of its own, and its markup is text', () => {
  const cause = exampleNotifiedCause({ quote: '> </blockquote><b>pay here</b>' });
  const html = telegramHtml(exampleNotification({ title: 't', lines: ['> Likely cause: x'], link: null, cause }));
  expect(html.split('\n')).toEqual([
    '<b>t</b>',
    '&gt; Likely cause: x',
    '<blockquote>&gt; &lt;/blockquote&gt;&lt;b&gt;pay here&lt;/b&gt;</blockquote>',
    'Level: critical',
  ]);
});
