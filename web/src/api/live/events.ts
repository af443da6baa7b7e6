import { useEffect } from 'react';
import type { ChangeEvent } from '@plimsoll/contract/wire/events';
import { isTouched, joinChanges, parseChange } from './change-topics.ts';
import { recordAnswer, suspectConnection } from '../../state/connection.ts';
import { liveness } from '../../state/liveness.ts';
import { parseMoment } from '../../time/moment.ts';
import { POLL, STREAM_RETRY } from '../polling.ts';
import { useQueryClient } from '../query.ts';

const CHANNEL = 'plimsoll.changes';
const LOCK = 'plimsoll.event-stream';

/**
 * A browser reconnects by itself when a connection breaks, but never after an error response, such as a proxy's while the
 * API restarts. Then we reconnect, and not all browsers at the same moment.
 */
const retryMs = () => STREAM_RETRY.least + Math.random() * (STREAM_RETRY.most - STREAM_RETRY.least);

/** A change, a sign of life of the stream, or its break. */
type StreamMessage = ChangeEvent | 'alive' | 'broken';
type OnMessage = (message: StreamMessage) => void;

/** Holds the one stream of this browser and passes its messages to the other tabs. Ends when `signal` aborts. */
function holdStream(signal: AbortSignal, onMessage: OnMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let close = () => {};
  const end = () => {
    close();
    resolve();
  };
  const open = () => {
    const source = new EventSource('/api/events');
    close = () => source.close();
    for (const name of ['open', 'ping']) source.addEventListener(name, () => onMessage('alive'));
    source.addEventListener('changed', (event) => {
      onMessage('alive');
      const change = parseChange(String(event.data));
      if (change !== null) onMessage(change);
    });
    // Signed out: a stream that came back would only be refused.
    source.addEventListener('ended', end);
    source.addEventListener('error', () => {
      if (!signal.aborted) onMessage('broken');
      if (source.readyState !== EventSource.CLOSED || signal.aborted) return;
      const timer = setTimeout(open, retryMs());
      close = () => clearTimeout(timer);
    });
  };
  open();
  signal.addEventListener('abort', end, { once: true });
  return promise;
}

/** Waits for its turn: the tab that has the lock has the stream. Locks need https or localhost; elsewhere each tab streams. */
async function takeTurn(signal: AbortSignal, onMessage: OnMessage): Promise<void> {
  if (!('locks' in navigator)) return holdStream(signal, onMessage);
  try {
    await navigator.locks.request(LOCK, { signal }, () => holdStream(signal, onMessage));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Gathers changes so that a busy fleet does not fetch the screen anew with every report. */
function gather(apply: (change: ChangeEvent) => void, everyMs: number) {
  let waiting: ChangeEvent | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = () => {
    timer = null;
    if (waiting === null) return;
    apply(waiting);
    waiting = null;
    timer = setTimeout(flush, everyMs);
  };
  return {
    add(change: ChangeEvent) {
      waiting = joinChanges(waiting, change);
      if (timer === null) flush();
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Refetches changed queries at once and then at most every few seconds. */
export function useChanges(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const abort = new AbortController();
    const channel = new BroadcastChannel(CHANNEL);
    const postToOtherTabs = channel.postMessage.bind(channel);
    const gathered = gather((change) => {
      // The past does not change; going back to now requests everything.
      if (!liveness.get() || parseMoment(new URLSearchParams(window.location.search)) !== null) return;
      void queries.invalidateQueries({ predicate: ({ queryKey }) => isTouched(queryKey, change) });
    }, POLL.changes);
    const receive = (message: StreamMessage) => {
      if (message === 'alive') recordAnswer(Date.now());
      else if (message === 'broken') suspectConnection();
      else gathered.add(message);
    };
    channel.addEventListener('message', (event: MessageEvent<StreamMessage>) => receive(event.data));
    void takeTurn(abort.signal, (message) => {
      postToOtherTabs(message);
      receive(message);
    });
    return () => {
      abort.abort();
      gathered.stop();
      channel.close();
    };
  }, [queries]);
}
