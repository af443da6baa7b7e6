import { timerMs } from '@plimsoll/contract/rules/timer';
import type { Clock } from '../clock.ts';

/** Something done again and again. It must be safe to run on several replicas and to be cut off at any point. */
export interface Job {
  name: string;
  everySeconds: number;
  /** Seconds from the end of a run to the next, if the job can compute them. */
  waitSeconds?: () => number;
  /** Result of a run for the log; null if there was nothing to do. */
  run(now: number): Promise<object | null>;
}
interface JobLogger {
  debug(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
/** Receives how each run ended; `error` is what it threw. */
export type JobObserver = (job: string, outcome: 'ok' | 'failed', seconds: number, error?: unknown) => void;

/** A job that becomes due while another runs waits this long for it, so that quick ones share a connection. */
const TURN_MS = 250;

/** Runs each job at start and then at its interval, never twice at once. A job that fails is logged and tried again. */
export class Scheduler {
  readonly #jobs: readonly Job[];
  readonly #clock: Clock;
  readonly #log: JobLogger;
  readonly #observe: JobObserver;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  /** Ends when the job that was last to become due has ended or has taken long enough; null: none runs. */
  #turn: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: { jobs: readonly Job[]; clock: Clock; log: JobLogger; observe?: JobObserver }) {
    this.#jobs = options.jobs;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#observe = options.observe ?? (() => {});
  }

  /** Resolves when each job has run once: the partitions of today are there then. */
  async start(): Promise<void> {
    for (const job of this.#jobs) await this.#runAndPlan(job);
  }

  /** No run begins after this; resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  async #runAndPlan(job: Job): Promise<void> {
    if (this.#isStopped) return;
    const run = this.#inTurn(job);
    this.#running.add(run);
    await run;
    this.#running.delete(run);
    if (this.#isStopped) return;
    const seconds = job.waitSeconds?.() ?? job.everySeconds;
    const timer = setTimeout(() => void this.#runAndPlan(job), timerMs(seconds * 1000));
    this.#timers.set(job.name, timer.unref());
  }

  async #inTurn(job: Job): Promise<void> {
    const before = this.#turn;
    const run = before === null ? this.#run(job) : before.then(() => (this.#isStopped ? undefined : this.#run(job)));
    const turn = endOrAt(before, run, TURN_MS).finally(() => {
      if (this.#turn === turn) this.#turn = null;
    });
    this.#turn = turn;
    await run;
  }

  async #run(job: Job): Promise<void> {
    const { name } = job;
    const begun = this.#clock.now();
    const seconds = (): number => (this.#clock.now() - begun) / 1000;
    try {
      const done = await job.run(begun);
      this.#observe(name, 'ok', seconds());
      if (done) this.#log.debug({ job: name, ...done, seconds: seconds() }, 'job done');
    } catch (error) {
      this.#observe(name, 'failed', seconds(), error);
      this.#log.error({ job: name, err: error }, 'job failed, it runs again at its next scheduled time');
    }
  }
}

/** Resolves when `run`, which begins after `before`, has ended or has taken `ms`. */
async function endOrAt(before: Promise<void> | null, run: Promise<void>, ms: number): Promise<void> {
  await before;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timerMs(ms)).unref();
  await Promise.race([run, late]);
  clearTimeout(timer);
}
