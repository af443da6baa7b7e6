import { timerMs } from '@plimsoll/contract/rules/timer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { CodedError, type ErrorCode, type ErrorNotes } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ReadCluster } from './read-cluster.ts';
import type { ReadReport } from './read-report.ts';

/**
 * Requests within these bounds are read in the API's own thread: the normal report of 24 KB takes 1 ms there, and a
 * hostile one 15 ms. `redactBytes`: texts that are not in the cache.
 */
export const INLINE = { bytes: 128 * 1024, redactBytes: 16 * 1024 } as const;

export interface ThreadLimits {
  /** Requests that wait for the thread; each holds up to 1 MiB. */
  waiting: number;
  /** A request that takes longer ends the thread. */
  timeoutMs: number;
  /** Heap of the thread; the objects of the largest request take 60 MB. */
  heapMb: number;
  /** Requests of one sender that are read or wait, so that no sender fills the queue. Default: 1. */
  ofSender?: number;
  /**
   * Answers a request that ends the thread as one that is too large. Prometheus repeats for ever what is answered as
   * busy, and would end the thread each time.
   */
  refusesForGood?: boolean;
}
export const THREAD_LIMITS: ThreadLimits = { waiting: 16, timeoutMs: 20_000, heapMb: 192 };
const RETRY_AFTER_SECONDS = 10;
/** Young objects of the thread. Node's default is 48, which the thread keeps once a hostile request filled them. */
const YOUNG_MB = 6;
/** Objects of this many serialized bytes are built in one turn of the event loop. */
const BYTES_A_TURN = 256 * 1024;

interface Wire {
  wire: Uint8Array;
  isGzip: boolean;
}
/** Everything the thread reads. */
export interface Jobs {
  report: {
    job: Wire & { serverId: string; receivedAt: number; knownSkewSeconds: number | null };
    result: ReadReport;
  };
  cluster: { job: Wire; result: ReadCluster };
}
/** The kinds of requests that a thread reads. */
export type AnyJobs<J> = { [K in keyof J]: { job: unknown; result: { head: unknown; items: unknown[] } } };
export interface Request<J> {
  kind: keyof J;
  job: J[keyof J] extends { job: infer T } ? T : never;
}
export type Reply =
  | { outcome: 'read'; head: unknown; items: Uint8Array[] }
  | { outcome: 'refused'; code: ErrorCode; message: string; notes: ErrorNotes };

interface Waiting {
  request: unknown;
  sender: string;
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

const busy = (detail: string): CodedError =>
  new CodedError('overloaded', detail, {
    remedy: `Keep the reports and try again in ${String(RETRY_AFTER_SECONDS)} s.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

const tooCostly = (): CodedError =>
  new CodedError('body_too_large', 'The request takes too much time or memory to read', {
    remedy: 'Send less in one request.',
  });

/**
 * Reads large requests in a thread of their own, one after the other, of each sender in turn. The thread starts with the first of them. When it
 * dies, the request it was reading is refused, and the next one starts a new thread.
 */
export class ReadThread<J extends AnyJobs<J> = Jobs> {
  readonly #file: URL;
  readonly #limits: ThreadLimits;
  readonly #waiting: Waiting[] = [];
  #current: Waiting | null = null;
  #lastSender: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #worker: Worker | null = null;
  #isClosed = false;

  constructor(limits: ThreadLimits = THREAD_LIMITS, file = new URL('read-worker.ts', import.meta.url)) {
    this.#limits = limits;
    this.#file = file;
  }

  /** Takes no more than a share of the queue from one sender. */
  async read<K extends keyof J>(kind: K, job: J[K]['job'], sender: string): Promise<J[K]['result']> {
    const earlier = this.#waiting.filter((one) => one.sender === sender).length;
    if (earlier + (this.#current?.sender === sender ? 1 : 0) >= (this.#limits.ofSender ?? 1))
      throw busy('An earlier request of this sender is still being read');
    if (this.#waiting.length >= this.#limits.waiting) throw busy('The server has too many large requests in progress');
    const reply = await new Promise<Reply>((resolve, reject) => {
      this.#waiting.push({ request: { kind, job }, sender, resolve, reject });
      this.#next();
    });
    if (reply.outcome === 'refused') throw new CodedError(reply.code, reply.message, reply.notes);
    return { head: reply.head, items: await itemsOf(reply.items) } as J[K]['result'];
  }

  /** Ends the thread; what it was reading and what waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(busy('The server stops'));
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#current !== null) return;
    const other = this.#waiting.findIndex(({ sender }) => sender !== this.#lastSender);
    const [next] = this.#waiting.splice(Math.max(0, other), 1);
    if (next === undefined) return;
    this.#current = next;
    this.#lastSender = next.sender;
    this.#worker ??= this.#start();
    this.#timer = setTimeout(() => void this.#worker?.terminate(), timerMs(this.#limits.timeoutMs));
    this.#worker.postMessage(next.request, []);
  }

  #start(): Worker {
    const worker = new Worker(this.#file, {
      env: {},
      name: 'plimsoll-read',
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.unref();
    worker.on('message', (reply: Reply) => this.#settle((current) => current.resolve(reply)));
    // An error ends the thread: `exit` follows.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#worker = null;
      const isForGood = this.#limits.refusesForGood === true && !this.#isClosed;
      this.#settle((current) =>
        current.reject(isForGood ? tooCostly() : busy('The thread that was reading the request ended')),
      );
    });
    return worker;
  }

  #settle(settle: (current: Waiting) => void): void {
    clearTimeout(this.#timer);
    const current = this.#current;
    this.#current = null;
    if (current !== null) settle(current);
    this.#next();
  }
}

/** Builds the objects of the items in several turns of the event loop. */
async function itemsOf(serialized: readonly Uint8Array[]): Promise<unknown[]> {
  const items: unknown[] = [];
  let bytes = 0;
  for (const one of serialized) {
    items.push(deserialize(one));
    bytes += one.length;
    if (bytes < BYTES_A_TURN) continue;
    bytes = 0;
    await nextTurn();
  }
  return items;
}

/** Counts the texts that the budget of a request did not cover, and logs whose they are. */
export function noteWithheld(
  { metrics, log }: { metrics: Pick<Metrics, 'textsWithheld'>; log: Pick<Logger, 'warn'> },
  withheld: number,
  sender: Record<string, string>,
): void {
  if (withheld === 0) return;
  metrics.textsWithheld.inc(withheld);
  log.warn({ ...sender, withheld }, 'texts withheld: redacting them exceeds the budget of a request');
}
