import { beforeEach, expect, it } from 'vitest';
import { clusterTelegram, type ClusterTelegram } from '@plimsoll/contract/wire/cluster-channel';
import { FakeTiming } from '../testing/fake-timing.ts';
import type { ClusterReply } from './cluster-reporter.ts';
import { TelegramValues, type TelegramFiles } from './telegram-values.ts';

let sent: ClusterTelegram[];
let logged: string[];
let files: Record<string, string>;
let reply: ClusterReply;
beforeEach(() => {
  sent = [];
  logged = [];
  files = { token: '7:AAF\n', chat: '-100\n' };
  reply = { kind: 'answer', status: 200, body: {}, retryAfterSeconds: null };
});

/** Runs for so many looks; `each` changes the world before one. */
async function run(looks: number, each: (look: number) => void = () => {}, mounted: TelegramFiles | null = MOUNTED) {
  const timing = new FakeTiming();
  const stop = new AbortController();
  let seen = 0;
  const wait = timing.wait.bind(timing);
  timing.wait = (ms, signal) => {
    each(seen);
    seen += 1;
    if (seen > looks) stop.abort();
    return wait(ms, signal);
  };
  const values = new TelegramValues({
    post: (path, body) => {
      expect(path).toBe('/api/agent/v1/cluster/telegram');
      sent.push(clusterTelegram.parse(body));
      return Promise.resolve(reply);
    },
    files: mounted,
    readFile: (path) => {
      const text = files[path];
      if (text === undefined) throw new Error(`no ${path}`);
      return text;
    },
    timing,
    log: (level, message, fields) => void logged.push(`${level} ${message} ${JSON.stringify(fields)}`),
  });
  await values.run(stop.signal);
}
const MOUNTED = { botTokenFile: 'token', chatIdFile: 'chat' };

it('sends the values once, and again when the mounted files change', async () => {
  await run(4, (look) => {
    if (look === 3) files['chat'] = '-200\n';
  });
  expect(sent.map(({ telegram }) => telegram)).toEqual([
    { bot_token: '7:AAF', chat_id: '-100' },
    { bot_token: '7:AAF', chat_id: '-200' },
  ]);
  expect(logged.join()).not.toContain('AAF');
});
it('reports once that a release has no values, so that the dashboard deletes the channel', async () => {
  await run(3, () => {}, null);
  expect(sent).toMatchObject([{ telegram: null }]);
});
it('sends again until the dashboard takes the values, and logs each problem once', async () => {
  reply = { kind: 'failed', code: 'ECONNREFUSED' };
  await run(4, (look) => {
    if (look === 3) reply = { kind: 'answer', status: 200, body: {}, retryAfterSeconds: null };
  });
  expect(sent).toHaveLength(4);
  expect(logged.map((line) => line.split(' ')[0])).toEqual(['warn', 'info']);
});
it('goes on when a file cannot be read', async () => {
  files = {};
  await run(3, (look) => {
    if (look === 2) files = { token: 't', chat: 'c' };
  });
  expect(sent).toHaveLength(1);
});
