import { setTimeout as delay } from 'node:timers/promises';
import { STREAM_RETRY } from '../../../../web/src/api/polling.ts';
import { REPLICA_HEADER } from './proxy.ts';

/** Delay of Chrome before it reconnects, where the stream names none. Firefox waits 5 s. */
const DEFAULT_RETRY_MS = 3000;

export interface Browsers {
  /** Streams that are open now. */
  total: number;
  open(): number;
  /** Streams that received an event within the last `ms`. */
  alive(ms: number): number;
  /** Milliseconds that each break lasted, from the harm that caused it until the stream was open again. */
  breaks: readonly number[];
  /** Notes that harm is done to a replica now: breaks of its streams count from this moment. */
  harm(replica: string): void;
  stop(): Promise<void>;
}

interface Stream {
  token: string;
  isOpen: boolean;
  openedAt: number;
  lastEventAt: number;
  /** The replica that serves it. */
  replica: string;
  /** Milliseconds before it reconnects. */
  retryMs: number;
}

/**
 * Event streams as the dashboard holds them (web/src/api/live/events.ts). A connection that breaks is opened again after the
 * `retry` of the stream, as EventSource does; after a refusal the page waits as long as it does in a browser.
 */
export function openBrowsers(url: string, tokens: readonly string[], perToken: number): Browsers {
  const over = new AbortController();
  const breaks: number[] = [];
  const harmedAt = new Map<string, number>();
  const streams = tokens.flatMap((token) =>
    Array.from({ length: perToken }, (): Stream => ({
      token,
      isOpen: false,
      openedAt: 0,
      lastEventAt: 0,
      replica: '',
      retryMs: DEFAULT_RETRY_MS,
    })),
  );
  const run = async (stream: Stream): Promise<void> => {
    let brokenAt: number | null = null;
    while (!over.signal.aborted) {
      const isRefused = await read(url, stream, over.signal, () => {
        if (brokenAt !== null) breaks.push(performance.now() - brokenAt);
        brokenAt = null;
      });
      const at = harmedAt.get(stream.replica) ?? 0;
      // Before the proxy notices that a replica hangs, the stream looks open.
      if (stream.isOpen) brokenAt = at > stream.openedAt ? at : performance.now();
      stream.isOpen = false;
      const { least, most } = STREAM_RETRY;
      const waitMs = isRefused ? least + Math.random() * (most - least) : stream.retryMs;
      await delay(waitMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  const running = Promise.all(streams.map(run));
  return {
    total: streams.length,
    open: () => streams.filter(({ isOpen }) => isOpen).length,
    alive: (ms) => streams.filter(({ isOpen, lastEventAt }) => isOpen && performance.now() - lastEventAt <= ms).length,
    breaks,
    harm: (replica) => void harmedAt.set(replica, performance.now()),
    stop: async () => {
      over.abort();
      await running;
    },
  };
}

/** Reads one connection until it ends. Returns true if the API or the proxy refused it. */
async function read(url: string, stream: Stream, signal: AbortSignal, onOpen: () => void): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${stream.token}` };
    const answer = await fetch(`${url}/api/events`, { headers, signal });
    if (!answer.ok || answer.body === null) {
      await answer.body?.cancel();
      return true;
    }
    onOpen();
    Object.assign(stream, { isOpen: true, openedAt: performance.now(), replica: answer.headers.get(REPLICA_HEADER) });
    let rest = '';
    for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('event: changed')) stream.lastEventAt = performance.now();
        if (line.startsWith('retry:')) stream.retryMs = Number(line.slice('retry:'.length));
      }
    }
  } catch {
    // The connection broke.
  }
  return false;
}
