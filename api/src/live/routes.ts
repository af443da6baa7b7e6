import { timerMs } from '@plimsoll/contract/rules/timer';
import type { ChangeTopic } from '@plimsoll/contract/wire/events';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import type { Deps } from '../deps.ts';
import type { StreamEnd } from './event-streams.ts';
import { defineRoute, type Route, type SignedIn } from '../http/define-route.ts';

/** At most one event a second: 500 servers report 8 times a second and no screen draws that often. */
const GATHER_MS = 1000;
/** Shorter than the idle timeouts of the usual proxies (nginx 60 s), and than the 30 s after which a page counts as late. */
const PING_MS = 15_000;
const MOST_SERVER_IDS = 50;
/**
 * A stream ends with its session; the browser then connects again and is authenticated. It does so at least this often,
 * because some sessions end without a message to the process (a token replaced, an account deleted by a job).
 */
const MOST_MS = 15 * 60_000;

/** Milliseconds until a stream re-authenticates. `expiresAt` comes from the session; null: it never expires. */
export const streamLifeMs = (expiresAt: number | null, now: number): number =>
  Math.max(0, Math.min(MOST_MS, (expiresAt ?? Infinity) - now));

const RECONNECT = { least: 250, most: 1000 } as const;

/**
 * Returns milliseconds after which a browser reconnects a stream that broke; without it Chrome waits 3 s and Firefox 5 s.
 * The browsers of a replica that ended do not all return at the same moment. `random` is from 0 to 1.
 */
export const reconnectMs = (random: number): number =>
  Math.round(RECONNECT.least + random * (RECONNECT.most - RECONNECT.least));

/** Changes gathered between two events. */
class Gathered {
  readonly #topics = new Set<ChangeTopic>();
  readonly #servers = new Set<string>();
  #any = false;

  add(topic: ChangeTopic, serverId: string | null): void {
    this.#topics.add(topic);
    if (serverId === null) this.#any = true;
    else this.#servers.add(serverId);
  }

  /** The event to send, or null; empties itself. */
  take(): string | null {
    if (this.#topics.size === 0) return null;
    const all = this.#any || this.#servers.size > MOST_SERVER_IDS;
    const event = JSON.stringify({ topics: [...this.#topics], server_ids: all ? null : [...this.#servers] });
    this.#topics.clear();
    this.#servers.clear();
    this.#any = false;
    return event;
  }
}

async function stream(
  out: SSEStreamingApi,
  { changes, streams, metrics, clock }: Deps,
  actor: SignedIn,
): Promise<void> {
  const gathered = new Gathered();
  const ended = Promise.withResolvers<StreamEnd>();
  const unsubscribe = changes.subscribe(actor.owner.organisationId, ({ topic, serverId }) =>
    gathered.add(topic, serverId),
  );
  const forget = streams.add(actor, ended.resolve);
  out.onAbort(() => ended.resolve('restart'));
  metrics.eventStreams.inc();
  const flush = setInterval(() => {
    const event = gathered.take();
    if (event !== null) void out.writeSSE({ event: 'changed', data: event });
  }, GATHER_MS);
  const again = setTimeout(() => ended.resolve('restart'), timerMs(streamLifeMs(actor.expiresAt, clock.now())));
  // An event, because browsers hide comments from the page.
  const ping = setInterval(() => void out.writeSSE({ event: 'ping', data: '{}' }), PING_MS);
  try {
    await out.write(`retry: ${String(reconnectMs(Math.random()))}\n: open\n\n`);
    if ((await ended.promise) === 'signed_out') await out.writeSSE({ event: 'ended', data: '{}' });
  } finally {
    clearInterval(flush);
    clearInterval(ping);
    clearTimeout(again);
    unsubscribe();
    forget();
    metrics.eventStreams.dec();
  }
}

export const eventRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/events',
      actor: 'user',
      summary: 'Streams server-sent events that name the data to fetch again',
      tag: 'Events',
      answer: null,
    },
    ({ actor, http }) => {
      deps.streams.requirePlace(actor);
      // nginx would hold the events back otherwise.
      http.header('X-Accel-Buffering', 'no');
      return Promise.resolve(streamSSE(http, (out) => stream(out, deps, actor)));
    },
  ),
];
