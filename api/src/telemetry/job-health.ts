import type { Clock } from '../clock.ts';

/** Results of the last runs of a job in this process. Times in epoch ms; null: none since the start. */
export interface JobState {
  name: string;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  lastErrorCode: string | null;
}

/** A SQLSTATE, an errno name or the name of an error's class: no text, which may hold what an account sent. */
const CODE = /^\w{1,40}$/;
const codeOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return [code, name].find((one): one is string => typeof one === 'string' && CODE.test(one)) ?? 'Error';
};

/** Keeps the last success and the last failure of each job for the health page and the metrics. */
export class JobHealth {
  readonly #clock: Clock;
  readonly #states = new Map<string, JobState>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records the end of a run; `error` is read when it failed. Returns its time in epoch ms. */
  record(name: string, outcome: 'ok' | 'failed', error?: unknown): number {
    const now = this.#clock.now();
    const before = this.#states.get(name) ?? { name, lastSuccessAt: null, lastFailureAt: null, lastErrorCode: null };
    const change = outcome === 'ok' ? { lastSuccessAt: now } : { lastFailureAt: now, lastErrorCode: codeOf(error) };
    this.#states.set(name, { ...before, ...change });
    return now;
  }

  list(): JobState[] {
    return [...this.#states.values()];
  }
}

/** Returns true if the last run of the job failed. */
export const isFailing = ({ lastSuccessAt, lastFailureAt }: JobState): boolean =>
  lastFailureAt !== null && lastFailureAt > (lastSuccessAt ?? 0);
