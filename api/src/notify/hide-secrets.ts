import type { ChannelDriver, SendResult, Target } from './types.ts';

/** A shorter text stands in many words by chance. */
const SHORTEST = 6;

/** Texts that give a secret away: itself, and of a web address its path and query without the host. */
function tracesOf(secret: string): string[] {
  const url = /^https?:/i.test(secret) ? URL.parse(secret) : null;
  const parts = url === null ? [] : [url.href, `${url.pathname}${url.search}`, url.pathname.slice(1), url.search];
  const encoded = encodeURIComponent(secret);
  return [secret, encoded, ...parts]
    .filter((trace) => trace.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length);
}

function hideIn<R extends SendResult>(result: R, { secrets }: Target): R {
  const traces = Object.values(secrets).flatMap(tracesOf);
  return { ...result, detail: traces.reduce((text, trace) => text.replaceAll(trace, '[secret]'), result.detail) };
}

/** Returns the same driver, whose words for the user never repeat a secret: providers quote what they were sent. */
export function hidingSecrets(driver: ChannelDriver): ChannelDriver {
  const check = driver.check?.bind(driver);
  return {
    ...driver,
    send: async (target, notification) => hideIn(await driver.send(target, notification), target),
    ...(check && { check: async (target: Target) => hideIn(await check(target), target) }),
  };
}
