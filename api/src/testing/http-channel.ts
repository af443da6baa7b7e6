import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChannelNetwork } from '../notify/channels/http.ts';
import type { ChannelDriver, Notification, SendResult, Target } from '../notify/types.ts';
import { httpStandIn, type HttpStandIn } from './http-stand-in.ts';
import { exampleNotification } from './notify.ts';

interface HttpChannel {
  /** Creates the driver; `url` is the stand-in of the provider. */
  create: (network: ChannelNetwork, url: string) => ChannelDriver;
  /** Returns settings and secrets. Secrets contain "secret", so that a test finds a leaked one. */
  targetAt: (url: string) => Target;
}

interface HttpChannelKit {
  provider: () => HttpStandIn;
  send: (parts?: Partial<Notification>, timeoutMs?: number) => Promise<SendResult>;
  /** Returns the bodies that the provider received. */
  bodies: () => unknown[];
}

/** Runs the tests that every channel over HTTP must pass, and returns what its own tests need. */
export function testHttpChannel({ create, targetAt }: HttpChannel): HttpChannelKit {
  let provider: HttpStandIn;
  beforeEach(async () => {
    provider = await httpStandIn();
  });
  afterEach(() => provider.close());
  const send: HttpChannelKit['send'] = (parts = {}, timeoutMs = 2000) =>
    create({ allowedRanges: ['127.0.0.0/8'], timeoutMs }, provider.url).send(
      targetAt(provider.url),
      exampleNotification(parts),
    );

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

  test.each(['<!DOCTYPE html>\n<title>Sign in', '\n <html lang="en">', '<?xml version="1.0"?>'])(
    '200 with the page %j is not of the provider',
    async (body) => {
      provider.answer(() => ({ status: 200, body, headers: { 'content-type': 'text/html' } }));
      expect(await send()).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('answered 200') });
      for (const taken of ['ok', '', '{}']) {
        provider.answer(() => ({ status: 200, body: taken, headers: { 'content-type': 'text/html' } }));
        expect(await send()).toMatchObject({ outcome: 'delivered' });
      }
    },
  );

  test('a provider that hangs is a failure that may pass', async () => {
    provider.answer(null);
    expect(await send({}, 100)).toMatchObject({ outcome: 'failed' });
  });

  return {
    provider: () => provider,
    send,
    bodies: () => provider.received.map(({ body }): unknown => JSON.parse(body)),
  };
}
