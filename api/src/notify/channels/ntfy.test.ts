import { expect, test } from 'vitest';
import { testHttpChannel } from '../../testing/http-channel.ts';
import { createNtfy } from './ntfy.ts';

const { provider, send, bodies } = testHttpChannel({
  create: createNtfy,
  targetAt: (url) => ({ settings: { server: url }, secrets: { topic: 'alerts', token: 'tk_secret' } }),
});

test('publishes JSON with a priority, a link and the token, below 4,096 bytes', async () => {
  expect(await send()).toMatchObject({ outcome: 'delivered' });
  expect(provider().received[0]?.headers['authorization']).toBe('Bearer tk_secret');
  expect(bodies()[0]).toMatchObject({
    topic: 'alerts',
    title: 'web-1: Memory 97 %, 2 over for 5 min',
    priority: 5,
    click: 'https://plimsoll.example/alerts?server_id=1',
  });
  await send({ lines: ['語'.repeat(9000)] });
  expect(Buffer.byteLength((bodies()[1] as { message: string }).message)).toBeLessThanOrEqual(4096);
});
