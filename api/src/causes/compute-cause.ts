import { Worker } from 'node:worker_threads';
import { timerMs } from '@plimsoll/contract/rules/timer';
import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import { CodedError } from '../errors.ts';
import { boundAnswer } from './bound-answer.ts';
import type { Evidence } from './evidence.ts';
import { findingsOf, markQuotes, saidIn } from './quotes.ts';

/** Reading takes at most as long as one query may, loading the thread 10 s on a busy machine, and explaining 2 s. */
const LIMITS = { readMs: 5000, loadMs: 10_000, explainMs: 2000, heapMb: 256, atOnce: 4 } as const;

const late = (): CodedError =>
  new CodedError('took_too_long', 'The cause took too long to compute', { remedy: 'Try again later.' });

/** Rejects when `work` takes too long. What it reads ends with the limits of its queries. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), timerMs(ms));
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function nextMessage(worker: Worker): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread that explains ended')));
  // The end of the thread after its last message rejects nothing that anybody waits for.
  promise.catch(() => undefined);
  return promise;
}

/** Explains in a thread, which ends with the answer: with 5,000 pods it takes more than half a second. */
export async function explainInThread(evidence: Evidence): Promise<CauseAnswer> {
  const worker = new Worker(new URL('explain-worker.ts', import.meta.url), {
    env: {},
    name: 'plimsoll-explain',
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.heapMb },
  });
  try {
    // The first message says that the thread is loaded.
    await inTime(nextMessage(worker), LIMITS.loadMs);
    const answer = nextMessage(worker);
    worker.postMessage(evidence, []);
    return (await inTime(answer, LIMITS.explainMs)) as CauseAnswer;
  } finally {
    await worker.terminate();
  }
}

/** An answer, and the evidence that it was computed from. */
export interface Computed {
  evidence: Evidence;
  answer: CauseAnswer;
  findings: readonly string[];
}

/** Computes answers, each incident once at a time, and few at once. */
export class CauseComputer {
  readonly #running = new Map<string, Promise<Computed>>();

  /** `key` names the owner and the subject. Throws `overloaded` when others are being computed. */
  async compute(key: string, gather: () => Promise<Evidence>): Promise<Computed> {
    const same = this.#running.get(key);
    if (same !== undefined) return same;
    if (this.#running.size >= LIMITS.atOnce)
      throw new CodedError('overloaded', 'Other causes are being computed', {
        remedy: 'Try again in 5 s.',
        retryAfterSeconds: 5,
      });
    const run = computeCause(gather).finally(() => this.#running.delete(key));
    this.#running.set(key, run);
    return run;
  }
}

async function computeCause(gather: () => Promise<Evidence>): Promise<Computed> {
  const evidence = await inTime(gather(), LIMITS.readMs);
  const answer = await explainInThread(evidence);
  const [bounded, said] = [boundAnswer(answer), saidIn(evidence)];
  return { evidence, answer: markQuotes(bounded, said), findings: findingsOf(bounded, said) };
}
